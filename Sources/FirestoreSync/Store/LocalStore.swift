// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The cache of one database on one server: the local view of documents, the queue of writes, and the targets (SY-16).
///
/// Confined to the queue of its engine; every method is one transaction, on the calling thread. The `documents` table holds
/// the local view, so that queries, indexes, aggregates and vector searches see pending writes without a merge (SY-D1).
package final class LocalStore {
    package enum Collection: Sendable, Hashable {
        /// A document goes at the end of the transaction in which it loses its last reference (SY-150).
        case eager
        /// Documents stay until the cache is larger than its limit (SY-151).
        case leastRecentlyUsed
    }

    package struct Configuration: Sendable {
        package enum Location: Sendable {
            case file(path: String)
            case memory
        }

        package var location: Location
        package var databaseID: DatabaseID
        /// The address of the server. A file of another address is refused.
        package var server: String
        package var user: SyncUser
        package var collection: Collection
        package var durability: Durability
        package var indexPolicy: IndexPolicy
        package var clock: any WallClock

        package init(
            location: Location, databaseID: DatabaseID, server: String, user: SyncUser = .unauthenticated,
            collection: Collection = .leastRecentlyUsed, durability: Durability = .full, indexPolicy: IndexPolicy = .automatic,
            clock: any WallClock = SystemClock()
        ) {
            self.location = location
            self.databaseID = databaseID
            self.server = server
            self.user = user
            self.collection = collection
            self.durability = durability
            self.indexPolicy = indexPolicy
            self.clock = clock
        }
    }

    /// Called before each transaction; what it throws is what the operation throws. For tests of failures.
    package var willRun: ((StoreOperation) throws(FirestoreError) -> Void)?

    /// The user whose pending writes the local view contains.
    package private(set) var user: SyncUser

    package static func open(_ configuration: Configuration) throws(FirestoreError) -> LocalStore { fatalError() }

    package func close() throws(FirestoreError) { fatalError() }

    init(user: SyncUser) { self.user = user }

    // MARK: Writes

    /// Queues the batches of several calls and applies them to the local view, in one transaction (SY-31).
    package func write(_ calls: [[Write]]) throws(FirestoreError) -> [LocalWriteResult] { fatalError() }

    /// Applies what the authority answered, and removes the batch (SY-60).
    package func acknowledge(
        _ batch: PendingBatch, at commitTime: DocumentVersion, results: [WriteResult], streamToken: ByteSlice
    ) throws(FirestoreError) -> [LocalChange] { fatalError() }

    /// Removes the batch and its effect, and keeps it among the failed ones (SY-67).
    package func reject(_ batch: PendingBatch, because error: FirestoreError) throws(FirestoreError) -> [LocalChange] { fatalError() }

    /// The oldest batch of the current user after another one; nil at the end.
    package func nextBatch(after id: BatchID?) throws(FirestoreError) -> PendingBatch? { fatalError() }

    /// The newest batch of the current user; nil if the queue is empty.
    package func highestBatchID() throws(FirestoreError) -> BatchID? { fatalError() }

    /// The token of the newest answer on the Write stream of the current user.
    package func streamToken() throws(FirestoreError) -> ByteSlice { fatalError() }

    package func setStreamToken(_ token: ByteSlice) throws(FirestoreError) { fatalError() }

    // MARK: What the authority reports

    /// Applies a remote event: documents, key sets, tokens (SY-96).
    package func apply(_ event: RemoteEvent) throws(FirestoreError) -> [LocalChange] { fatalError() }

    /// The version of the last remote event.
    package func lastSnapshotVersion() throws(FirestoreError) -> DocumentVersion { fatalError() }

    // MARK: Targets

    /// Finds a target again, or gives it the next even id, and marks it as active.
    package func allocate(_ target: SyncTarget) throws(FirestoreError) -> TargetData { fatalError() }

    /// Ends the use of a target. Eager collection forgets it.
    package func release(_ id: TargetID) throws(FirestoreError) { fatalError() }

    /// The newest state of an active target, which may not be stored yet (SY-97).
    package func targetData(of id: TargetID) -> TargetData? { fatalError() }

    /// The documents that the authority says are in a target.
    package func remoteKeys(of id: TargetID) throws(FirestoreError) -> Set<DocumentKey> { fatalError() }

    // MARK: Reading the local view

    package func documents(_ keys: [DocumentKey]) throws(FirestoreError) -> [LocalDocument] { fatalError() }

    /// The documents of the local view that match, in the query's order.
    package func run(_ query: StructuredQuery) throws(FirestoreError) -> [LocalDocument] { fatalError() }

    package func aggregate(
        _ query: StructuredQuery, _ aggregations: [Aggregation]
    ) throws(FirestoreError) -> [(alias: String, value: Value)] { fatalError() }

    // MARK: Collection

    /// Records which documents entered and left the views of a target (SY-99). A view that is not from the cache also moves
    /// the target's limbo-free version (SY-98).
    package func noteViewChanges(_ changes: [ViewPins]) throws(FirestoreError) { fatalError() }

    /// Changes the user: the other one's pending writes leave the local view, this one's enter it (SY-77, SY-D12).
    package func changeUser(to user: SyncUser) throws(FirestoreError) -> [LocalChange] { fatalError() }

    /// Removes targets and documents that were not used for the longest time, if the cache is larger than `threshold` bytes
    /// (SY-151). Without effect where documents are collected eagerly.
    package func collectGarbage(
        threshold: Int64, percentile: Int = 10, maximum: Int = 1_000
    ) throws(FirestoreError) -> CollectedGarbage { fatalError() }

    /// The size of the files, or of the database in memory.
    package func byteCount() throws(FirestoreError) -> Int64 { fatalError() }
}

/// A queued batch and its effect.
package struct LocalWriteResult: Sendable {
    package let batch: PendingBatch
    package let changes: [LocalChange]

    package init(batch: PendingBatch, changes: [LocalChange]) {
        self.batch = batch
        self.changes = changes
    }
}

/// What entered and left one view.
package struct ViewPins: Sendable {
    package var targetID: TargetID
    package var isFromCache: Bool
    package var added: Set<DocumentKey>
    package var removed: Set<DocumentKey>

    package init(targetID: TargetID, isFromCache: Bool, added: Set<DocumentKey>, removed: Set<DocumentKey>) {
        self.targetID = targetID
        self.isFromCache = isFromCache
        self.added = added
        self.removed = removed
    }
}

/// What a collection removed.
package struct CollectedGarbage: Sendable, Equatable {
    package var hasRun: Bool
    package var targets: Int
    package var documents: Int

    package init(hasRun: Bool, targets: Int, documents: Int) {
        self.hasRun = hasRun
        self.targets = targets
        self.documents = documents
    }
}
