// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

extension LocalStore {
    /// Follows the authority into a history, which its tokens name. Returns whether the cache had followed another one, because the
    /// authority's database was exchanged for a copy.
    ///
    /// Then what is cached may be newer than anything that the authority will say, and would win against it. So all versions become the
    /// earliest one, and all targets begin anew. Documents stay visible until the authority reports them, and pending writes stay in the
    /// queue.
    ///
    /// - Parameter isContinued: Whether another run of the same history has everything that the cache knows.
    func follow(_ next: FollowedHistory, isContinued: Bool = true) throws(FirestoreError) -> Bool {
        guard followed != next else { return false }
        let hasChanged = try perform(.followHistory) { (cache) throws(FirestoreError) in
            let followed = try cache.followedHistory()
            if followed == next { return false }
            try cache.setFollowedHistory(next)
            // Earlier versions of Hearth did not note it.
            guard let followed else { return false }
            if followed.history == next.history, isContinued || followed.run == nil || next.run == nil { return false }
            try cache.forgetVersions()
            for id in active.keys {
                active[id]?.newest.forgetState()
                active[id]?.stored.forgetState()
            }
            return true
        }
        followed = next
        return hasChanged
    }

    /// The history of the authority's database that its last tokens named; nil before the first.
    var followedHistory: UInt32? { followed?.history }
}

extension TargetData {
    /// Nothing is known any more of what the authority has in the target.
    mutating func forgetState() {
        resumeToken = .empty
        snapshotVersion = .none
        lastLimboFreeSnapshotVersion = .none
    }
}

extension CacheTransaction {
    private static let historyFact = "history"

    fileprivate func followedHistory() throws(FirestoreError) -> FollowedHistory? {
        try sql.fact(Self.historyFact).flatMap { FollowedHistory(stored: $0.array) }
    }

    fileprivate func setFollowedHistory(_ followed: FollowedHistory) throws(FirestoreError) {
        try sql.setFact(Self.historyFact, ByteSlice(followed.stored))
    }

    fileprivate func forgetVersions() throws(FirestoreError) {
        for statement in [
            "UPDATE documents SET create_time = min(create_time, 1), update_time = min(update_time, 1)",
            "UPDATE bases SET version = min(version, 1), create_time = min(create_time, 1), read_time = min(read_time, 1)",
            "UPDATE targets SET token = zeroblob(0), version = 0, limbo_free = 0",
        ] { try sql.statement(statement).run() }
        meta.snapshotVersion = .none
    }
}
