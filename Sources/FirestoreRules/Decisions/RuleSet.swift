// SPDX-License-Identifier: Apache-2.0

/// The security rules of a database, compiled.
package struct RuleSet: Sendable {
    package let source: RulesSource
    /// Warnings, and in `checked` errors, in the order of their places.
    package let issues: [RulesIssue]
    let rules: CompiledRules

    /// The version of the language: 1 or 2.
    package var version: Int { rules.version }

    /// The beginning of the text's SHA-256, by which logs name a ruleset.
    package var hash: String {
        ValueText.hexadecimal(source.text.withUnsafeBytes(SHA256.hash).prefix(6)).lowercased()
    }

    /// Fails with all errors and warnings if there is an error.
    package init(_ source: RulesSource) throws(RulesError) {
        let syntax: RulesetSyntax
        do throws(RulesIssue) {
            syntax = try RulesParser.parse(source)
        } catch {
            throw RulesError(source: source, issues: [error])
        }
        var (rules, issues) = RulesCompiler.compile(syntax)
        if !issues.contains(where: { $0.severity == .error }) {
            let check = TypeCheck(rules.program, rules.statements)
            let assumptions = AssumptionCheck(rules, types: check.types)
            rules.program.assumptions = assumptions.nodes
            issues += check.warnings + assumptions.warnings
        }
        // Those of the whole ruleset first.
        issues.sort { ($0.range?.start ?? -1, $0.message) < ($1.range?.start ?? -1, $1.message) }
        guard !issues.contains(where: { $0.severity == .error }) else { throw RulesError(source: source, issues: issues) }
        self.source = source
        self.issues = issues
        self.rules = rules
    }

    package init(_ text: String) throws(RulesError) { try self.init(RulesSource(text)) }
}

/// A ruleset that cannot be used, and why.
package struct RulesError: Error, Sendable, CustomStringConvertible {
    package let source: RulesSource
    package let issues: [RulesIssue]

    package var errors: [RulesIssue] { issues.filter { $0.severity == .error } }

    /// One line per error: `L3:12 Unexpected ')'.`
    package var description: String { errors.map { $0.line(in: source) }.joined(separator: "\n") }
}
