// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

extension LocalStore {
    /// Follows the authority into a history (`DatabaseHistory.mark`), which its tokens name. Returns whether the cache had followed another
    /// one, because the authority's database was exchanged for a copy.
    ///
    /// Then what is cached may be newer than anything that the authority will say, and would win against it. So all versions become the
    /// earliest one, and all targets begin anew. Documents stay visible until the authority reports them, and pending writes stay in the
    /// queue.
    func follow(history mark: UInt32) throws(FirestoreError) -> Bool {
        guard followedHistory != mark else { return false }
        let hasChanged = try perform(.followHistory) { (cache) throws(FirestoreError) in
            let followed = try cache.followedHistory()
            if followed == mark { return false }
            try cache.setFollowedHistory(mark)
            // Earlier versions of Hearth did not note it.
            guard followed != nil else { return false }
            try cache.forgetVersions()
            for id in active.keys {
                active[id]?.newest.forgetState()
                active[id]?.stored.forgetState()
            }
            return true
        }
        followedHistory = mark
        return hasChanged
    }
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

    fileprivate func followedHistory() throws(FirestoreError) -> UInt32? {
        guard let bytes = try sql.fact(Self.historyFact)?.array, bytes.count == 4 else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    fileprivate func setFollowedHistory(_ mark: UInt32) throws(FirestoreError) {
        try sql.setFact(Self.historyFact, ByteSlice(withUnsafeBytes(of: mark.bigEndian) { [UInt8]($0) }))
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
