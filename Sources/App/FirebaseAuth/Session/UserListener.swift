// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseCore
import FirestoreCore
import Foundation

/// A listener of the app: of every change of the token, or of changes of the user only.
///
/// It is the handle that removes it, too.
final class UserListener: NSObject, Sendable {
    enum Kind: Sendable {
        case state
        case token
    }

    private struct State {
        /// The user of the last call that was put in line.
        var last: String??
        var isOver = false
    }

    private let kind: Kind
    private let body: UserCallback<User?>
    /// Whether the body is called immediately, because it only enqueues the user.
    private let isDirect: Bool
    private let onEnd: (@Sendable () -> Void)?
    private let state = Mutex(State())

    init(_ kind: Kind, _ body: UserCallback<User?>, isDirect: Bool = false, onEnd: (@Sendable () -> Void)? = nil) {
        self.kind = kind
        self.body = body
        self.isDirect = isDirect
        self.onEnd = onEnd
    }

    /// Called by one thread at a time, in the order of the changes.
    func enqueue(_ user: User?, on queue: DispatchQueue) {
        let uid = user?.uid
        let isNews = state.withLock { state in
            defer { state.last = .some(uid) }
            guard kind == .state, let last = state.last else { return true }
            return last != uid
        }
        guard isNews else { return }
        if isDirect { return body(user) }
        queue.async { [self] in
            if !state.withLock({ $0.isOver }) { body(user) }
        }
    }

    /// No call begins after this on the queue of the callbacks.
    func end() {
        state.withLock { $0.isOver = true }
        onEnd?()
    }
}
