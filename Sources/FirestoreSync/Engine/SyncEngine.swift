// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreWire

/// The sync engine: views, queue of writes, streams, online state (SY-16 … SY-19).
///
/// Not thread-safe: every method, every timer and every event of a stream is called on one queue, and each of them is atomic
/// for listeners. It performs nothing by itself beyond calls of its store, its transport and its timers.
package final class SyncEngine {
    package struct Settings: Sendable {
        /// How many lookups of documents in limbo run at once (SY-109).
        package var concurrentLimboResolutions = 100
        /// How long the first answer of a server may take before the client is offline (SY-113).
        package var offlineAfter: Duration = .seconds(10)
        /// The delays between attempts to open a stream again (SY-115).
        package var backoff = Backoff()
        /// How long an unused stream stays open (SY-55, SY-116).
        package var idle: Duration = .seconds(60)
        /// The size from which the cache is collected, in bytes; nil: never (SY-152).
        package var collectionThreshold: Int64?

        package init() {}
    }

    package let store: LocalStore

    /// `post` runs a closure on the engine's queue, after everything posted before. Events of streams arrive through it.
    package init(
        store: LocalStore, transport: any SyncTransport, timers: any SyncTimers, database: DatabaseID,
        settings: Settings = Settings(), post: @escaping @Sendable (@escaping @Sendable (SyncEngine) -> Void) -> Void
    ) {
        self.store = store
        fatalError()
    }

    /// Begins to send the queue. The network is enabled.
    package func start() { fatalError() }

    /// Ends all streams, timers and listeners. The store stays open.
    package func shutdown() { fatalError() }

    // MARK: Calls of users

    /// Starts a listener: its first event may arrive before this returns.
    package func listen(_ listener: SyncListener) { fatalError() }

    package func unlisten(_ listener: SyncListener) { fatalError() }

    /// The id of the target that the listener's query uses; nil if it does not listen.
    package func targetID(of listener: SyncListener) -> TargetID? { fatalError() }

    /// Queues the writes of one call. `saved` is called when they are stored, `completion` when they are acknowledged or
    /// rejected; if they cannot be stored, only `completion`, with the error.
    package func write(
        _ writes: [Write], saved: @escaping (BatchID) -> Void = { _ in },
        completion: @escaping (Result<CommitResponse, FirestoreError>) -> Void
    ) { fatalError() }

    /// Calls `body` once now and after each step in which a listener was called (SY-145). Returns a number for removing it.
    package func addSnapshotsInSyncObserver(_ body: @escaping () -> Void) -> Int { fatalError() }

    package func removeSnapshotsInSyncObserver(_ number: Int) { fatalError() }

    package func waitForPendingWrites(_ completion: @escaping (Result<Void, FirestoreError>) -> Void) { fatalError() }

    package func setNetworkEnabled(_ isEnabled: Bool) { fatalError() }

    package func changeUser(to user: SyncUser) { fatalError() }

    /// Loads a bundle (LO-12).
    package func loadBundle(_ bytes: [UInt8]) throws(FirestoreError) { fatalError() }

    // MARK: Time

    package func fire(_ timer: SyncTimer) { fatalError() }

    // MARK: Inspection

    package var activeLimboResolutions: [DocumentKey: TargetID] { fatalError() }
    package var enqueuedLimboResolutions: [DocumentKey] { fatalError() }
    /// The batches in the write pipeline (SY-50).
    package var outstandingWriteCount: Int { fatalError() }
    package var isNetworkEnabled: Bool { fatalError() }
}
