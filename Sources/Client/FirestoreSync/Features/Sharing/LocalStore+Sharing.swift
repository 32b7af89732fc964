// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import FirestoreWire

extension LocalStore {
    /// What a shared cache needs; nil if the file belongs to this process alone.
    var membership: CacheMembership? { feature(SharingFeature.self)?.membership }

    /// Whether other processes use the cache, as of the last transaction that found a change.
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
            (snapshot, rows) throws(FirestoreError) -> (meta: CacheMeta, state: SharedState, others: [Int64], changes: ForeignChanges)? in
            guard let meta = try CacheMeta.read(from: snapshot), meta.sequence > seen else { return nil }
            let state = try SharedState.read(from: snapshot)
            return (
                meta, state, try membership.others(in: snapshot),
                try rows.foreignChanges(since: seen, reachingTo: state.logFloor, not: membership.wakeUp.id)
            )
        }
        guard let found else { return nil }
        meta = found.meta
        keptBatches = KeptBatches()
        (membership.state, membership.others) = (found.state, found.others)
        membership.caughtUp = found.meta.sequence
        return found.changes
    }

    /// The outcomes of batches, those that still wait left out.
    func outcomes(of ids: some Sequence<BatchID>) throws(FirestoreError) -> [BatchID: BatchOutcome] {
        try read(.inspectQueue) { (snapshot, _) throws(FirestoreError) in
            var outcomes: [BatchID: BatchOutcome] = [:]
            for id in ids {
                let outcome = try snapshot.first(
                    """
                    SELECT EXISTS(SELECT 1 FROM batches WHERE id = ?1), code, text, answer FROM (SELECT 1)
                    LEFT JOIN failed_batches AS f ON f.id = ?1 LEFT JOIN batch_answers AS a ON a.id = ?1
                    """, id
                ) { (row) throws(FirestoreError) -> BatchOutcome? in
                    if row.integer(0) != 0 { return nil }
                    if !row.isNull(1) { return .failure(FirestoreError(storedCode: row.integer(1), text: row.blob(2))) }
                    let answer = try row.blob(3).map { bytes throws(FirestoreError) in
                        try WriteResponse(decoding: ByteSlice(copying: bytes))
                    }
                    return .success(CommitResponse(commitTime: answer?.commitTime ?? .none, results: answer?.results ?? []))
                }
                if let outcome = outcome ?? nil { outcomes[id] = outcome }
            }
            return outcomes
        }
    }

    // MARK: The leader

    /// The targets that other processes want. What the authority has rejected is left out until it is wanted anew.
    func wantedTargets() throws(FirestoreError) -> [TargetID: (target: SyncTarget, isRemote: Bool)] {
        guard let membership else { return [:] }
        return try read(.targetData) { (snapshot, _) throws(FirestoreError) in
            let wanted = try snapshot.all(
                """
                SELECT w.target, max(w.is_remote), t.canonical FROM wanted_targets AS w JOIN targets AS t ON t.id = w.target
                LEFT JOIN target_states AS s ON s.target = w.target
                WHERE w.process <> ?1 AND s.code IS NULL GROUP BY w.target
                """, membership.wakeUp.id
            ) { (row) throws(FirestoreError) in
                guard let bytes = row.blob(2), case .add(let request) = try ListenRequest(decoding: ByteSlice(copying: bytes)).change
                else { throw snapshot.damaged("a target") }
                return (TargetID(truncatingIfNeeded: row.integer(0)), (target: try request.target.get(), isRemote: row.integer(1) != 0))
            }
            return Dictionary(uniqueKeysWithValues: wanted)
        }
    }

    /// This process leads from now on: what it has in memory of targets is replaced by what the file has.
    /// `current`: what it knows of its targets. Returns false if the cache shows another user by now: nothing has changed.
    func beginToLead(online: OnlineState, current: [TargetID: Bool]) throws(FirestoreError) -> Bool {
        guard let membership else { return false }
        let ids = Array(active.keys)
        let stored = try perform(.targetData) { (cache) throws(FirestoreError) -> [TargetID: TargetData]? in
            guard cache.meta.user == ownUser else { return nil }
            try cache.sql.run("DELETE FROM wanted_targets WHERE process = ?1", membership.wakeUp.id)
            // What the previous leader reported of targets that are no longer in use.
            try cache.sql.statement("UPDATE target_states SET current = 0 WHERE code IS NULL").run()
            (membership.next.online, membership.next.cannotWrite) = (online, false)
            try membership.log(SharedLog.leads, 0, .empty, in: cache)
            for (id, isCurrent) in current { try membership.setState(TargetState(isCurrent: isCurrent), of: id, in: cache) }
            membership.hasNews = true
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
        let (ids, membership) = (Array(active.keys), membership)
        try perform(.targetData) { (cache) throws(FirestoreError) in
            for id in ids { try membership?.want(id, remote.contains(id), in: cache) }
        }
    }

    /// Records that the leader's online state has changed, or whether its writes do not reach the authority.
    func setOnlineState(_ online: OnlineState, cannotWrite: Bool = false) throws(FirestoreError) {
        guard let membership, hasOthers, membership.state.online != online || membership.state.cannotWrite != cannotWrite else { return }
        try perform(.targetData) { (cache) throws(FirestoreError) in
            (membership.next.online, membership.next.cannotWrite) = (online, cannotWrite)
            if online == .offline { try cache.sql.statement("UPDATE target_states SET current = 0").run() }
            membership.hasNews = true
        }
    }

    /// Records what the leader knows of targets apart from remote events.
    func setTargetStates(_ states: [TargetID: TargetState], online: OnlineState) throws(FirestoreError) {
        guard let membership, hasOthers else { return }
        try perform(.targetData) { (cache) throws(FirestoreError) in
            membership.next.online = online
            for (id, state) in states { try membership.setState(state, of: id, in: cache) }
            membership.hasNews = true
        }
    }

    // MARK: Followers

    /// The online state of the leader.
    var leaderOnlineState: OnlineState { membership?.state.online ?? .unknown }

    /// Whether neither reads nor writes of the leader reach the authority.
    var leaderIsOffline: Bool { leaderOnlineState == .offline || (leaderOnlineState == .unknown && membership?.state.cannotWrite == true) }

    /// Whether the leader has the authority's result for a target. Always false in the leader.
    func isCurrentAtLeader(_ id: TargetID) throws(FirestoreError) -> Bool {
        guard isFollower, leaderOnlineState != .offline else { return false }
        return try read(.targetData) { (snapshot, _) throws(FirestoreError) in
            try snapshot.exists("SELECT 1 FROM target_states WHERE target = ?1 AND current <> 0", id)
        }
    }

    // MARK: Membership

    /// Removes what processes have left behind that ended without leaving.
    func sweep() throws(FirestoreError) {
        guard let membership, membership.others.contains(where: { !membership.folder.isAlive($0) }) else { return }
        try perform(.targetData) { (cache) throws(FirestoreError) in
            try membership.sweep(in: cache.sql)
            membership.hasNews = true
        }
    }

    func leave() {
        guard let membership, !membership.hasLeft else { return }
        // What cannot be removed now is removed by the others, once they find that this process has ended.
        _ = try? transact { (cache) throws(FirestoreError) in
            try membership.leave(in: cache.sql)
            membership.hasNews = true
        }
    }
}
