// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore

/// The requests of other threads to a connection, collected so that any number of answers costs its loop one wake-up.
final class Mailbox<Post: Sendable>: Sendable {
    struct State {
        var posts: [Post] = []
        /// Whether the loop will check the mailbox without a wake-up.
        var isAwake = false
    }

    /// Also guards the small states of the connection's calls that change together with a post.
    let state = Mutex(State())
    let eventLoop: any EventLoop

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Adds a post if `admit` allows it, under the lock; then, unless already done, wakes the loop to run `wake`.
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

    /// The loop is running and will empty the mailbox at the end of its turn.
    func stayAwake() { state.withLock { $0.isAwake = true } }

    /// Takes all posts. Returns false if there are none; the loop then needs a wake-up.
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
