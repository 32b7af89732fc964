import FirestoreCore
import FirestoreStorage

extension TransactionReads {
    /// Throws `aborted` unless everything that was read is the same now, inside the transaction that is about to
    /// write: then the commit is as if all its reads had been made at its own moment (TX-3, TX-5).
    ///
    /// `last` is the time of the last commit, those that share the transaction included. Costs one lookup per document
    /// read, and for queries one step per change since the snapshot in their scope.
    func validate(in transaction: WriteTransaction, last: DocumentVersion) throws(FirestoreError) {
        guard let snapshot, snapshot < last else { return }
        for (key, version) in versions where try transaction.document(key)?.updateTime ?? .none != version {
            throw Self.conflict(at: key.path)
        }
        guard !queries.isEmpty else { return }
        guard try transaction.logFloor().microseconds <= snapshot.microseconds + 1 else {
            throw FirestoreError(.aborted, "the transaction is older than the change log; run it again from the start")
        }
        for (scope, queries) in Dictionary(grouping: queries, by: \.scope) {
            try transaction.states(at: snapshot, in: scope) { state throws(FirestoreError) in
                // One that was there has changed, or it would not be in the log; one that was not may be gone again.
                if state.document == nil, state.currentRow == nil { return .next }
                let now = try transaction.document(state.key)
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
