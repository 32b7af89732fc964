// SPDX-License-Identifier: Apache-2.0
#if Remote
    import Dispatch
    import FirestoreCore
    import FirestoreRPC

    /// The effects of a network on the calls of its clients.
    final class NetworkConditions: Sendable {
        enum Reach: Sendable {
            case online
            /// Connections end, and new ones fail immediately.
            case offline
            /// Nothing arrives in either direction, and nothing fails.
            case silent
        }

        private struct State {
            var reach = Reach.online
            var latency = Duration.zero
            var answersToLose = 0
            /// Each with the number of commits it is for.
            var rejections: [(status: RPCStatus, count: Int)] = []
            /// By the digests of batches that were rejected once and are asked for again.
            var questioned: [UInt64: RPCStatus] = [:]
            var calls: [ObjectIdentifier: ConditionedCall] = [:]
        }

        /// Waits for the latency.
        let sleep: @Sendable (Duration) async -> Void
        /// Reports ends of calls: never on the thread of the test.
        let queue = DispatchQueue(label: "hearth.testing.network")
        private let state = Mutex(State())

        init(sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }) { self.sleep = sleep }

        // MARK: What the test says

        var reach: Reach { state.withLock { $0.reach } }

        func set(_ reach: Reach) {
            let (before, calls) = state.withLock { state in
                defer { state.reach = reach }
                return (state.reach, Array(state.calls.values))
            }
            guard before != reach else { return }
            switch reach {
            case .offline: for call in calls { call.cut(.offline(.unknown)) }
            case .silent: for call in calls { call.silence() }
            // Connections do not survive silence.
            case .online: for call in calls { call.cut(.interrupted) }
            }
        }

        func interrupt() {
            for call in state.withLock({ Array($0.calls.values) }) { call.cut(.interrupted) }
        }

        var latency: Duration {
            get { state.withLock { $0.latency } }
            set { state.withLock { $0.latency = newValue } }
        }

        func loseAnswers(_ count: Int) {
            state.withLock { state in
                let (sum, isTooMuch) = state.answersToLose.addingReportingOverflow(max(0, count))
                state.answersToLose = isTooMuch ? .max : sum
            }
        }

        func reject(_ status: RPCStatus, count: Int) { state.withLock { $0.rejections.append((status, count)) } }

        func stopFailing() { state.withLock { ($0.answersToLose, $0.rejections, $0.questioned) = (0, [], [:]) } }

        // MARK: What calls ask

        /// The state that a new call begins in. The call is known until it ends.
        func admit(_ call: ConditionedCall) -> Reach {
            state.withLock { state in
                if state.reach != .offline { state.calls[ObjectIdentifier(call)] = call }
                return state.reach
            }
        }

        func ended(_ call: ConditionedCall) { state.withLock { _ = $0.calls.removeValue(forKey: ObjectIdentifier(call)) } }

        var hasRejections: Bool { state.withLock { !$0.rejections.isEmpty || !$0.questioned.isEmpty } }

        /// The rejection of a batch on a Write stream.
        ///
        /// A client that resumes such streams does not believe an error that the server has not announced on the stream, and asks
        /// once more: it gets the same error.
        func rejection(of digest: UInt64) -> RPCStatus? {
            if let repeated = state.withLock({ $0.questioned.removeValue(forKey: digest) }) { return repeated }
            guard let status = rejection() else { return nil }
            state.withLock { $0.questioned[digest] = status }
            return status
        }

        /// Uses up one.
        func rejection() -> RPCStatus? {
            state.withLock { state in
                guard let (status, count) = state.rejections.first else { return nil }
                if count == 1 {
                    state.rejections.removeFirst()
                } else if count < .max {
                    // `Int.max` means always.
                    state.rejections[0].count -= 1
                }
                return status
            }
        }

        /// Uses up one.
        func losesAnswer() -> Bool {
            state.withLock { state in
                guard state.answersToLose > 0 else { return false }
                if state.answersToLose < .max { state.answersToLose -= 1 }
                return true
            }
        }
    }

    extension RPCStatus {
        static func offline(_ progress: FirestoreError.Progress) -> RPCStatus {
            RPCStatus(.unavailable, "the test network is offline", progress: progress)
        }

        static let interrupted = RPCStatus(.unavailable, "the test network has interrupted the connection", progress: .unknown)
    }
#endif
