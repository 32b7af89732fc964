// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreRules
import Logging

/// Logs why requests were denied, on a separate thread: requests are judged on threads that must not wait for a slow reader of the log.
///
/// Denials that come while too many wait to be written are only counted, and the count is logged.
final class DenialLog: Sendable {
    private struct Denial: Sendable {
        let database: DatabaseID
        let explanation: RulesExplanation
    }

    private struct State {
        var waiting: [Denial] = []
        var dropped = 0
        /// Whether a turn of the queue will take what waits.
        var isScheduled = false
    }

    private let log: Logger
    private let capacity: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "hearth.rules.denials", qos: .utility)

    /// - Parameter capacity: The number of denials that wait at most.
    init(_ log: Logger, capacity: Int = 1_000) {
        self.log = log
        self.capacity = capacity
    }

    /// Takes a denial to be logged soon. Does not wait.
    func note(_ explanation: RulesExplanation, in database: DatabaseID) {
        let schedules = state.withLock { state in
            if state.waiting.count < capacity {
                state.waiting.append(Denial(database: database, explanation: explanation))
            } else {
                state.dropped += 1
            }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if schedules { queue.async { self.writeWaiting() } }
    }

    /// Returns when the denials noted before are logged.
    func finish() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async { continuation.resume() }
        }
    }

    private func writeWaiting() {
        let (denials, dropped) = state.withLock { state in
            defer { state = State() }
            return (state.waiting, state.dropped)
        }
        for denial in denials {
            var metadata = denial.database.metadata
            metadata["reason"] = "\(denial.explanation.summary)"
            metadata["user"] = denial.explanation.user.map { "\($0)" }
            log.notice("denied by rules", metadata: metadata)
        }
        if dropped > 0 {
            log.notice("more requests were denied by rules than the log takes", metadata: ["unlogged": "\(dropped)"])
        }
    }
}
