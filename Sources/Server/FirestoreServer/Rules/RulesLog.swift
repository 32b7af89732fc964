// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreRules
import Logging

/// Logs messages of rules, on a separate thread: requests are judged on threads that must not wait for a slow reader of the log.
///
/// While too many messages wait to be written, further ones are only counted, and the count is logged.
final class RulesLog: Sendable {
    private enum Entry: Sendable {
        /// Why a request was denied.
        case denial(RulesExplanation)
        /// The arguments of `debug`.
        case debugged(JSON, at: SourcePosition)
    }

    /// More of a value that `debug` was given is left out.
    private static let longestDebugged = 4_096

    private struct State {
        var waiting: [(database: DatabaseID, entry: Entry)] = []
        var dropped = 0
        /// Whether a turn of the queue will take what waits.
        var isScheduled = false
    }

    private let log: Logger
    private let capacity: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "hearth.rules.log", qos: .utility)

    /// - Parameter capacity: The number of entries that wait at most.
    init(_ log: Logger, capacity: Int = 1_000) {
        self.log = log
        self.capacity = capacity
    }

    /// Takes a denial to be logged soon. Does not wait.
    func note(_ explanation: RulesExplanation, in database: DatabaseID) { note(.denial(explanation), database) }

    /// Takes what `debug` was given to be logged soon. Does not wait.
    func note(_ value: JSON, at position: SourcePosition, in database: DatabaseID) {
        note(.debugged(value, at: position), database)
    }

    private func note(_ entry: Entry, _ database: DatabaseID) {
        let schedules = state.withLock { state in
            if state.waiting.count < capacity {
                state.waiting.append((database, entry))
            } else {
                state.dropped += 1
            }
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if schedules { queue.async { self.writeWaiting() } }
    }

    /// Returns when all earlier messages are logged.
    func finish() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async { continuation.resume() }
        }
    }

    private func writeWaiting() {
        let (waiting, dropped) = state.withLock { state in
            defer { state = State() }
            return (state.waiting, state.dropped)
        }
        for (database, entry) in waiting {
            var metadata = database.metadata
            switch entry {
            case .denial(let explanation):
                metadata["reason"] = "\(explanation.summary)"
                metadata["user"] = explanation.user.map { "\($0)" }
                log.notice("denied by rules", metadata: metadata)
            case .debugged(let value, let position):
                metadata["at"] = "\(position)"
                metadata["value"] = "\(value.text().prefix(Self.longestDebugged))"
                log.notice("debug", metadata: metadata)
            }
        }
        if dropped > 0 {
            log.notice("rules had more to say than the log takes", metadata: ["unlogged": "\(dropped)"])
        }
    }
}
