// SPDX-License-Identifier: Apache-2.0

/// Receives the operations and statements that are judged, and the value of every expression that is evaluated.
protocol EvaluationRecorder {
    /// Whether it records anything. If it does not, recording costs nothing.
    static var isRecording: Bool { get }

    /// An operation is judged; a list once per alternative of its filter.
    mutating func begin(_ facts: RequestFacts)
    mutating func begin(_ statement: AllowStatement)
    mutating func end(_ statement: AllowStatement, _ outcome: StatementOutcome)

    mutating func record(_ node: NodeID, _ value: RulesValue)
    mutating func record(_ node: NodeID, _ interruption: Interruption)
}

/// The result of an allow statement.
enum StatementOutcome: Sendable {
    case granted
    case notGranted
    case failed(EvaluationFailure)
    /// The budget of the operation is used up, which ends it.
    case exhausted

    var message: String {
        switch self {
        case .granted: "true"
        case .notGranted: "false"
        case .failed(let failure): failure.message
        case .exhausted:
            "Unable to evaluate the expression as the maximum of \(RulesLimits.evaluations) expressions to evaluate has been reached."
        }
    }
}

/// The recorder of production.
struct NoRecorder: EvaluationRecorder {
    static var isRecording: Bool { false }

    mutating func begin(_ facts: RequestFacts) {}
    mutating func begin(_ statement: AllowStatement) {}
    mutating func end(_ statement: AllowStatement, _ outcome: StatementOutcome) {}
    mutating func record(_ node: NodeID, _ value: RulesValue) {}
    mutating func record(_ node: NodeID, _ interruption: Interruption) {}
}
