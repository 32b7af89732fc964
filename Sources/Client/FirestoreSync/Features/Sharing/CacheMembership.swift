// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import Foundation

/// The columns of `sync_meta` that only a shared cache needs.
struct SharedState: Equatable {
    /// The online state of the leader, for the other processes (SY-D16).
    var online = OnlineState.unknown
    /// Whether the leader has found that its writes do not reach the authority; in the same column.
    var cannotWrite = false
    /// Everything that was changed later is in `shared_changes`.
    var logFloor: Int64 = 0

    static func read(from source: some StatementSource) throws(FirestoreError) -> SharedState {
        let state = try source.first("SELECT online, log_floor FROM sync_meta") { row in
            let stored = row.integer(0)
            return SharedState(
                online: stored & 3 == 1 ? .online : stored & 3 == 2 ? .offline : .unknown, cannotWrite: stored & 4 != 0,
                logFloor: row.integer(1))
        }
        return state ?? SharedState()
    }

    func write(to source: some StatementSource) throws(FirestoreError) {
        let stored: Int64 = (online == .online ? 1 : online == .offline ? 2 : 0) | (cannotWrite ? 4 : 0)
        try source.run("UPDATE sync_meta SET online = ?1, log_floor = ?2", stored, logFloor)
    }
}

/// A process among those that share a cache, and what its transactions leave for the others (SY-D15). Used on the queue of its engine.
final class CacheMembership {
    let folder: CacheFolder
    let wakeUp: WakeUpPipe
    /// The ids of the other processes, as of the last transaction that found a change.
    var others: [Int64] = []
    /// The transactions of other processes up to this number have reached the engine.
    var caughtUp: Int64 = 0
    /// Whether another process has the streams.
    var isFollower = false
    private(set) var hasLeft = false
    /// As of the last transaction.
    var state = SharedState()
    /// As it will be when the present transaction has committed.
    var next = SharedState()
    /// Whether the present transaction contains anything that the others should look at.
    var hasNews = false
    /// The state at the start of the last transaction.
    private var start: Int64 = 0

    init(_ folder: CacheFolder, _ wakeUp: WakeUpPipe) {
        self.folder = folder
        self.wakeUp = wakeUp
    }

    /// Whether the others find this process.
    var isReachable: Bool { folder.contains(wakeUp) }

    deinit { folder.removePipe(wakeUp.id) }

    /// Puts this process on the list. The first one begins with empty tables.
    func enter(_ meta: inout CacheMeta, in sql: WriteTransaction) throws(FirestoreError) {
        try sweep(in: sql)
        meta.sequence += 1
        state = try SharedState.read(from: sql)
        if others.isEmpty {
            for table in ["shared_changes", "wanted_targets", "target_states", "batch_answers"] {
                try sql.statement("DELETE FROM \(table)").run()
            }
            state = SharedState(logFloor: meta.sequence)
            try state.write(to: sql)
        }
        try sql.run("INSERT OR REPLACE INTO processes VALUES(?1, ?2)", wakeUp.id, ProcessInfo.processInfo.processIdentifier)
    }

    func others(in source: some StatementSource) throws(FirestoreError) -> [Int64] {
        try source.all("SELECT id FROM processes WHERE id <> ?1", wakeUp.id) { $0.integer(0) }
    }

    // MARK: Transactions

    /// Returns what is known as of a transaction that begins; cheap if no other process has written.
    func begin(_ meta: CacheMeta, in sql: WriteTransaction) throws(FirestoreError) -> CacheMeta {
        var fresh = meta
        let row = try sql.statement("SELECT sequence FROM sync_meta")
        defer { row.reset() }
        if try row.step(), row.integer(0) != meta.sequence {
            others = try others(in: sql)
            fresh = try CacheMeta.read(from: sql) ?? meta
            state = try SharedState.read(from: sql)
        }
        (start, next, hasNews) = (fresh.sequence, state, false)
        return fresh
    }

    func willCommit(_ cache: CacheTransaction) throws(FirestoreError) {
        if !others.isEmpty { try trimLog(in: cache) }
        if next != state { try next.write(to: cache.sql) }
    }

    func committed(_ sequence: Int64) {
        state = next
        if start == caughtUp { caughtUp = sequence }
        guard hasNews else { return }
        for other in others { _ = folder.wake(other) }
    }

    // MARK: The list

    /// Removes processes from the list that have ended.
    func sweep(in sql: WriteTransaction) throws(FirestoreError) {
        for id in try others(in: sql) where !folder.isAlive(id) {
            try remove(id, in: sql)
            folder.removePipe(id)
        }
        others = try others(in: sql)
    }

    func leave(in sql: WriteTransaction) throws(FirestoreError) {
        hasLeft = true
        try remove(wakeUp.id, in: sql)
    }

    private func remove(_ id: Int64, in sql: WriteTransaction) throws(FirestoreError) {
        for table in ["processes WHERE id", "wanted_targets WHERE process"] {
            try sql.run("DELETE FROM \(table) = ?1", id)
        }
    }

    func showsOtherUser(_ user: SyncUser) -> FirestoreError {
        FirestoreError(
            .failedPrecondition,
            "another process has this cache open \(user.uid.map { "for the user \($0)" } ?? "without a signed-in user"); "
                + "sign in as the same user in both, or set settings.cacheIsPerUser", at: folder.file)
    }
}
