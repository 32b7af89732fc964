// SPDX-License-Identifier: Apache-2.0

/// How much work the regular expressions of one evaluation may do.
typealias PatternBudget = Int

/// A pattern of `matches`, `replace` or `split`: the only place that knows the module of regular expressions.
struct RulesPattern: Sendable {
    /// The budget of an evaluation.
    static let budget: PatternBudget = 0

    /// Nil if the pattern is invalid.
    init?(_ pattern: String) {}

    /// Whether the whole text matches. Nil if it is too much work.
    func matchesWhole(_ text: String, _ budget: inout PatternBudget) -> Bool? { nil }

    /// Every match replaced by a template with `$1` and the like. Nil if the template names a group that does not exist, if the result is
    /// too long, or if it is too much work.
    func replacing(in text: String, with template: String, _ budget: inout PatternBudget) -> String? { nil }

    /// The pieces between the matches, without empty ones at the end. Nil if it is too much work.
    func splitting(_ text: String, _ budget: inout PatternBudget) -> [String]? { nil }
}
