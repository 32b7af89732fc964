// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

/// Whether the history of a shared database was cut behind what this process has seen, and what to do then.
final class EndOfHistory: Sendable {
    private struct State {
        var hasEnded = false
        var body: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// What calls fail with that come after the end of an engine: they can be tried again if it has ended by itself.
    var closedError: FirestoreError { hasEnded ? .isReopened : .isShutDown }

    /// Calls `body` when it happens, or now if it has. One caller.
    func whenEnded(_ body: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            state.body = body
            return state.hasEnded
        }
        if hasEnded { body() }
    }

    /// Notes the end without a call of `body`: for an end that the owner of the engine has decided.
    func settle() {
        state.withLock { state in
            state.hasEnded = true
            state.body = nil
        }
    }

    func signal() {
        let body = state.withLock { state in
            defer { state.hasEnded = true }
            return state.hasEnded ? nil : state.body
        }
        body?()
    }
}
