// SPDX-License-Identifier: Apache-2.0

/// Why a pattern, a replacement or a match failed.
package enum RegularExpressionError: Error, Hashable, Sendable {
    /// The pattern is not RE2 syntax. `offset` counts Unicode scalars from the beginning of the pattern; `part` is the text there.
    case invalidPattern(PatternProblem, offset: Int, part: String)
    /// The compiled pattern would be larger than its limits permit.
    case patternTooLarge
    /// A replacement names a group that the pattern does not have, or a name in it is not closed.
    case invalidReplacement(String)
    /// The budget was spent before there was a result. A larger budget helps; so does a shorter text or a simpler pattern.
    case budgetExceeded
}

/// The reason why a pattern is invalid.
package enum PatternProblem: Hashable, Sendable {
    case badCharacterClass
    case badEscape
    case badGroupName
    case badGroupSyntax
    case badRepetition
    case duplicateGroupName
    case missingBracket
    case missingParenthesis
    case missingRepetitionArgument
    case repetitionTooLarge
    case trailingBackslash
    case unexpectedParenthesis
}

extension RegularExpressionError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidPattern(let problem, let offset, let part):
            "Invalid regular expression: \(problem) at character \(offset + 1)\(part.isEmpty ? "" : ": \(part)")"
        case .patternTooLarge: "The regular expression is too large. Use fewer or smaller repetitions and classes."
        case .invalidReplacement(let problem): "Invalid replacement: \(problem)"
        case .budgetExceeded: "The regular expression takes too many steps on this text. Use a simpler pattern or a shorter text."
        }
    }
}

extension PatternProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badCharacterClass: "unknown or reversed character class"
        case .badEscape: "unknown escape sequence"
        case .badGroupName: "a group's name consists of letters, digits and underscores and ends with >"
        case .badGroupSyntax: "unknown group or flag (look-around and backreferences are not supported)"
        case .badRepetition: "a repetition of a repetition needs parentheses"
        case .duplicateGroupName: "two groups have the same name"
        case .missingBracket: "missing ]"
        case .missingParenthesis: "missing )"
        case .missingRepetitionArgument: "nothing to repeat"
        case .repetitionTooLarge: "more than 1000 repetitions, or fewer at most than at least"
        case .trailingBackslash: "nothing follows the backslash"
        case .unexpectedParenthesis: "unexpected )"
        }
    }
}
