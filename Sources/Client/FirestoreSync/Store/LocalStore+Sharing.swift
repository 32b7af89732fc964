// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage
import FirestoreWire

/// What one transaction tells the other processes of a cache (SY-D15).
struct SharedLog {
    /// Whether there is anything that they should look at.
    var hasNews = false
}

/// What other processes did since the last look.
struct ForeignChanges {
    /// The documents they changed, as they are now.
    var documents: [LocalDocument] = []
    /// What entered and left the key sets of targets.
    var members: [TargetID: (added: Set<DocumentKey>, removed: Set<DocumentKey>)] = [:]
    /// What the leader says of targets.
    var states: [TargetID: TargetState] = [:]
    /// Batches that are no longer in the queue.
    var ended: Set<BatchID> = []
    /// Batches that the leader was asked to cancel, and has not.
    var refused: Set<BatchID> = []
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

/// What became of a batch that is no longer in the queue.
typealias BatchOutcome = Result<CommitResponse, FirestoreError>

extension LocalStore {
    /// Whether other processes use the cache, as far as this one has heard.
    var hasOthers: Bool { membership?.others.isEmpty == false }

    /// Whether another process has the streams.
    var isFollower: Bool { membership?.isFollower ?? false }

    // MARK: Catching up

    /// Hands over what other processes did since the last time; returns whether that was anything. What `take` does not finish comes
    /// again.
    func catchUp(_ take: (ForeignChanges) throws(FirestoreError) -> Void) throws(FirestoreError) -> Bool {
        let before = membership?.caughtUp ?? 0
        guard let changes = try catchUp() else { return false }
        do throws(FirestoreError) { try take(changes) } catch {
            membership?.caughtUp = before
            throw error
        }
        return true
    }

    /// What other processes did since this was called last; nil if nothing. Afterwards `meta` is as of this moment.
    func catchUp() throws(FirestoreError) -> ForeignChanges? {
        guard let membership else { return nil }
        let seen = membership.caughtUp
        let found = try read(.newDocumentChanges) {
            (snapshot, rows) throws(FirestoreError) -> (meta: CacheMeta, others: [Int64], changes: ForeignChanges)? in
            guard let meta = try CacheMeta.read(from: snapshot), meta.sequence > seen else { return nil }
            return (meta, try membership.others(in: snapshot), try rows.foreignChanges(since: seen, meta, not: membership.bell.id))
        }
        guard let found else { return nil }
        meta = found.meta
        keptBatches = KeptBatches()
        membership.others = found.others
        membership.caughtUp = found.meta.sequence
        return found.changes
    }

    /// What became of batches, those that still wait left out.
    func outcomes(of ids: some Sequence<BatchID>) throws(FirestoreError) -> [BatchID: BatchOutcome] {
        try read(.inspectQueue) { (snapshot, _) throws(FirestoreError) in
            var outcomes: [BatchID: BatchOutcome] = [:]
            for id in ids {
                let row = try snapshot.statement(
                    """
                    SELECT EXISTS(SELECT 1 FROM batches WHERE id = ?1), code, text, answer FROM (SELECT 1)
                    LEFT JOIN failed_batches AS f ON f.id = ?1 LEFT JOIN batch_answers AS a ON a.id = ?1
                    """)
                defer { row.reset() }
                row.bind(1, id)
                guard try row.step(), row.integer(0) == 0 else { continue }
                if !row.isNull(1) {
                    outcomes[id] = .failure(FirestoreError(storedCode: row.integer(1), text: row.blob(2)))
                } else {
                    let answer = try row.blob(3).map { bytes throws(FirestoreError) in
                        try WriteResponse(decoding: ByteSlice(copying: bytes))
                    }
                    outcomes[id] = .success(CommitResponse(commitTime: answer?.commitTime ?? .none, results: answer?.results ?? []))
                }
            }
            return outcomes
        }
    }

    /// The oldest batch of the current user; nil if the queue is empty.
    func lowestBatchID() throws(FirestoreError) -> BatchID? {
        try read(.highestBatch) { (snapshot, _) throws(FirestoreError) in
            let row = try snapshot.statement("SELECT min(id) FROM batches WHERE user = ?1")
            defer { row.reset() }
            row.bind(1, copying: user.stored)
            return try row.step() && !row.isNull(0) ? row.integer(0) : nil
        }
    }

    // MARK: The leader

    /// The targets that other processes want. What the authority has rejected is left out until it is wanted anew.
    func wantedTargets() throws(FirestoreError) -> [TargetID: (target: SyncTarget, isRemote: Bool)] {
        guard let membership else { return [:] }
        return try read(.targetData) { (snapshot, _) throws(FirestoreError) in
            let row = try snapshot.statement(
                """
                SELECT w.target, max(w.is_remote), t.canonical FROM wanted_targets AS w JOIN targets AS t ON t.id = w.target
                LEFT JOIN target_states AS s ON s.target = w.target
                WHERE w.process <> ?1 AND s.code IS NULL GROUP BY w.target
                """)
            defer { row.reset() }
            row.bind(1, membership.bell.id)
            var wanted: [TargetID: (target: SyncTarget, isRemote: Bool)] = [:]
            while try row.step() {
                guard let bytes = row.blob(2), case .add(let request) = try ListenRequest(decoding: ByteSlice(copying: bytes)).change
                else { throw snapshot.damaged("a target") }
                wanted[TargetID(truncatingIfNeeded: row.integer(0))] = (try request.target.get(), row.integer(1) != 0)
            }
            return wanted
        }
    }

    /// This process leads from now on: what it has in memory of targets is replaced by what the file has.
    /// `current`: what it knows of its targets. Returns false if the cache shows another user by now: nothing has changed.
    func beginToLead(online: OnlineState, current: [TargetID: Bool]) throws(FirestoreError) -> Bool {
        guard let membership else { return false }
        let ids = Array(active.keys)
        let stored = try perform(.targetData) { (cache) throws(FirestoreError) -> [TargetID: TargetData]? in
            guard cache.meta.user == ownUser else { return nil }
            let row = try cache.sql.statement("DELETE FROM wanted_targets WHERE process = ?1")
            row.bind(1, membership.bell.id)
            try row.run()
            // What the previous leader said of targets that are no longer in use.
            try cache.sql.statement("UPDATE target_states SET current = 0 WHERE code IS NULL").run()
            cache.meta.online = online
            cache.meta.cannotWrite = false
            try cache.log(SharedLog.leads, 0, .empty)
            for (id, isCurrent) in current { try cache.setState(TargetState(isCurrent: isCurrent), of: id) }
            cache.log?.hasNews = true
            var stored: [TargetID: TargetData] = [:]
            for id in ids {
                guard let target = active[id]?.newest.target else { continue }
                let data = try cache.allocate(target)
                // Another id: garbage was collected in the meantime. The old id stays until the listener ends.
                if data.targetID == id { stored[id] = data }
            }
            return stored
        }
        guard let stored else { return false }
        for (id, data) in stored { active[id] = ActiveTarget(newest: data, stored: data) }
        membership.isFollower = false
        return true
    }

    /// Another process may lead from now on: it has to know what this one wants.
    func endLeading(remote: Set<TargetID>) throws(FirestoreError) {
        let ids = Array(active.keys)
        try perform(.targetData) { (cache) throws(FirestoreError) in
            for id in ids { try cache.want(id, remote.contains(id)) }
        }
    }

    /// The leader's online state has changed, or whether its writes do not reach the authority.
    func setOnlineState(_ online: OnlineState, cannotWrite: Bool = false) throws(FirestoreError) {
        guard hasOthers, meta.online != online || meta.cannotWrite != cannotWrite else { return }
        try perform(.targetData) { (cache) throws(FirestoreError) in
            cache.meta.online = online
            cache.meta.cannotWrite = cannotWrite
            if online == .offline { try cache.sql.statement("UPDATE target_states SET current = 0").run() }
            cache.log?.hasNews = true
        }
    }

    /// What the leader knows of targets apart from remote events.
    func setTargetStates(_ states: [TargetID: TargetState], online: OnlineState) throws(FirestoreError) {
        guard hasOthers else { return }
        try perform(.targetData) { (cache) throws(FirestoreError) in
            cache.meta.online = online
            for (id, state) in states { try cache.setState(state, of: id) }
            cache.log?.hasNews = true
        }
    }

    // MARK: Followers

    /// The online state of the leader.
    var leaderOnlineState: OnlineState { meta.online }

    /// Whether neither reads nor writes of the leader reach the authority.
    var leaderIsOffline: Bool { meta.online == .offline || (meta.online == .unknown && meta.cannotWrite) }

    /// Whether the leader has the authority's result for a target. Always false in the leader.
    func isCurrentAtLeader(_ id: TargetID) throws(FirestoreError) -> Bool {
        guard isFollower, meta.online != .offline else { return false }
        return try read(.targetData) { (snapshot, _) throws(FirestoreError) in
            let row = try snapshot.statement("SELECT current FROM target_states WHERE target = ?1")
            defer { row.reset() }
            row.bind(1, Int64(id))
            return try row.step() && row.integer(0) != 0
        }
    }

    // MARK: Membership

    /// Removes what processes left behind that have ended without a word.
    func sweep() throws(FirestoreError) {
        guard let membership, membership.others.contains(where: { !membership.folder.isAlive($0) }) else { return }
        try perform(.targetData) { (cache) throws(FirestoreError) in
            try membership.sweep(in: cache.sql)
            cache.log?.hasNews = true
        }
    }

    func leave() {
        guard let membership, !membership.hasLeft else { return }
        // What cannot be removed now is removed by the others, once they find that this process has ended.
        _ = try? transact { (cache) throws(FirestoreError) in
            try membership.leave(in: cache.sql)
            cache.log?.hasNews = true
        }
    }
}

// MARK: Tables

extension CacheRows {
    func foreignChanges(since seen: Int64, _ meta: CacheMeta, not process: Int64) throws(FirestoreError) -> ForeignChanges {
        var changes = ForeignChanges()
        changes.isComplete = seen >= meta.logFloor
        var documents: [DocumentKey] = []
        var members: [(target: TargetID, key: DocumentKey)] = []
        let row = try source.statement(
            "SELECT DISTINCT target, collection, id FROM shared_changes WHERE sequence > ?1 AND process <> ?2")
        defer { row.reset() }
        row.bind(1, seen)
        row.bind(2, process)
        while try row.step() {
            switch row.integer(0) {
            case SharedLog.ended: changes.ended.insert(row.integer(1))
            case SharedLog.refused: changes.refused.insert(row.integer(1))
            case SharedLog.cancel, SharedLog.offer: changes.hasRequests = true
            case SharedLog.leads: changes.otherHasLed = true
            case 0: documents.append(try key(in: row, at: 1))
            case let target: members.append((TargetID(truncatingIfNeeded: target), try key(in: row, at: 1)))
            }
        }
        row.reset()
        for key in documents { changes.documents.append(try CacheRows(source: source, hasBases: true).entry(key).local) }
        for (target, key) in members {
            if try isMember(key, of: target) {
                changes.members[target, default: ([], [])].added.insert(key)
            } else {
                changes.members[target, default: ([], [])].removed.insert(key)
            }
        }
        let states = try source.statement("SELECT target, current, code, text FROM target_states WHERE sequence > ?1")
        defer { states.reset() }
        states.bind(1, seen)
        while try states.step() {
            changes.states[TargetID(truncatingIfNeeded: states.integer(0))] = TargetState(
                isCurrent: states.integer(1) != 0,
                error: states.isNull(2) ? nil : FirestoreError(storedCode: states.integer(2), text: states.blob(3)))
        }
        return changes
    }

    private func isMember(_ key: DocumentKey, of target: TargetID) throws(FirestoreError) -> Bool {
        guard let collection = try source.number(of: key.collection) else { return false }
        let row = try source.statement("SELECT 1 FROM target_documents WHERE target = ?1 AND collection = ?2 AND id = ?3")
        let id = key.encodedID
        defer {
            row.reset()
            withExtendedLifetime(id) {}
        }
        row.bind(1, Int64(target))
        row.bind(2, collection)
        row.bind(3, id.buffer)
        return try row.step()
    }
}

extension SharedLog {
    /// In the place of a target: a batch has left the queue.
    static let ended: Int64 = -1
    /// The leader is asked to cancel a batch.
    static let cancel: Int64 = -2
    /// The leader does not cancel a batch, because it was sent.
    static let refused: Int64 = -3
    /// The process leads from now on.
    static let leads: Int64 = -4
    /// The leader is offered the result of a query that a bundle contains.
    static let offer: Int64 = -5
    /// Transactions of which the log is kept.
    fileprivate static let length: Int64 = 20_000
}

extension CacheTransaction {
    // MARK: The log

    /// The local view of a document changes.
    func log(_ place: DocumentPlace) throws(FirestoreError) { try log(0, place.collection, place.id) }

    /// A document enters or leaves the key set of a target.
    func log(_ key: DocumentKey, in target: TargetID) throws(FirestoreError) {
        guard let collection = try sql.number(of: key.collection) else { return }
        try log(Int64(target), collection, key.encodedID)
    }

    func log(end batch: BatchID) throws(FirestoreError) { try log(SharedLog.ended, batch, .empty) }

    func log(_ target: Int64, _ collection: Int64, _ id: ByteSlice) throws(FirestoreError) {
        guard let process, log != nil else { return }
        log?.hasNews = true
        let row = try sql.statement("INSERT OR IGNORE INTO shared_changes VALUES(?1, ?2, ?3, ?4, ?5)")
        defer { withExtendedLifetime(id) {} }
        row.bind(1, meta.sequence)
        row.bind(2, target)
        row.bind(3, collection)
        if id.buffer.isEmpty { row.bind(4, copying: [0]) } else { row.bind(4, id.buffer) }
        row.bind(5, process)
        try row.run()
    }

    /// Forgets old changes, now and then.
    func trimLog() throws(FirestoreError) {
        guard log != nil, meta.sequence % 256 == 0, meta.sequence > SharedLog.length else { return }
        meta.logFloor = max(meta.logFloor, meta.sequence - SharedLog.length)
        let row = try sql.statement("DELETE FROM shared_changes WHERE sequence <= ?1")
        row.bind(1, meta.logFloor)
        try row.run()
        let answers = try sql.statement("DELETE FROM batch_answers WHERE id < ?1")
        answers.bind(1, meta.highestBatch - SharedLog.length)
        try answers.run()
    }

    // MARK: Targets

    func want(_ id: TargetID, _ isRemote: Bool) throws(FirestoreError) {
        guard let process else { return }
        let row = try sql.statement(
            """
            INSERT INTO wanted_targets VALUES(?1, ?2, ?3)
            ON CONFLICT(process, target) DO UPDATE SET is_remote = max(is_remote, excluded.is_remote)
            """)
        row.bind(1, process)
        row.bind(2, Int64(id))
        row.bind(3, isRemote ? 1 : 0)
        try row.run()
        let error = try sql.statement(
            "UPDATE target_states SET code = NULL, text = NULL, current = 0 WHERE target = ?1 AND code IS NOT NULL")
        error.bind(1, Int64(id))
        try error.run()
        log?.hasNews = true
    }

    /// A follower does not use a target any more. Its tokens are the leader's to store.
    func unwant(_ id: TargetID) throws(FirestoreError) {
        let row = try sql.statement("DELETE FROM wanted_targets WHERE process = ?1 AND target = ?2")
        row.bind(1, process ?? 0)
        row.bind(2, Int64(id))
        try row.run()
        let use = try sql.statement("UPDATE targets SET sequence = ?2 WHERE id = ?1")
        use.bind(1, Int64(id))
        use.bind(2, meta.sequence)
        try use.run()
        log?.hasNews = true
    }

    func logStates(_ event: RemoteEvent) throws(FirestoreError) {
        for (id, delta) in event.targetChanges where event.mismatchedTargets[id] == nil {
            try setState(TargetState(isCurrent: delta.isCurrent), of: id)
        }
        for id in event.mismatchedTargets.keys { try setState(TargetState(isCurrent: false), of: id) }
    }

    func setState(_ state: TargetState, of id: TargetID) throws(FirestoreError) {
        let row = try sql.statement("INSERT OR REPLACE INTO target_states VALUES(?1, ?2, ?3, ?4, ?5)")
        row.bind(1, Int64(id))
        row.bind(2, meta.sequence)
        row.bind(3, state.isCurrent ? 1 : 0)
        if let error = state.error {
            row.bind(4, Int64(error.code.rawValue))
            row.bind(5, copying: [UInt8](error.message.utf8))
        } else {
            row.bindNull(4)
            row.bindNull(5)
        }
        try row.run()
        log?.hasNews = true
    }

    // MARK: Answers

    /// For the process that made the call.
    func keepAnswer(_ id: BatchID, _ commitTime: DocumentVersion, _ results: [WriteResult]) throws(FirestoreError) {
        let row = try sql.statement("INSERT OR REPLACE INTO batch_answers VALUES(?1, ?2)")
        row.bind(1, id)
        row.bind(2, copying: WriteResponse(streamID: "", streamToken: .empty, results: results, commitTime: commitTime).encoded())
        try row.run()
    }
}
