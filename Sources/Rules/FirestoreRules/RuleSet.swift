// SPDX-License-Identifier: Apache-2.0

/// The security rules of a database, compiled. A class, because every request is handed them.
package final class RuleSet: Sendable {
    package let source: RulesSource
    /// Warnings, and in `checked` errors, in the order of their places.
    package let issues: [RulesIssue]
    let rules: CompiledRules
    /// Whether an answer can depend on the time. Asking for it is a large part of a judgement.
    package let mayReadTime: Bool

    /// The version of the language: 1 or 2.
    package var version: Int { rules.version }

    /// The beginning of the text's SHA-256, by which logs name a ruleset.
    package var hash: String {
        ValueText.hexadecimal(source.digest.prefix(6)).lowercased()
    }

    /// Fails with all errors and warnings if there is an error.
    package init(_ source: RulesSource) throws(RulesError) {
        var compiled: Compiled?
        guard RuleStack.run({ compiled = Self.compile(source) }), let compiled else {
            throw RulesError(source: source, issues: [.error("No thread could be started to compile the ruleset. Try again.", at: nil)])
        }
        guard let rules = compiled.rules else { throw RulesError(source: source, issues: compiled.issues) }
        self.source = source
        issues = compiled.issues
        self.rules = rules
        mayReadTime = rules.program.mayReadTime
    }

    /// The result of compiling a text; without rules if there is an error.
    private typealias Compiled = (rules: CompiledRules?, issues: [RulesIssue])

    private static func compile(_ source: RulesSource) -> Compiled {
        let syntax: RulesetSyntax
        do throws(RulesIssue) {
            syntax = try RulesParser.parse(source)
        } catch {
            return (nil, [error])
        }
        var (rules, issues) = RulesCompiler.compile(syntax)
        if !hasError(issues) { issues += check(&rules) }
        // Those of the whole ruleset first.
        issues.sort { ($0.range?.start ?? -1, $0.message) < ($1.range?.start ?? -1, $1.message) }
        return (hasError(issues) ? nil : rules, issues)
    }

    /// The checks that need the whole program.
    private static func check(_ rules: inout CompiledRules) -> [RulesIssue] {
        let depth = ProgramDepth(rules.program)
        if let node = depth.nesting.firstIndex(where: { $0 > RulesLimits.valueNesting }) {
            let message = "Lists and maps are nested more than \(RulesLimits.valueNesting) levels deep."
            return [.error(message, at: rules.program.ranges[node])]
        }
        rules.setDeepConditions(depth)
        let types = TypeCheck(rules.program, rules.statements, order: depth.callOrder)
        let assumptions = AssumptionCheck(rules, types: types.types)
        rules.program.assumptions = assumptions.nodes
        return types.warnings + assumptions.warnings
    }

    private static func hasError(_ issues: [RulesIssue]) -> Bool { issues.contains { $0.severity == .error } }

    package convenience init(_ text: String) throws(RulesError) { try self.init(RulesSource(text)) }
}

/// A ruleset that cannot be used, and why.
package struct RulesError: Error, Sendable, CustomStringConvertible {
    package let source: RulesSource
    package let issues: [RulesIssue]

    package var errors: [RulesIssue] { issues.filter { $0.severity == .error } }

    /// One line per error: `L3:12 Unexpected ')'.`
    package var description: String { errors.map { $0.line(in: source) }.joined(separator: "\n") }
}

extension RulesSource {
    /// The SHA-256 of the text.
    package var digest: [UInt8] { text.withUnsafeBytes { Array(SHA256.hash($0)) } }
}
