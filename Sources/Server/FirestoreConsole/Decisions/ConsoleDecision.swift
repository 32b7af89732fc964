// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules

/// An explained decision, in the form that pages show.
struct ConsoleDecision: Sendable {
    private let explanation: RulesExplanation?
    private let facts: (request: JSON, resource: JSON)?
    private let operation: String

    /// The maximum size of a decision, as JSON.
    static let mostBytes = 16 << 10

    init(_ trace: RulesTrace) {
        let explanation = trace.explanation
        self.explanation = explanation
        facts = trace.facts
        operation = explanation.operation
    }

    /// A request that no rules are asked about.
    init(granted operation: String) {
        explanation = nil
        facts = nil
        self.operation = operation
    }

    var isGranted: Bool { explanation?.isGranted ?? true }

    /// Parts that do not fit are left out: first the request and the document, then values, then statements.
    func json(showsValues: Bool) -> JSON {
        var forms: [JSON] = []
        if showsValues {
            forms.append(json(values: true, facts: true))
            forms.append(json(values: true, facts: false))
        }
        forms.append(json(values: false, facts: false))
        return forms.first { $0.bytes().count <= Self.mostBytes } ?? json(values: false, facts: false, statements: 20)
    }

    private func json(values: Bool, facts: Bool, statements: Int = .max) -> JSON {
        let shown = (explanation?.statements ?? []).prefix(statements).map { Self.json($0, values: values) }
        var members: [(name: String, value: JSON)] = [
            ("granted", .boolean(isGranted)), ("operation", .string(operation)), ("statements", .array(shown)),
        ]
        if facts, let facts = self.facts { members += [("request", facts.request), ("resource", facts.resource)] }
        return .object(members)
    }

    private static func json(_ statement: RulesExplanation.Statement, values: Bool) -> JSON {
        var members: [(name: String, value: JSON)] = [
            ("line", .number(statement.position.line)), ("column", .number(statement.position.column)),
            ("match", .string(statement.matchPath)), ("granted", .boolean(statement.isGranted)), ("outcome", .string(statement.outcome)),
        ]
        if values { members.append(("values", .array(statement.values.map(Self.json)))) }
        return .object(members)
    }

    private static func json(_ value: RulesExplanation.Value) -> JSON {
        .object([
            ("line", .number(value.position.line)), ("column", .number(value.position.column)),
            ("expression", .string(value.expression)), ("result", .string(value.result)),
        ])
    }
}
