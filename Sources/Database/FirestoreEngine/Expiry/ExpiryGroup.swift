// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The deletions of one group: each is a commit of its own, so that a document that was changed in the meantime stays and does not stop the
/// others.
final class ExpiryGroup: Sendable {
    struct Outcome {
        var deleted = 0
        /// What is not a conflict with another commit.
        var error: FirestoreError?
    }

    private struct State {
        var left: Int
        var outcome = Outcome()
    }

    private let state: Mutex<State>
    private let done: @Sendable (Outcome) -> Void

    /// - Parameter done: Called when all are deleted or rejected, on the committer's thread.
    init(_ count: Int, done: @escaping @Sendable (Outcome) -> Void) {
        state = Mutex(State(left: count))
        self.done = done
    }

    func commit(deleting document: ExpiryLook.Expired) -> PendingCommit {
        PendingCommit(
            writes: [Write(key: document.key, operation: .delete, precondition: .updateTime(document.updateTime))],
            conditions: [ExpiryCondition(index: document.index)], deadline: nil, rejection: nil
        ) { result in self.finished(result) }
    }

    private func finished(_ result: Result<CommitResponse, FirestoreError>) {
        let outcome = state.withLock { state -> Outcome? in
            switch result {
            case .success: state.outcome.deleted += 1
            case .failure(let error): if !error.isConflict { state.outcome.error = error }
            }
            state.left -= 1
            return state.left == 0 ? state.outcome : nil
        }
        if let outcome { done(outcome) }
    }
}

extension FirestoreError {
    /// Whether another commit came first: the document was changed or deleted, or its policy removed.
    fileprivate var isConflict: Bool { [.failedPrecondition, .notFound, .aborted].contains(code) }
}
