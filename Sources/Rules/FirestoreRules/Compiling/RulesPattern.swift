// SPDX-License-Identifier: Apache-2.0
import LinearRegex

/// A pattern of `matches`, `replace` or `split`: the only place that knows the module of regular expressions.
struct RulesPattern: Sendable {
    /// How much work the regular expressions of one request may do.
    struct Budget {
        fileprivate var steps = MatchBudget(steps: 5_000_000)
    }

    private let expression: RegularExpression

    /// Nil if the pattern is invalid.
    init?(_ pattern: String) {
        do throws(RegularExpressionError) {
            expression = try RegularExpression(pattern)
        } catch {
            return nil
        }
    }

    func matchesWhole(_ text: String, _ budget: inout Budget) throws(Interruption) -> Bool {
        do throws(RegularExpressionError) {
            return try expression.isWholeMatch(text, &budget.steps)
        } catch {
            throw .failure(.other(error.description))
        }
    }

    /// Every match replaced by a template with `$1` and the like.
    func replacing(in text: String, with template: String, _ budget: inout Budget) throws(Interruption) -> String {
        do throws(RegularExpressionError) {
            return try expression.replacingMatches(in: text, with: template, &budget.steps)
        } catch {
            throw .failure(.other(error.description))
        }
    }

    /// The pieces between the matches, without empty ones at the end.
    func splitting(_ text: String, _ budget: inout Budget) throws(Interruption) -> [String] {
        do throws(RegularExpressionError) {
            return try expression.splitting(text, &budget.steps)
        } catch {
            throw .failure(.other(error.description))
        }
    }
}
