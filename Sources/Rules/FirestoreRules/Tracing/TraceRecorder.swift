// SPDX-License-Identifier: Apache-2.0

/// Records the judged operations and statements and every value, for explanations and coverage.
struct TraceRecorder: EvaluationRecorder {
    static var isRecording: Bool { true }

    /// One operation of a request; a list has one per alternative of its filter.
    struct Operation: Sendable {
        let facts: RequestFacts
        var statements: [Statement] = []
    }

    struct Statement: Sendable {
        let statement: AllowStatement
        var outcome = StatementOutcome.notGranted
        var steps: [Step] = []
    }

    /// The evaluation of one expression.
    struct Step: Sendable {
        let node: NodeID
        let result: Result
    }

    enum Result: Sendable {
        case value(RulesValue)
        case failure(EvaluationFailure)
        /// The evaluation ended there.
        case interrupted
    }

    private(set) var operations: [Operation] = []

    mutating func begin(_ facts: RequestFacts) { operations.append(Operation(facts: facts)) }

    mutating func begin(_ statement: AllowStatement) {
        change { $0.statements.append(Statement(statement: statement)) }
    }

    mutating func end(_ statement: AllowStatement, _ outcome: StatementOutcome) {
        change { $0.statements[$0.statements.count - 1].outcome = outcome }
    }

    mutating func record(_ node: NodeID, _ value: RulesValue) { append(Step(node: node, result: .value(value))) }

    mutating func record(_ node: NodeID, _ interruption: Interruption) {
        if case .failure(let failure) = interruption {
            append(Step(node: node, result: .failure(failure)))
        } else {
            append(Step(node: node, result: .interrupted))
        }
    }

    private mutating func append(_ step: Step) {
        change { $0.statements[$0.statements.count - 1].steps.append(step) }
    }

    private mutating func change(_ body: (inout Operation) -> Void) {
        guard !operations.isEmpty else { return }
        body(&operations[operations.count - 1])
    }
}
