// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// How often the expressions of a ruleset were evaluated, and their results.
package final class RulesCoverage: Sendable {
    /// Values that are recorded separately for one expression; of the others only the number is known.
    private static let keptValues = 20

    struct Count: Sendable {
        var total = 0
        var granted = 0
        /// The results of the expression, as the emulator writes them, in the order of their first occurrence.
        var values: [(text: String, value: JSON, count: Int)] = []
        var otherValues = 0
        var isTrue = 0
        var isFalse = 0
    }

    struct Counts: Sendable {
        var nodes: [NodeID: Count] = [:]
        /// By the offset of the statement.
        var statements: [Int: Count] = [:]
    }

    package let ruleSet: RuleSet
    private let counts = Mutex(Counts())

    package init(_ ruleSet: RuleSet) { self.ruleSet = ruleSet }

    /// Adds the evaluations for a decision by the same ruleset.
    package func add(_ trace: RulesTrace) {
        counts.withLock { counts in
            for statement in trace.operations.flatMap(\.statements) {
                let isGranted = if case .granted = statement.outcome { true } else { false }
                counts.statements[statement.statement.range.start, default: Count()].total += 1
                if isGranted { counts.statements[statement.statement.range.start, default: Count()].granted += 1 }
                for step in statement.steps { Self.add(step, to: &counts.nodes[step.node, default: Count()], in: ruleSet) }
            }
        }
    }

    private static func add(_ step: TraceRecorder.Step, to count: inout Count, in ruleSet: RuleSet) {
        count.total += 1
        if case .value(.bool(let value)) = step.result {
            if value { count.isTrue += 1 } else { count.isFalse += 1 }
        }
        let value = step.result.coverageJSON(ruleSet.source.position(of: ruleSet.rules.program.ranges[step.node]))
        let text = value.text()
        if let known = count.values.firstIndex(where: { $0.text == text }) {
            count.values[known].count += 1
        } else if count.values.count < keptValues {
            count.values.append((text, value, 1))
        } else {
            count.otherValues += 1
        }
    }

    var current: Counts { counts.withLock { $0 } }
}
