// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import FirestoreCore
import FirestoreEnforcement
import FirestoreEngine
import FirestoreRules
import Foundation

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
/// With security rules, `firestore` is the database as the app has it: signed out, until `settings.user` of it is set. ``as(user:claims:)``
/// is the same database for a certain user, and ``withoutRules`` is it for setting up.
///
/// When the clock is moved, the documents that have expired by then (`setTimeToLive(on:field:)`) are deleted before the call returns.
/// Handlers of events are called again by this clock, too: ``waitForEventHandlers()`` waits for them.
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
    /// The database as users see it.
    let handles: UserHandles

    /// Opens an empty database in memory.
    ///
    /// - Parameters:
    ///   - rules: The security rules; nil to grant everything.
    ///   - strictLists: Whether the rules deny lists that cannot be proved, `settings.strictLists`.
    ///   - projectID: The project of the database, as in stored references.
    ///   - start: The initial time of the clock; by default the beginning of 2025 in UTC.
    ///   - callbackQueue: The queue of completion handlers and listeners, `settings.dispatchQueue`.
    /// - Throws: `invalidArgument` if the rules have errors, with line and column; `failedPrecondition` if their file cannot be read;
    ///   `internal` or `resourceExhausted` if the process cannot allocate memory for the database.
    public init(
        rules: SecurityRules? = nil, strictLists: Bool = false, projectID: String = "demo-test",
        startingAt start: Date = Date(timeIntervalSince1970: 1_735_689_600), callbackQueue: DispatchQueue = .main
    ) throws {
        let clock = TestClock(startingAt: start)
        let decisions = DecisionLog()
        let failures = FailurePlan { Expectation.current?.note(decisions) }
        let databaseID = DatabaseID(projectID: projectID)
        do throws(FirestoreError) {
            let enforcement = try rules.map { rules throws(FirestoreError) in
                var enforcing = RuleEnforcement.Settings()
                enforcing.strictLists = strictLists
                enforcing.explainsToCallers = true
                enforcing.onDecision = { decisions.add($0) }
                enforcing.clock = clock.source
                return RuleEnforcement(
                    RulesInForce(.ruleSet(try rules.load()), countsCoverage: true), database: databaseID, settings: enforcing)
            }
            let engine = try Engine.open(EngineConfiguration(location: .memory, databaseID: databaseID, clock: clock.source))
            handles = UserHandles(
                of: engine, databaseID, under: enforcement, failures: failures, clock: clock.source, callbackQueue: callbackQueue)
            clock.onMove { [weak engine, weak handles] in
                enforcement?.timePassed()
                // A database that was closed has nothing to delete.
                try? engine?.deleteExpiredNow()
                for firestore in handles?.all ?? [] { firestore.timePassed() }
            }
        } catch {
            throw error.publicError
        }
        self.clock = clock
        self.failures = failures
        firestore = handles.open(as: nil)
    }

    /// Ends listeners, finishes writes and releases the memory now, instead of when the object is released.
    public nonisolated(nonsending) func close() async throws {
        try await firestore.terminate()
        try await handles.close()
    }
}
