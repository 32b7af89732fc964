// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import FirestoreWire

/// The changes by other processes since the last check.
struct ForeignChanges {
    /// The documents they changed, as they are now.
    var documents: [LocalDocument] = []
    /// The keys that entered and left targets.
    var members: [TargetID: (added: Set<DocumentKey>, removed: Set<DocumentKey>)] = [:]
    /// The leader's reports about targets.
    var states: [TargetID: TargetState] = [:]
    /// Batches that are no longer in the queue.
    var ended: Set<BatchID> = []
    /// Batches that the leader was asked to cancel, and has not.
    var rejected: Set<BatchID> = []
    /// Whether the leader is asked for something.
    var hasRequests = false
    /// Whether another process has become the leader.
    var otherHasLed = false
    /// false: the log does not reach back far enough; everything may have changed.
    var isComplete = true
}

struct TargetState {
    var isCurrent: Bool
    /// The authority has rejected the target.
    var error: FirestoreError?
}

/// The outcome of a batch that is no longer in the queue.
typealias BatchOutcome = Result<CommitResponse, FirestoreError>

/// The kinds of entries in the log of changes, in the column of the target.
enum SharedLog {
    /// A batch has left the queue.
    static let ended: Int64 = -1
    /// The leader is asked to cancel a batch.
    static let cancel: Int64 = -2
    /// The leader does not cancel a batch, because it was sent.
    static let rejected: Int64 = -3
    /// The process leads from now on.
    static let leads: Int64 = -4
    /// This and lower ones: the leader is asked for something that a feature does.
    static let firstRequest: Int64 = -5
    /// The number of transactions that the log contains.
    fileprivate static let length: Int64 = 20_000
}

extension CacheRows {
    func foreignChanges(since seen: Int64, reachingTo floor: Int64, not process: Int64) throws(FirestoreError) -> ForeignChanges {
        var changes = ForeignChanges()
        changes.isComplete = seen >= floor
        var documents: [DocumentKey] = []
        var members: [(target: TargetID, key: DocumentKey)] = []
        let entries = try source.all(
            "SELECT DISTINCT target, collection, id FROM shared_changes WHERE sequence > ?1 AND process <> ?2", seen, process
        ) { (row) throws(FirestoreError) in
            (kind: row.integer(0), subject: row.integer(1), key: row.integer(0) < 0 ? nil : try key(in: row, at: 1))
        }
        for entry in entries {
            switch (entry.kind, entry.key) {
            case (SharedLog.ended, _): changes.ended.insert(entry.subject)
            case (SharedLog.rejected, _): changes.rejected.insert(entry.subject)
            case (SharedLog.cancel, _), (...SharedLog.firstRequest, _): changes.hasRequests = true
            case (SharedLog.leads, _): changes.otherHasLed = true
            case (0, let key?): documents.append(key)
            case (let target, let key?): members.append((TargetID(truncatingIfNeeded: target), key))
            case (_, nil): break
            }
        }
        for key in documents { changes.documents.append(try CacheRows(source: source, hasBases: true).entry(key).local) }
        for (target, key) in members {
            if try isMember(key, of: target) {
                changes.members[target, default: ([], [])].added.insert(key)
            } else {
                changes.members[target, default: ([], [])].removed.insert(key)
            }
        }
        let states = try source.all("SELECT target, current, code, text FROM target_states WHERE sequence > ?1", seen) { row in
            let error = row.isNull(2) ? nil : FirestoreError(storedCode: row.integer(2), text: row.blob(3))
            return (TargetID(truncatingIfNeeded: row.integer(0)), TargetState(isCurrent: row.integer(1) != 0, error: error))
        }
        for (id, state) in states { changes.states[id] = state }
        return changes
    }

    private func isMember(_ key: DocumentKey, of target: TargetID) throws(FirestoreError) -> Bool {
        guard let collection = try source.number(of: key.collection) else { return false }
        return try source.exists(
            "SELECT 1 FROM target_documents WHERE target = ?1 AND collection = ?2 AND id = ?3", target, collection, key.encodedID)
    }
}

extension CacheMembership {
    /// Notes a change for the other processes.
    func note(_ change: CacheChange, in cache: CacheTransaction) throws(FirestoreError) {
        hasNews = true
        switch change {
        case .document(let place): try log(0, place.collection, place.id, in: cache)
        case .member(let key, let target):
            guard let collection = try cache.sql.number(of: key.collection) else { return }
            try log(Int64(target), collection, key.encodedID, in: cache)
        case .ended(let batch): try log(SharedLog.ended, batch, .empty, in: cache)
        case .answered(let answer): try storeAnswer(answer, in: cache)
        case .applied(let event): try logStates(event, in: cache)
        case .request(let request): try log(request.kind, Int64(request.holder), request.content, in: cache)
        case .other: break
        }
    }

    func log(_ target: Int64, _ collection: Int64, _ id: ByteSlice, in cache: CacheTransaction) throws(FirestoreError) {
        guard !others.isEmpty else { return }
        hasNews = true
        try cache.sql.run(
            "INSERT OR IGNORE INTO shared_changes VALUES(?1, ?2, ?3, ?4, ?5)", cache.meta.sequence, target, collection,
            id.buffer.isEmpty ? ByteSlice([0]) : id, wakeUp.id)
    }

    /// Forgets old changes, now and then.
    func trimLog(in cache: CacheTransaction) throws(FirestoreError) {
        let sequence = cache.meta.sequence
        guard sequence % 256 == 0, sequence > SharedLog.length else { return }
        next.logFloor = max(next.logFloor, sequence - SharedLog.length)
        try cache.sql.run("DELETE FROM shared_changes WHERE sequence <= ?1", next.logFloor)
        try cache.sql.run("DELETE FROM batch_answers WHERE id < ?1", cache.meta.highestBatch - SharedLog.length)
    }

    // MARK: Targets

    func want(_ id: TargetID, _ isRemote: Bool, in cache: CacheTransaction) throws(FirestoreError) {
        try cache.sql.run(
            """
            INSERT INTO wanted_targets VALUES(?1, ?2, ?3)
            ON CONFLICT(process, target) DO UPDATE SET is_remote = max(is_remote, excluded.is_remote)
            """, wakeUp.id, id, isRemote)
        try cache.sql.run("UPDATE target_states SET code = NULL, text = NULL, current = 0 WHERE target = ?1 AND code IS NOT NULL", id)
        hasNews = true
    }

    /// A follower does not use a target any more. Its tokens are the leader's to store.
    func unwant(_ id: TargetID, in cache: CacheTransaction) throws(FirestoreError) {
        try cache.sql.run("DELETE FROM wanted_targets WHERE process = ?1 AND target = ?2", wakeUp.id, id)
        try cache.sql.run("UPDATE targets SET sequence = ?2 WHERE id = ?1", id, cache.meta.sequence)
        hasNews = true
    }

    private func logStates(_ event: RemoteEvent, in cache: CacheTransaction) throws(FirestoreError) {
        for (id, delta) in event.targetChanges where event.mismatchedTargets[id] == nil {
            try setState(TargetState(isCurrent: delta.isCurrent), of: id, in: cache)
        }
        for id in event.mismatchedTargets.keys { try setState(TargetState(isCurrent: false), of: id, in: cache) }
    }

    func setState(_ state: TargetState, of id: TargetID, in cache: CacheTransaction) throws(FirestoreError) {
        try cache.sql.run(
            "INSERT OR REPLACE INTO target_states VALUES(?1, ?2, ?3, ?4, ?5)", id, cache.meta.sequence, state.isCurrent,
            state.error.map { Int64($0.code.rawValue) }, state.error?.message)
        hasNews = true
    }

    // MARK: Answers

    /// For the process that made the call.
    private func storeAnswer(_ answer: AnsweredBatch, in cache: CacheTransaction) throws(FirestoreError) {
        let response = WriteResponse(streamID: "", streamToken: .empty, results: answer.results, commitTime: answer.commitTime)
        try cache.sql.run("INSERT OR REPLACE INTO batch_answers VALUES(?1, ?2)", answer.batch.id, response.encoded())
    }
}
