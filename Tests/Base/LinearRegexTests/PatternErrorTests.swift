// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LinearRegex

/// What is rejected, and where the error says it is. Whether a pattern is rejected is compared with RE2 in `RE2CorpusTests`.
struct PatternErrorTests {
    static let rows: [(pattern: String, problem: PatternProblem, offset: Int, part: String)] = [
        ("a(b", .missingParenthesis, 1, "(b"),
        ("ab)", .unexpectedParenthesis, 2, ")"),
        ("é[a", .missingBracket, 1, "[a"),
        ("[]", .missingBracket, 0, "[]"),
        ("*a", .missingRepetitionArgument, 0, "*"),
        ("a|+?", .missingRepetitionArgument, 2, "+?"),
        ("ba**", .badRepetition, 2, "**"),
        ("a{2}{3}", .badRepetition, 1, "{2}{3}"),
        ("a{1001}", .repetitionTooLarge, 1, "{1001}"),
        ("a{3,2}", .repetitionTooLarge, 1, "{3,2}"),
        ("(?:a{100}){11}", .repetitionTooLarge, 10, "{11}"),
        ("a\\", .trailingBackslash, 1, "\\"),
        ("a\\1", .badEscape, 1, "\\1"),
        ("\\C", .badEscape, 0, "\\C"),
        ("\\x{110000}", .badEscape, 0, "\\x{110000"),
        ("\\p{Grek}", .badCharacterClass, 0, "\\p{Grek}"),
        ("[[:letter:]]", .badCharacterClass, 1, "[:letter:]"),
        ("x[z-a]", .badCharacterClass, 2, "z-a"),
        ("(?=a)", .badGroupSyntax, 0, "(?="),
        ("(?<!a)", .badGroupSyntax, 0, "(?<"),
        ("(?i-)", .badGroupSyntax, 0, "(?i-)"),
        ("(?P<a b>c)", .badGroupName, 0, "(?P<a b>"),
        ("(?P<n>a)|(?<n>b)", .duplicateGroupName, 9, "(?<n>"),
    ]

    @Test(arguments: rows.indices)
    func `an invalid pattern is rejected with its position`(index: Int) {
        let row = Self.rows[index]
        #expect(throws: RegularExpressionError.invalidPattern(row.problem, offset: row.offset, part: row.part)) {
            try RegularExpression(row.pattern)
        }
    }

    @Test func `an error names the mistake and its position`() {
        let error = RegularExpressionError.invalidPattern(.missingParenthesis, offset: 1, part: "(b")
        #expect("\(error)" == "Invalid regular expression: missing ) at character 2: (b")
    }

    /// What would take much memory to compile, or to read.
    static let large: [String] = [
        String(repeating: "a{1000}", count: 21), String(repeating: "[a-z]", count: 20_001), String(repeating: "(", count: 170_000),
        "(?:" + String(repeating: "a{900}|", count: 30) + ")", String(repeating: "(?i)\\pL", count: 2_000),
        "(((((a{999})*){1}){1})*|(?:b?){1000}){0}" + String(repeating: "\\w{1000}", count: 21),
    ]

    @Test(arguments: large.indices)
    func `a pattern that would become too large is rejected`(index: Int) {
        #expect(throws: RegularExpressionError.patternTooLarge) { try RegularExpression(Self.large[index]) }
    }

    /// Depth is no danger: nothing recurses.
    @Test(arguments: ["(?:", "(", "(?i:a|", "[a](?:b*"])
    func `a pattern may nest deeply`(opening: String) throws {
        let depth = 5_000
        var budget = MatchBudget()
        let pattern = try RegularExpression(String(repeating: opening, count: depth) + "x" + String(repeating: ")", count: depth))
        #expect(try pattern.isContained(in: "aabx", &budget) == (opening != "[a](?:b*"))
        #expect(throws: RegularExpressionError.self) { try RegularExpression(String(repeating: opening, count: depth)) }
    }
}
