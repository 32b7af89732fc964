// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules

/// The latest decisions of the rules of one database.
final class DecisionLog: Sendable {
    private struct State {
        var decisions: [RulesTrace] = []
        var count = 0
    }

    /// The number of decisions that a message can show.
    private static let kept = 8

    private let state = Mutex(State())

    /// How many decisions were made.
    var count: Int { state.withLock { $0.count } }

    func add(_ decision: RulesTrace) {
        state.withLock { state in
            state.count += 1
            state.decisions.append(decision)
            if state.decisions.count > Self.kept { state.decisions.removeFirst() }
        }
    }

    /// The decisions after the first `count`, as far as they are stored.
    func decisions(after count: Int) -> [RulesExplanation] {
        state.withLock { Array($0.decisions.suffix($0.count - count)) }.map(\.explanation)
    }
}

/// A test's expectation about the operations that it starts: records which databases they ask.
final class Expectation: Sendable {
    @TaskLocal static var current: Expectation?

    private let asked = Mutex<[(log: DecisionLog, count: Int)]>([])

    /// An operation of a database begins.
    func note(_ log: DecisionLog) {
        asked.withLock { asked in
            if !asked.contains(where: { $0.log === log }) { asked.append((log, log.count)) }
        }
    }

    /// The decisions of the rules of these databases since then.
    var decisions: [RulesExplanation] {
        asked.withLock { $0 }.flatMap { $0.log.decisions(after: $0.count) }
    }
}
