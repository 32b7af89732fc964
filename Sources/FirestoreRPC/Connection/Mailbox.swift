// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore

/// What other threads want a connection to do, collected so that any number of answers costs its loop one wake-up.
final class Mailbox<Post: Sendable>: Sendable {
    struct State {
        var posts: [Post] = []
        /// The loop will look into the box without being told to.
        var isAwake = false
    }

    /// Also guards the small states of the connection's calls, which change together with a post.
    let state = Mutex(State())
    let eventLoop: any EventLoop

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Puts a post in if `admit` says so, under the lock; then wakes the loop, if nobody has, to run `wake`.
    func post(
        _ post: @autoclosure () -> Post, if admit: () -> Bool = { true }, wake: @autoclosure () -> @Sendable () -> Void
    ) {
        let mustWake = state.withLock { state in
            guard admit() else { return false }
            state.posts.append(post())
            defer { state.isAwake = true }
            return !state.isAwake
        }
        if mustWake { eventLoop.execute(wake()) }
    }

    /// The loop is at work and will empty the box at the end of its turn.
    func stayAwake() { state.withLock { $0.isAwake = true } }

    /// Everything in the box; nil, and asleep, if there is nothing.
    func takeAll(into posts: inout [Post]) -> Bool {
        posts.removeAll(keepingCapacity: true)
        return state.withLock { state in
            guard !state.posts.isEmpty else {
                state.isAwake = false
                return false
            }
            swap(&state.posts, &posts)
            return true
        }
    }
}
