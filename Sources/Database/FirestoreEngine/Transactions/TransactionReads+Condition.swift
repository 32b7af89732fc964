// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension TransactionReads: CommitCondition {
    /// Throws `aborted` unless everything that was read is unchanged before the commit: then the result is the same as if all reads
    /// had been made at the moment of the commit (TX-3, TX-5).
    ///
    /// Costs one lookup per document read, and for queries one step per change in their scope since the snapshot.
    func check(_ commit: any CommitState) throws(FirestoreError) {
        guard let snapshot, snapshot < commit.previousTime else { return }
        for (key, version) in versions where try commit.before(key)?.updateTime ?? .none != version {
            throw Self.conflict(at: key.path)
        }
        for (scope, queries) in Dictionary(grouping: queries, by: \.scope) {
            try commit.changes(since: snapshot, in: scope) { state throws(FirestoreError) in
                // A document that existed has changed, or it would not be in the log; one that did not may be missing again.
                if state.document == nil, state.current == nil { return .next }
                let now = try commit.before(state.key)
                for document in [state.document, now].compactMap(\.self) where queries.contains(where: { $0.concerns(document) }) {
                    throw Self.conflict(at: scope.place)
                }
                return .next
            }
        }
    }

    /// `place` is where conflicting transactions can take turns.
    static func conflict(at place: String) -> FirestoreError {
        FirestoreError(.aborted, "changed since the transaction read it; run the transaction again", at: place)
    }
}
