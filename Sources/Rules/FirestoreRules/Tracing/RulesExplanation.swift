// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Why a request was granted or denied: the statements that were consulted, and the values of their expressions.
package struct RulesExplanation: Sendable, CustomStringConvertible {
    package struct Statement: Sendable {
        /// Where the condition begins, or the statement if it has none.
        package let position: SourcePosition
        /// The path of the match, with those around it.
        package let matchPath: String
        package let isGranted: Bool
        /// `true`, `false`, or why the condition has no value.
        package let outcome: String
        package let values: [Value]
    }

    /// An expression and its result.
    package struct Value: Sendable {
        package let position: SourcePosition
        package let expression: String
        /// JSON, or why there is no value.
        package let result: String
    }

    package let isGranted: Bool
    /// The operation that decided: `update cities/SF`.
    package let operation: String
    package let statements: [Statement]
    /// Why no statement was consulted.
    package var reason = "No match statement with an allow statement for this method covers the path."
    /// The user that the request came from; nil if no user is signed in.
    package var user: String?

    /// A line per statement and per value.
    package var description: String {
        var lines = ["\(operation): \(isGranted ? "granted" : "denied")."]
        if statements.isEmpty { lines.append("  \(reason)") }
        for statement in statements {
            lines.append("  \(statement.position) match \(statement.matchPath): \(statement.outcome)")
            for value in statement.values { lines.append("    \(value.position) \(value.expression) = \(value.result)") }
        }
        return lines.joined(separator: "\n")
    }

    /// One line: `get cities/SF: denied. L7:22 false, L9:22 Null value error.`
    package var summary: String {
        let outcomes = statements.map { "\($0.position) \($0.outcome)" }
        let none = isGranted ? reason : "No matching allow statements"
        let reasons = outcomes.isEmpty ? none : outcomes.joined(separator: ", ")
        return "\(operation): \(isGranted ? "granted" : "denied"). \(reasons)"
    }
}

extension RulesTrace {
    private static let shownValues = 40
    private static let shownText = 120

    /// The operation that decided, which is the last one.
    package var explanation: RulesExplanation {
        guard let operation = operations.last else { return unasked }
        let facts = operation.facts
        let name = "\(facts.method.rawValue) \(facts.path.isEmpty ? "documents" : facts.path)"
        return RulesExplanation(
            isGranted: decision.isGranted, operation: name, statements: operation.statements.map(explained), user: facts.user)
    }

    /// The explanation of a request that no rule was asked about.
    private var unasked: RulesExplanation {
        var explanation = RulesExplanation(isGranted: decision.isGranted, operation: request.operation.summary, statements: [])
        explanation.reason = "The request names no document, so that no rule applies to it."
        if case .pipeline(let reads) = request.operation, reads.writes {
            explanation.reason = "Pipelines that change documents are for administrators; write the documents in a commit."
        }
        switch request.caller {
        case .administrator: explanation.reason = "Rules do not apply to administrators."
        case .user(let id, _): explanation.user = id
        case .anonymous: break
        }
        return explanation
    }

    /// The values of `request` and `resource` in the operation that decided. Long values are cut.
    package var facts: (request: JSON, resource: JSON)? {
        guard let facts = operations.last?.facts else { return nil }
        return (RulesValue.map(.request(facts)).json, facts.resource.json)
    }

    private func explained(_ statement: TraceRecorder.Statement) -> RulesExplanation.Statement {
        let isGranted = if case .granted = statement.outcome { true } else { false }
        return RulesExplanation.Statement(
            position: ruleSet.source.position(of: statement.statement.range), matchPath: statement.statement.matchPath,
            isGranted: isGranted, outcome: statement.outcome.message, values: values(statement))
    }

    private func values(_ statement: TraceRecorder.Statement) -> [RulesExplanation.Value] {
        var shown: Set<String> = []
        var values: [RulesExplanation.Value] = []
        for step in statement.steps where isTelling(step) && step.node != statement.statement.condition {
            let range = ruleSet.rules.program.ranges[step.node]
            let value = RulesExplanation.Value(
                position: ruleSet.source.position(of: range), expression: excerpt(range), result: step.result.text)
            // A function that is called twice with the same arguments says the same twice.
            guard shown.insert("\(step.node) \(value.result)").inserted else { continue }
            values.append(value)
            if values.count == Self.shownValues { break }
        }
        return values
    }

    /// Literals show their own values; whole requests, documents and tokens are too long.
    private func isTelling(_ step: TraceRecorder.Step) -> Bool {
        switch ruleSet.rules.program.nodes[step.node] {
        case .constant, .boolean, .integer, .null, .request: return false
        default: break
        }
        guard case .value(.map(let map)) = step.result else { return true }
        switch map {
        case .request, .auth, .claims, .document, .query, .open: return false
        default: return true
        }
    }

    private func excerpt(_ range: SourceRange) -> String {
        let text = ruleSet.source.excerpt(range).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return text.count > Self.shownText ? String(text.prefix(Self.shownText)) + "…" : text
    }
}

extension TraceRecorder.Result {
    fileprivate var text: String {
        switch self {
        case .value(let value): value.json.text()
        case .failure(let failure): failure.message
        case .interrupted: "not evaluated to the end"
        }
    }
}
