// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

/// The part of a feature that lies in the store: it owns tables, and sees every transaction that writes.
///
/// The store has a list of features and knows none of them by type. It calls them on the queue of the engine. What a member throws
/// fails the transaction, which then has changed nothing: a feature commits its own state in `committed`.
protocol StoreFeature: AnyObject {
    init()
    /// The statements that create the tables of the feature in a new cache.
    static var tables: String { get }

    // MARK: The file

    /// The file is about to be opened, for use by several processes.
    func willOpen(file: String) throws(FirestoreError)
    /// The file is open. Returns false if it was replaced meanwhile, and has to be opened again.
    func didOpen() -> Bool
    /// Takes part in the first transaction.
    func enter(_ meta: inout CacheMeta, in sql: WriteTransaction) throws(FirestoreError)
    /// The first transaction has committed. What this throws is the error of opening the cache.
    func entered(_ meta: CacheMeta, for user: SyncUser) throws(FirestoreError)
    /// The cache is open, or could not be opened after all.
    func openingEnded(_ store: SQLiteStore, isOpen: Bool)
    /// The cache is about to be closed.
    func willClose(_ store: LocalStore)
    /// Whether no other process changes the cache, so that counts in memory are those of the file.
    var ownsFile: Bool { get }
    /// Whether the streams of the cache belong to this process, and not to another one.
    var ownsStreams: Bool { get }

    // MARK: Transactions

    /// A transaction begins. Returns what is known as of this moment.
    func begin(_ meta: CacheMeta, in sql: WriteTransaction) throws(FirestoreError) -> CacheMeta
    /// Whether the transaction that has begun has to call `note`.
    var isObserving: Bool { get }
    /// Notes a change that the transaction makes.
    func note(_ change: CacheChange, in cache: CacheTransaction) throws(FirestoreError)
    /// Everything but the end of the transaction is done.
    func willCommit(_ cache: CacheTransaction) throws(FirestoreError)
    func committed(_ meta: CacheMeta)
    /// Throws if the user of this process, `user`, must not write now.
    func admitWrite(of user: SyncUser, in cache: CacheTransaction) throws(FirestoreError)

    // MARK: Batches

    /// Attaches what it needs later to a batch that is being queued, made with an option. `entries`: its documents before the batch.
    func prepare(_ batch: inout PendingBatch, _ option: any WriteOption, _ entries: [CacheEntry], _ database: DatabaseID)
    /// A batch was acknowledged, and is no longer in the queue.
    func acknowledged(
        _ batch: PendingBatch, _ outcome: [(Write, WriteResult)], at commitTime: DocumentVersion, in cache: CacheTransaction
    ) throws(FirestoreError)

    // MARK: Targets

    /// A target is in use from now on. `isRemote`: the authority has to be asked for it.
    func allocated(_ id: TargetID, isRemote: Bool, in cache: CacheTransaction) throws(FirestoreError)
    /// A target is not in use any more. Returns whether nothing else has to be stored about it.
    func released(_ id: TargetID, in cache: CacheTransaction) throws(FirestoreError) -> Bool
    /// The condition in SQL, on a row of `targets`, under which a target may be collected; nil: always.
    var collectable: String? { get }
    /// The targets that the cache completes now and then, without listeners.
    func completedTargets(in store: LocalStore) throws(FirestoreError) -> [ClientTarget]
}

/// An option of one write, interpreted by the feature that defines its type.
package protocol WriteOption: Sendable {}

/// A change made by a transaction, for features that observe it.
enum CacheChange {
    /// The local view of a document.
    case document(DocumentPlace)
    /// Whether a document is in the key set of a target.
    case member(DocumentKey, TargetID)
    /// A batch has left the queue.
    case ended(BatchID)
    /// The authority has answered a batch.
    case answered(AnsweredBatch)
    /// A remote event was applied.
    case applied(RemoteEvent)
    /// The process that has the streams is asked for something.
    case request(StreamRequest)
    /// Something else that other processes should look at.
    case other
}

/// A target whose contents are to be taken over by the process that has the streams. It is open as long as the target exists.
struct StreamRequest {
    /// Which feature answers it. It is stored: -5 and below.
    let kind: Int64
    let holder: TargetID
    let content: ByteSlice
}

extension StoreFeature {
    static var tables: String { "" }
    func willOpen(file: String) throws(FirestoreError) {}
    func didOpen() -> Bool { true }
    func enter(_ meta: inout CacheMeta, in sql: WriteTransaction) throws(FirestoreError) {}
    func entered(_ meta: CacheMeta, for user: SyncUser) throws(FirestoreError) {}
    func openingEnded(_ store: SQLiteStore, isOpen: Bool) {}
    func willClose(_ store: LocalStore) {}
    var ownsFile: Bool { true }
    var ownsStreams: Bool { true }
    func begin(_ meta: CacheMeta, in sql: WriteTransaction) throws(FirestoreError) -> CacheMeta { meta }
    var isObserving: Bool { false }
    func note(_ change: CacheChange, in cache: CacheTransaction) throws(FirestoreError) {}
    func willCommit(_ cache: CacheTransaction) throws(FirestoreError) {}
    func committed(_ meta: CacheMeta) {}
    func admitWrite(of user: SyncUser, in cache: CacheTransaction) throws(FirestoreError) {}
    func prepare(_ batch: inout PendingBatch, _ option: any WriteOption, _ entries: [CacheEntry], _ database: DatabaseID) {}
    func acknowledged(
        _ batch: PendingBatch, _ outcome: [(Write, WriteResult)], at commitTime: DocumentVersion, in cache: CacheTransaction
    ) throws(FirestoreError) {}
    func allocated(_ id: TargetID, isRemote: Bool, in cache: CacheTransaction) throws(FirestoreError) {}
    func released(_ id: TargetID, in cache: CacheTransaction) throws(FirestoreError) -> Bool { false }
    var collectable: String? { nil }
    func completedTargets(in store: LocalStore) throws(FirestoreError) -> [ClientTarget] { [] }
}

extension [any StoreFeature] {
    /// The condition in SQL, on a row of `targets`, under which a target may be collected.
    var collectable: String {
        let conditions = compactMap(\.collectable)
        return conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
    }
}
