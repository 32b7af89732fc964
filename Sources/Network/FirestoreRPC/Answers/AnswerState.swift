// SPDX-License-Identifier: Apache-2.0

/// Whether a call was answered, for all threads: guarded by the lock of the connection's mailbox.
enum AnswerState {
    typealias CancelHook = @Sendable () -> Void

    /// Neither answered nor abandoned. The hook, if there is one, runs when the peer disconnects.
    case open(CancelHook?)
    case answered
    /// The peer has disconnected, or was disconnected, before the end of the answer.
    case abandoned

    /// Whether an answer is still waited for.
    var isOpen: Bool { if case .open = self { true } else { false } }

    /// The answer ends. Returns false if it had ended before: nothing is posted then. One that comes after the peer has gone is posted,
    /// so that the connection knows that the request is no longer being carried out.
    mutating func end() -> Bool {
        if case .answered = self { return false }
        self = .answered
        return true
    }

    /// A hook is set. Returns true if the caller has to run it, because the peer is gone.
    mutating func set(_ hook: @escaping CancelHook) -> Bool {
        switch self {
        case .open: self = .open(hook)
        case .answered: break
        case .abandoned: return true
        }
        return false
    }

    /// The peer is gone. Returns the hook to run after the lock is released.
    mutating func abandon() -> CancelHook? {
        guard case .open(let hook) = self else { return nil }
        self = .abandoned
        return hook
    }
}
