// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import LinearRegex

/// Functions that compare strings with patterns: those of `like`, and regular expressions with the syntax of RE2.
enum PatternFunctions {
    static let all: [FunctionDefinition] = [
        .two("like", .string, .string) { text, pattern, execution in
            execution.patterns.like(pattern).matched(with: text, execution) { (pattern, text, budget) throws(RegularExpressionError) in
                .boolean(try pattern.matches(text, &budget))
            }
        },
        regex("regex_contains") { (pattern, text, budget) throws(RegularExpressionError) in
            .boolean(try pattern.isContained(inUTF8: text, &budget))
        },
        regex("regex_match") { (pattern, text, budget) throws(RegularExpressionError) in
            .boolean(try pattern.isWholeMatch(utf8: text, &budget))
        },
        regex("regex_find") { (pattern, text, budget) throws(RegularExpressionError) in
            guard let match = try pattern.matches(inUTF8: text, atMost: 1, &budget).first else { return .null }
            return part(match, of: text)
        },
        regex("regex_find_all") { (pattern, text, budget) throws(RegularExpressionError) in
            var result = ArrayBuilder()
            for match in try pattern.matches(inUTF8: text, &budget) { result.append(part(match, of: text)) }
            return result.value()
        },
    ]

    private static func regex(
        _ name: String, _ body: @escaping @Sendable (
            RegularExpression, UnsafeRawBufferPointer, inout MatchBudget
        ) throws(RegularExpressionError) -> EvaluatedValue
    ) -> FunctionDefinition {
        .two(name, .string, .string) { text, pattern, execution in
            execution.patterns.regularExpression(pattern).matched(with: text, execution, body)
        }
    }

    private static func part(_ match: RegularExpressionMatch, of text: UnsafeRawBufferPointer) -> EvaluatedValue {
        .string(utf8: UnsafeRawBufferPointer(rebasing: text[match.range]))
    }
}

/// The patterns of an execution, and what matching them may cost.
struct PatternMemory {
    private var likes = CompiledTexts<PatternResult<LikePattern>>()
    private var expressions = CompiledTexts<PatternResult<RegularExpression>>()
    fileprivate var budget = MatchBudget()

    fileprivate mutating func like(_ pattern: EvaluatedValue) -> PatternResult<LikePattern> {
        guard let text = pattern.utf8 else { return .invalid("the pattern of like is damaged") }
        return likes[
            text,
            {
                LikePattern($0).map { .valid($0) }
                    ?? .invalid("the pattern of like ends with a backslash; write two for the character itself")
            }]
    }

    fileprivate mutating func regularExpression(_ pattern: EvaluatedValue) -> PatternResult<RegularExpression> {
        guard let text = pattern.utf8 else { return .invalid("the regular expression is damaged") }
        return expressions[
            text,
            { text in
                do throws(RegularExpressionError) {
                    return .valid(try RegularExpression(String(decoding: text, as: UTF8.self)))
                } catch {
                    return .invalid(error.description)
                }
            }]
    }
}

private enum PatternResult<Pattern> {
    case valid(Pattern)
    case invalid(String)

    func matched(
        with text: EvaluatedValue, _ execution: Execution,
        _ body: (Pattern, UnsafeRawBufferPointer, inout MatchBudget) throws(RegularExpressionError) -> EvaluatedValue
    ) -> EvaluatedValue {
        guard case .valid(let pattern) = self else {
            if case .invalid(let reason) = self { return .fail(reason) }
            return .null
        }
        guard let text = text.utf8 else { return .null }
        // Reading the texts is part of reading the rows. What counts is work beyond that, which patterns can make large.
        execution.patterns.budget.grant(text.count + 1)
        do throws(RegularExpressionError) {
            return try body(pattern, text, &execution.patterns.budget)
        } catch {
            return .fail(error.description)
        }
    }
}
