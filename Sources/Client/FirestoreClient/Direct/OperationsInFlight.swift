// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Counts operations in flight, and resumes waiters when the operations before them have finished (LO-11).
package final class OperationsInFlight: Sendable {
    private struct State {
        var next = 0
        var outstanding: Set<Int> = []
        var waiters: [(before: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Registers an operation; pass the ticket to `finished`.
    package func issued() -> Int {
        state.withLock { state in
            state.outstanding.insert(state.next)
            defer { state.next += 1 }
            return state.next
        }
    }

    package func finished(_ ticket: Int) {
        let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.outstanding.remove(ticket)
            guard !state.waiters.isEmpty else { return [] }
            let oldest = state.outstanding.min() ?? Int.max
            let ready = state.waiters.filter { $0.before <= oldest }.map(\.continuation)
            state.waiters.removeAll { $0.before <= oldest }
            return ready
        }
        for continuation in ready { continuation.resume() }
    }

    /// Returns when every operation that was registered before the call has finished.
    package func wait() async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard !state.outstanding.isEmpty else { return true }
                state.waiters.append((state.next, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}
