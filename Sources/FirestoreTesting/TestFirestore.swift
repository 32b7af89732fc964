public import FirebaseFirestore
import FirestoreCore
import FirestoreEngine
public import Foundation

/// A database for one test: in memory, empty, its own, gone with the test.
///
/// ```swift
/// @Test func `a new book is on the shelf`() async throws {
///     let db = try TestFirestore()
///     try await Shelf(db.firestore).add(Book(title: "Dune"))
///     #expect(try await db.nextSnapshot(of: db.firestore.collection("books")).count == 1)
/// }
/// ```
/// `firestore` is an ordinary `Firestore` over the engine that apps run on; there is nothing a test could find to differ,
/// but for three things the test has in its hands: the time (``clock``), failures (``failNext(_:count:with:at:)``), and
/// waiting for snapshots (`nextSnapshot(of:)`).
///
/// Opening one takes a fraction of a millisecond, and any number of them live side by side: tests run in parallel, with
/// Swift Testing as with XCTest.
public final class TestFirestore: Sendable {
    /// The database.
    public let firestore: Firestore
    /// What time it is in the database; stands still until moved.
    public let clock: TestClock
    let failures: FailurePlan
    let followed = FollowedTargets()

    /// Opens an empty database in memory.
    ///
    /// - Parameters:
    ///   - projectID: The project of the database's name, as in stored references.
    ///   - start: What time it is in the database; the beginning of 2025 in UTC if nothing else is asked for.
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

    /// Ends listeners, finishes writes and lets go of the memory, now and not when the object goes.
    public nonisolated(nonsending) func close() async throws { try await firestore.terminate() }
}
