// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A line in front of each document: calls that read, change and write it take turns, in the order of their arrival.
///
/// Without it the calls of one process would make each other fail: of twenty that read simultaneously, one commits and nineteen start
/// again. With it, only writes of other processes are conflicts. A turn is not a lock: the condition of the write decides.
final class DocumentLines: Sendable {
    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        /// The calls that wait behind the one whose turn it is; a document without a call has no entry.
        var lines: [DocumentKey: [Waiter]] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// Waits for the turn. Throws `cancelled` if the task is canceled before it comes. Each turn needs a call of `leave`.
    nonisolated(nonsending) func enter(_ key: DocumentKey) async throws(FirestoreError) {
        if Task.isCancelled { throw Self.canceled(key) }
        let number: Int? = state.withLock { state in
            guard state.lines[key] != nil else {
                state.lines[key] = []
                return nil
            }
            state.lastNumber += 1
            return state.lastNumber
        }
        guard let number else { return }
        let hasTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                let now: Bool? = state.withLock { state in
                    // A cancellation before this point found no waiter to remove.
                    if Task.isCancelled { return false }
                    if state.lines[key] == nil {
                        state.lines[key] = []
                        return true
                    }
                    state.lines[key]?.append(Waiter(number: number, continuation: continuation))
                    return nil
                }
                if let now { continuation.resume(returning: now) }
            }
        } onCancel: {
            remove(number, from: key)?.resume(returning: false)
        }
        guard hasTurn else { throw Self.canceled(key) }
    }

    private static func canceled(_ key: DocumentKey) -> FirestoreError {
        FirestoreError(.cancelled, "the update was canceled before its turn came", at: key.path)
    }

    /// How many wait for a document, the one whose turn it is not included.
    func waiting(for key: DocumentKey) -> Int { state.withLock { $0.lines[key]?.count ?? 0 } }

    /// Ends the turn; that of the next begins.
    func leave(_ key: DocumentKey) {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard var line = state.lines[key], !line.isEmpty else {
                state.lines[key] = nil
                return nil
            }
            let first = line.removeFirst()
            state.lines[key] = line
            return first.continuation
        }
        next?.resume(returning: true)
    }

    private func remove(_ number: Int, from key: DocumentKey) -> CheckedContinuation<Bool, Never>? {
        state.withLock { state in
            guard let index = state.lines[key]?.firstIndex(where: { $0.number == number }) else { return nil }
            return state.lines[key]?.remove(at: index).continuation
        }
    }
}
