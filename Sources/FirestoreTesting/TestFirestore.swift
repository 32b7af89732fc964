// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import FirestoreCore
import FirestoreEngine
public import Foundation

/// A database for one test: in memory, empty, separate from others, and gone with the test.
///
/// ```swift
/// @Test func `a new book is on the shelf`() async throws {
///     let db = try TestFirestore()
///     try await Shelf(db.firestore).add(Book(title: "Dune"))
///     #expect(try await db.nextSnapshot(of: db.firestore.collection("books")).count == 1)
/// }
/// ```
/// `firestore` is an ordinary `Firestore` over the engine that apps use. A test can additionally control the time
/// (``clock``) and failures (``failNext(_:count:with:at:)``), and wait for snapshots (`nextSnapshot(of:)`).
///
/// Opening a database takes a fraction of a millisecond, and any number of them can be open at the same time: tests run
/// in parallel, with Swift Testing and with XCTest.
///
/// Beyond the Apple SDK.
public final class TestFirestore: Sendable {
    /// The database.
    public let firestore: Firestore
    /// The clock of the database, which stands still until it is moved.
    public let clock: TestClock
    let failures: FailurePlan
    let followed = FollowedTargets()

    /// Opens an empty database in memory.
    ///
    /// - Parameters:
    ///   - projectID: The project of the database, as in stored references.
    ///   - start: The initial time of the clock; by default the beginning of 2025 in UTC.
    ///   - callbackQueue: The queue of completion handlers and listeners, `settings.dispatchQueue`.
    /// - Throws: `internal` or `resourceExhausted` if the process cannot allocate memory for the database.
    public init(
        projectID: String = "demo-test", startingAt start: Date = Date(timeIntervalSince1970: 1_735_689_600),
        callbackQueue: DispatchQueue = .main
    ) throws {
        clock = TestClock(startingAt: start)
        failures = FailurePlan()
        let databaseID = DatabaseID(projectID: projectID)
        do throws(FirestoreError) {
            let engine = try Engine.open(
                EngineConfiguration(location: .memory, databaseID: databaseID, clock: clock.source))
            firestore = Firestore(over: FailingService(engine, failures), databaseID: databaseID)
        } catch {
            throw error.publicError
        }
        let settings = firestore.settings
        settings.storage = .memory
        settings.dispatchQueue = callbackQueue
        firestore.settings = settings
    }

    /// Ends listeners, finishes writes and releases the memory now, instead of when the object is released.
    public nonisolated(nonsending) func close() async throws { try await firestore.terminate() }
}
