// SPDX-License-Identifier: Apache-2.0

/// Something that is wrong or doubtful in a ruleset, and where.
package struct RulesIssue: Error, Sendable, Hashable {
    package enum Severity: String, Sendable { case error = "ERROR", warning = "WARNING" }

    package var severity: Severity
    /// Nil if the issue concerns the ruleset as a whole.
    package var range: SourceRange?
    package var message: String
    /// The field of a stored document that the issue is about, such as `secret`.
    package var field: String?
    /// What is said where lists are strict, of a list that is granted without proof elsewhere (SR-96); nil for every other issue.
    package var strictMessage: String?

    /// Whether the issue is a list that is granted without proof, unless lists are strict.
    package var isUnprovenList: Bool { strictMessage != nil }

    package init(_ severity: Severity, _ message: String, at range: SourceRange?, field: String? = nil) {
        self.severity = severity
        self.message = message
        self.range = range
        self.field = field
    }

    static func error(_ message: String, at range: SourceRange?) -> RulesIssue { RulesIssue(.error, message, at: range) }
    static func warning(_ message: String, at range: SourceRange?) -> RulesIssue { RulesIssue(.warning, message, at: range) }

    /// `L3:12 Unexpected ')'.`, or the message alone.
    package func line(in source: RulesSource) -> String {
        range.map { "\(source.position(of: $0)) \(message)" } ?? message
    }
}
