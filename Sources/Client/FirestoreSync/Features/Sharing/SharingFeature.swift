// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

/// Several processes on one cache (SY-D14 … SY-D16, docs/decisions/0030-several-processes-on-one-cache.md). Without effect for a cache in
/// memory, and for one that is not shared.
final class SharingFeature: SyncFeature {
    static let tables = """
        CREATE TABLE processes(
            id INTEGER PRIMARY KEY,
            pid INTEGER NOT NULL);
        CREATE TABLE shared_changes(
            sequence INTEGER NOT NULL,
            target INTEGER NOT NULL,
            collection INTEGER NOT NULL,
            id BLOB NOT NULL,
            process INTEGER NOT NULL,
            PRIMARY KEY(sequence, target, collection, id)) WITHOUT ROWID;
        CREATE TABLE wanted_targets(
            process INTEGER NOT NULL,
            target INTEGER NOT NULL,
            is_remote INTEGER NOT NULL,
            PRIMARY KEY(process, target)) WITHOUT ROWID;
        CREATE TABLE target_states(
            target INTEGER PRIMARY KEY,
            sequence INTEGER NOT NULL,
            current INTEGER NOT NULL,
            code INTEGER,
            text BLOB);
        CREATE TABLE batch_answers(
            id INTEGER PRIMARY KEY,
            answer BLOB NOT NULL);

        """

    /// nil if the cache belongs to this process alone.
    private(set) var membership: CacheMembership?
    private(set) var sharing: CacheSharing?
    /// While the cache is being opened.
    private var lock: CacheFolder.Lock?

    // MARK: The file

    func willOpen(file: String) throws(FirestoreError) {
        lock = nil
        (membership, lock) = try CacheFolder.enter(file)
    }

    /// A process that clears the data takes the folder along, up to the moment at which this one has the file open.
    func didOpen() -> Bool { membership?.isReachable ?? true }

    func enter(_ meta: inout CacheMeta, in sql: WriteTransaction) throws(FirestoreError) { try membership?.enter(&meta, in: sql) }

    func entered(_ meta: CacheMeta, for user: SyncUser) throws(FirestoreError) {
        guard let membership else { return }
        membership.caughtUp = meta.sequence
        guard meta.user == user || membership.others.isEmpty else { throw membership.showsOtherUser(meta.user) }
    }

    func openingEnded(_ store: SQLiteStore, isOpen: Bool) {
        lock = nil
        guard !isOpen, let membership else { return }
        try? store.write { (sql: WriteTransaction) throws(FirestoreError) in try membership.leave(in: sql) }
    }

    func willClose(_ store: LocalStore) { store.leave() }

    var ownsFile: Bool { membership?.others.isEmpty ?? true }

    var ownsStreams: Bool { membership.map { !$0.isFollower } ?? true }

    // MARK: Transactions

    func begin(_ meta: CacheMeta, in sql: WriteTransaction) throws(FirestoreError) -> CacheMeta {
        try membership?.begin(meta, in: sql) ?? meta
    }

    var isObserving: Bool { !ownsFile }

    func note(_ change: CacheChange, in cache: CacheTransaction) throws(FirestoreError) { try membership?.note(change, in: cache) }

    func willCommit(_ cache: CacheTransaction) throws(FirestoreError) { try membership?.willCommit(cache) }

    func committed(_ meta: CacheMeta) { membership?.committed(meta.sequence) }

    func admitWrite(of user: SyncUser, in cache: CacheTransaction) throws(FirestoreError) {
        if let membership, cache.meta.user != user { throw membership.showsOtherUser(cache.meta.user) }
    }

    // MARK: Targets

    var collectable: String? { "id NOT IN (SELECT target FROM wanted_targets)" }

    func allocated(_ id: TargetID, isRemote: Bool, in cache: CacheTransaction) throws(FirestoreError) {
        if !ownsStreams { try membership?.want(id, isRemote, in: cache) }
    }

    func released(_ id: TargetID, in cache: CacheTransaction) throws(FirestoreError) -> Bool {
        guard !ownsStreams else { return false }
        try membership?.unwant(id, in: cache)
        return true
    }

    // MARK: The engine

    func attach(to engine: SyncEngine) { sharing = membership.map { CacheSharing($0, engine) } }

    var arbiter: (any StreamArbiter)? { sharing }

    func handle(_ event: SyncEvent) {
        guard let sharing else { return }
        switch event {
        case .starting: sharing.handle(.started)
        case .stopped:
            sharing.handle(.stopped)
            self.sharing = nil
        case .networkChanges(isEnabled: false): sharing.handle(.networkDisabled)
        case .networkChanged(isEnabled: true): sharing.handle(.networkEnabled)
        case .userChangeEnded: sharing.handle(.userChanged)
        case .reachabilityChanged: sharing.publishReachability()
        case .rejected(let id, let error): sharing.publish(TargetState(isCurrent: false, error: error), of: id)
        case .unlistened(let id): if !ownsFile { sharing.publish(TargetState(isCurrent: false), of: id) }
        case .joined: sharing.takeLeaderStates()
        default: break
        }
    }
}

extension OfflineCause {
    /// Another process that shares the cache has the streams.
    static let follower = OfflineCause("follower", "Another process that shares the cache has the connection; see its log.")
}

extension SyncEngine {
    /// nil if the cache belongs to this process alone.
    var sharing: CacheSharing? { feature(SharingFeature.self)?.sharing }
}
