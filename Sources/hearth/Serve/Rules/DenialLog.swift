// SPDX-License-Identifier: Apache-2.0
#if Remote
import Dispatch
import FirestoreCore
import FirestoreRules
import Logging

/// Writes why requests were denied, which clients are not told in production. Without values of fields.
final class DenialLog: Sendable {
    /// Reasons that wait to be written; more are counted only. A log that nobody reads must not stop the server.
    private static let maximumWaiting = 100

    private let log: Logger
    private let waiting = Mutex((count: 0, dropped: 0))
    private let queue = DispatchQueue(label: "hearth.denials")

    init(_ log: Logger) { self.log = log }

    /// Called on the threads that judge, so it must not wait for the log.
    func note(_ explanation: RulesExplanation) {
        let isAccepted = waiting.withLock { waiting in
            guard waiting.count < Self.maximumWaiting else {
                waiting.dropped += 1
                return false
            }
            waiting.count += 1
            return true
        }
        guard isAccepted else { return }
        queue.async { [self] in
            log.info("request denied by rules", metadata: ["reason": "\(explanation.summary)"])
            let dropped = waiting.withLock { waiting in
                waiting.count -= 1
                defer { waiting.dropped = 0 }
                return waiting.dropped
            }
            if dropped > 0 { log.info("more requests were denied by rules", metadata: ["count": "\(dropped)"]) }
        }
    }
}
#endif
