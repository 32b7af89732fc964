// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import Foundation

    /// State with a lock. Like the `Mutex` of the modules that know Firestore, it uses a lock that the thread sanitizer sees.
    ///
    /// `@unchecked Sendable`: the state is reached through `withLock` only, under the lock. The objects in it that are not `Sendable` are
    /// connections, which are used by the thread that has taken them out.
    final class Guarded<State>: @unchecked Sendable {
        private let lock = NSLock()
        private var state: State

        init(_ state: State) { self.state = state }

        /// Runs `body` with the lock held. Not recursive.
        func withLock<R>(_ body: (inout State) -> R) -> R {
            lock.lock()
            defer { lock.unlock() }
            return body(&state)
        }
    }
#endif
