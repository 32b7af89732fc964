// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import Dispatch
    import FirestoreCore
    import FirestoreStorage

    /// Admits operations while this node has its lease, until it closes, or until the history that they belong to has ended. Closing waits
    /// for the last one to leave.
    final class StoreGate: Sendable {
        private let membership: NodeMembership

        init(_ membership: NodeMembership) { self.membership = membership }

        private struct State {
            var isClosed = false
            /// Why nothing that was read before may be used any more.
            var end: FirestoreError?
        }

        private let state = Mutex(State())
        private let inside = DispatchGroup()

        var end: FirestoreError? { state.withLock { $0.end } }

        /// Every successful call must be followed by `leave`. Returns what `confirm` asks for.
        @discardableResult
        func enter() throws(FirestoreError) -> Int {
            let lapses = try membership.check()
            let refusal: FirestoreError? = state.withLock { state in
                if let end = state.end { return end }
                if state.isClosed { return .isShutDown }
                inside.enter()
                return nil
            }
            if let refusal { throw refusal }
            return lapses
        }

        func leave() { inside.leave() }

        /// To be called when something was read: a process that was paused in between may have read what it would no longer grant.
        func confirm(_ lapses: Int) throws(FirestoreError) {
            guard try membership.check() == lapses else { throw membership.lost }
        }

        /// Returns false if the history had ended before.
        func endHistory(_ error: FirestoreError) -> Bool {
            state.withLock { state in
                guard state.end == nil else { return false }
                state.end = error
                return true
            }
        }

        func close() {
            state.withLock { $0.isClosed = true }
            inside.wait()
        }
    }
#endif
