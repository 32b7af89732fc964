// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Lets one operation at a time replace the tokens of a user, in the order of the calls.
///
/// The server revokes the tokens of a user before the answer with the new ones arrives. A refresh between the two would be
/// sent with a revoked token, and its refusal would be taken for the end of the session.
final class TokenLane: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// How many operations wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    func run<Answer: Sendable>(_ body: () async throws(AuthFailure) -> Answer) async throws(AuthFailure) -> Answer {
        await enter()
        defer { leave() }
        return try await body()
    }

    /// Waits until the lane is free.
    func rest() async {
        await enter()
        leave()
    }

    private func enter() async {
        await withCheckedContinuation { continuation in
            let mayEnter = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if mayEnter { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
