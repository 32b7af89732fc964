// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension TransactionReads: CommitCondition {
    /// Throws `aborted` unless everything that was read is the same before the commit: then the commit is as if all its reads
    /// had been made at its own moment (TX-3, TX-5).
    ///
    /// Costs one lookup per document read, and for queries one step per change since the snapshot in their scope.
    func check(_ commit: any CommitState) throws(FirestoreError) {
        guard let snapshot, snapshot < commit.previousTime else { return }
        for (key, version) in versions where try commit.before(key)?.updateTime ?? .none != version {
            throw Self.conflict(at: key.path)
        }
        for (scope, queries) in Dictionary(grouping: queries, by: \.scope) {
            try commit.changes(since: snapshot, in: scope) { state throws(FirestoreError) in
                // One that was there has changed, or it would not be in the log; one that was not may be gone again.
                if state.document == nil, state.current == nil { return .next }
                let now = try commit.before(state.key)
                for document in [state.document, now].compactMap(\.self) where queries.contains(where: { $0.concerns(document) }) {
                    throw Self.conflict(at: scope.place)
                }
                return .next
            }
        }
    }

    /// The place is what transactions that want the same can take turns at.
    static func conflict(at place: String) -> FirestoreError {
        FirestoreError(.aborted, "changed since the transaction read it; run the transaction again", at: place)
    }
}
