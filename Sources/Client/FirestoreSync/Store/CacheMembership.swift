// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage
import Foundation

/// A process among those that share a cache. Used on the queue of its engine.
package final class CacheMembership {
    let folder: CacheFolder
    let bell: CacheBell
    /// The ids of the other processes, as of the last transaction that found a change.
    var others: [Int64] = []
    /// The transactions of other processes up to this number have reached the engine.
    var caughtUp: Int64 = 0
    /// Whether another process has the streams.
    var isFollower = false
    private(set) var hasLeft = false
    /// What the last transaction began with.
    private var start: Int64 = 0

    init(_ folder: CacheFolder, _ bell: CacheBell) {
        self.folder = folder
        self.bell = bell
    }

    /// Whether the others find this process.
    var isReachable: Bool { folder.contains(bell) }

    deinit { folder.removeBell(bell.id) }

    /// Puts this process on the list. The first one begins with empty tables.
    func enter(_ meta: inout CacheMeta, in sql: WriteTransaction) throws(FirestoreError) {
        try sweep(in: sql)
        others = try others(in: sql)
        meta.sequence += 1
        if others.isEmpty {
            for table in ["shared_changes", "wanted_targets", "target_states", "batch_answers"] {
                try sql.statement("DELETE FROM \(table)").run()
            }
            meta.online = .unknown
            meta.cannotWrite = false
            meta.logFloor = meta.sequence
        }
        let row = try sql.statement("INSERT OR REPLACE INTO processes VALUES(?1, ?2)")
        row.bind(1, bell.id)
        row.bind(2, Int64(ProcessInfo.processInfo.processIdentifier))
        try row.run()
    }

    func others(in source: some StatementSource) throws(FirestoreError) -> [Int64] {
        let row = try source.statement("SELECT id FROM processes WHERE id <> ?1")
        defer { row.reset() }
        row.bind(1, bell.id)
        var ids: [Int64] = []
        while try row.step() { ids.append(row.integer(0)) }
        return ids
    }

    /// What is known as of a transaction that begins; cheap if no other process has written.
    func refresh(_ meta: CacheMeta, in sql: WriteTransaction) throws(FirestoreError) -> CacheMeta {
        let row = try sql.statement("SELECT sequence FROM sync_meta")
        defer { row.reset() }
        guard try row.step(), row.integer(0) != meta.sequence else {
            start = meta.sequence
            return meta
        }
        others = try others(in: sql)
        let fresh = try CacheMeta.read(from: sql) ?? meta
        start = fresh.sequence
        return fresh
    }

    /// A transaction of this process has committed.
    func committed(_ sequence: Int64, hasNews: Bool) {
        if start == caughtUp { caughtUp = sequence }
        guard hasNews else { return }
        for other in others { _ = folder.ring(other) }
    }

    /// Removes processes from the list that have ended.
    func sweep(in sql: WriteTransaction) throws(FirestoreError) {
        for id in try others(in: sql) where !folder.isAlive(id) {
            try remove(id, in: sql)
            folder.removeBell(id)
        }
        others = try others(in: sql)
    }

    func leave(in sql: WriteTransaction) throws(FirestoreError) {
        hasLeft = true
        try remove(bell.id, in: sql)
    }

    private func remove(_ id: Int64, in sql: WriteTransaction) throws(FirestoreError) {
        for table in ["processes WHERE id", "wanted_targets WHERE process"] {
            let row = try sql.statement("DELETE FROM \(table) = ?1")
            row.bind(1, id)
            try row.run()
        }
    }

    func showsOtherUser(_ user: SyncUser) -> FirestoreError {
        FirestoreError(
            .failedPrecondition,
            "another process has this cache open \(user.uid.map { "for the user \($0)" } ?? "without a signed-in user"); "
                + "sign in as the same user in both, or set settings.cacheIsPerUser", at: folder.file)
    }
}
