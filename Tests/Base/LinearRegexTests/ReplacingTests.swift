// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LinearRegex

/// `replace` and `split` of security rules: rows of the official emulator.
struct ReplacingTests {
    static let replacements: [(text: String, pattern: String, template: String, result: String)] = [
        ("aab", "a+", "x", "xb"),
        ("a-b", "(a)-(b)", "$2$1", "ba"),
        ("abc", "", "-", "-a-b-c-"),
        // The match at 1 is followed by an empty one at 2.
        ("abc", "b*", "x", "xaxxcx"),
        ("aaa", "a*?", "x", "xaxaxax"),
        ("aaa", "a*", "x", "xx"),
        ("baac", "a*", "x", "xbxxcx"),
        ("abc", "(b)", "[$0]", "a[b]c"),
        ("abc", "(b)", "$10", "ab0c"),
        ("abc", "(b)|(q)", "<$2>", "a<>c"),
        ("abc", "(b)", "$", "a$c"),
        ("abc", "(b)", "$x", "a$xc"),
        ("abc", "(?P<n>b)", "<${n}>", "a<b>c"),
        ("abc", "(b)", "\\$1", "a$1c"),
        ("abc", "(b)", "\\\\", "a\\c"),
        ("abc", "(b)", "x\\", "ax\\c"),
        ("abc", "(b)", "\\1", "a1c"),
        ("abc", "(b)", "\\n", "anc"),
        ("aéb", "", "-", "-a-é-b-"),
        // The emulator finds an empty match in the middle of the character, too.
        ("a😀b", "", "-", "-a-😀-b-"),
        ("a😀b", ".", "-", "---"),
        ("b", "^", "x", "xb"),
        ("aa", "^a", "x", "xa"),
        ("a b", "\\b", "|", "|a| |b|"),
        ("abc", "x", "$1", "abc"),
        ("abcdefghijkl", "(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)", "$10$1", "jakl"),
        ("\u{17f}kKx", "(?i)[sk]", "-", "---x"),
    ]

    @Test(arguments: replacements.indices)
    func `matches are replaced`(index: Int) throws {
        let row = Self.replacements[index]
        var budget = MatchBudget()
        #expect(try RegularExpression(row.pattern).replacingMatches(in: row.text, with: row.template, &budget) == row.result)
    }

    @Test(arguments: ["$2", "${m}", "${n", "${1}"])
    func `a replacement with an unknown group is rejected`(template: String) throws {
        let pattern = try RegularExpression("(?P<n>b)")
        var budget = MatchBudget()
        #expect(throws: RegularExpressionError.self) { try pattern.replacingMatches(in: "abc", with: template, &budget) }
        // As in Java, only when there is something to replace.
        #expect(try pattern.replacingMatches(in: "xyz", with: template, &budget) == "xyz")
    }

    static let splits: [(text: String, pattern: String, parts: [String])] = [
        (",a,", ",", ["", "a"]),
        (",,", ",", [""]),
        (",", ",", [""]),
        ("", "", [""]),
        ("", ",", [""]),
        ("", "a*", [""]),
        ("abc", "b*", ["", "a", "", "c"]),
        ("abc", "", ["", "a", "b", "c"]),
        ("a,b", "(,)", ["a", "b"]),
        (",a,,b,,", ",", ["", "a", "", "b"]),
        ("aXbX", "(?i)x", ["a", "b"]),
        ("a😀b", "", ["", "a", "😀", "b"]),
        ("abc", "c", ["ab"]),
        ("abc", "a", ["", "bc"]),
        ("abc", "abc", [""]),
        ("abc", "$", ["abc"]),
        ("abc", "^", ["", "abc"]),
        ("abc", "x", ["abc"]),
    ]

    @Test(arguments: splits.indices)
    func `a text is split`(index: Int) throws {
        let row = Self.splits[index]
        var budget = MatchBudget()
        #expect(try RegularExpression(row.pattern).splitting(row.text, &budget) == row.parts)
    }
}
