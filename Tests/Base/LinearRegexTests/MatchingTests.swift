// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LinearRegex

/// What callers rely on, as statements. `RE2CorpusTests` compares the rest.
struct MatchingTests {
    private func isWhole(_ pattern: String, _ text: String) throws -> Bool {
        var budget = MatchBudget()
        return try RegularExpression(pattern).isWholeMatch(text, &budget)
    }

    static let wholeMatches: [(pattern: String, text: String, result: Bool)] = [
        ("b", "abc", false),
        (".*b.*", "abc", true),
        ("a|ab", "ab", true),
        ("^a$", "a", true),
        ("", "", true),
        ("", "a", false),
        // `$` without the flag m is the end of the text, not of a last line.
        ("a$", "a\n", false),
        ("(?m)a$\\n^b", "a\nb", true),
        ("a.b", "a\nb", false),
        // A character is a Unicode scalar.
        (".", "😀", true),
        (".", "e\u{301}", false),
        ("\\w", "é", false),
        ("\\pL", "é", true),
        ("\\p{Greek}+", "αβγ", true),
        ("(?i)straße", "STRAßE", true),
        ("(?i)k", "\u{212a}", true),
        ("[[:word:]]", "_", true),
        ("\\Qa.b\\E", "a.b", true),
        ("[^\\x00-\\x{10FFFF}]", "a", false),
        // No string has a surrogate.
        ("\\x{d800}|a", "a", true),
    ]

    @Test(arguments: wholeMatches.indices)
    func `a whole text matches or not`(index: Int) throws {
        let row = Self.wholeMatches[index]
        #expect(try isWhole(row.pattern, row.text) == row.result)
    }

    @Test func `the first match has the captures of its last repetition`() throws {
        var budget = MatchBudget()
        let match = try #require(try RegularExpression("(?:(a)|(b)|(é))+").firstMatch(in: "xabéa", &budget))
        #expect(match.range == 1..<6)
        #expect(match.captures == [5..<6, 2..<3, 3..<5])
    }

    @Test func `a capture that is not part of the match is nil`() throws {
        var budget = MatchBudget()
        let pattern = try RegularExpression("(a)|(?P<other>b)")
        let match = try #require(try pattern.firstMatch(in: "b", &budget))
        #expect(match.captures == [nil, 0..<1])
        #expect(pattern.captureNames == [nil, "other"])
    }

    @Test func `empty matches are one character apart`() throws {
        var budget = MatchBudget()
        #expect(try RegularExpression("").matches(in: "aé😀", &budget).map(\.range) == [0..<0, 1..<1, 3..<3, 7..<7])
        // Not between the bytes of a character, where RE2 finds them.
        #expect(try RegularExpression("\\B").matches(in: "é", &budget).map(\.range) == [0..<0, 2..<2])
    }

    @Test(arguments: [("abc", "xxabc", true), ("abc", "xxab", false), ("^abc", "abcd", true), ("^abc", "xabc", false), ("abc$", "abcabc", true), ("aab", "aaab", true)])
    func `a literal prefix is looked for`(pattern: String, text: String, result: Bool) throws {
        var budget = MatchBudget()
        #expect(try RegularExpression(pattern).isContained(in: text, &budget) == result)
        #expect(try (RegularExpression(pattern).firstMatch(in: text, &budget) != nil) == result)
    }

    @Test func `UTF-8 in a buffer matches as the string does`() throws {
        let pattern = try RegularExpression("é+")
        for text in ["aéé", "", "éé", "a"] {
            var budget = MatchBudget()
            let (isContained, isWhole, matches) = try Array(text.utf8).withUnsafeBytes { bytes in
                (
                    try pattern.isContained(inUTF8: bytes, &budget), try pattern.isWholeMatch(utf8: bytes, &budget),
                    try pattern.matches(inUTF8: bytes, &budget)
                )
            }
            #expect(try pattern.isContained(in: text, &budget) == isContained)
            #expect(try pattern.isWholeMatch(text, &budget) == isWhole)
            #expect(try pattern.matches(in: text, &budget) == matches)
        }
    }
}
