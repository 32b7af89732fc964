// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A regular expression with the syntax and semantics of RE2.
///
/// A match is found in time linear in the length of the text times the size of the compiled pattern, whatever the pattern and the
/// text, and so are all matches together. Patterns and texts from users can therefore not make a process slow: security rules and
/// pipelines evaluate them. There is no backtracking, so there are no backreferences and no look-around.
///
/// ```swift
/// let pattern = try RegularExpression("(?P<user>[a-z]+)@example\\.(com|org)")
/// var budget = MatchBudget()
/// try pattern.isWholeMatch("ada@example.com", &budget)                 // true
/// try pattern.replacingMatches(in: "ada@example.org", with: "${user}", &budget)  // "ada"
/// ```
///
/// **Syntax.** The syntax that RE2 accepts with its default options: Perl classes (`\d \s \w`, ASCII), POSIX classes (`[[:alpha:]]`),
/// general categories and scripts (`\pL`, `\p{Greek}`) of Unicode 15, flags `(?imsU)`, lazy repetitions, at most 1000 of them, named
/// groups `(?P<name>…)` and `(?<name>…)`, `\Q…\E`, `\A \z \b \B ^ $`. Two things are rejected that RE2's C++ version takes: `\C`, which
/// would match half a character, and two groups of the same name.
///
/// **Semantics.** A character is a Unicode scalar. Of several matches the leftmost one is used, and of those that begin there the one
/// that Perl would prefer. Ranges are offsets of UTF-8.
///
/// **How it works.** ``BackwardAutomaton`` reads the text once from its end and records at each position which ways lead to a match;
/// ``Matcher`` then follows the preferred one forward. Automata are built while texts are read, and cached within
/// ``RegularExpressionLimits``.
///
/// **Costs.** Compiling takes microseconds to a few milliseconds, so retain compiled expressions. Values may be used from several threads
/// simultaneously. ``MatchBudget`` bounds the cost of matching, because the product of two large sizes is large, even if
/// it is linear in each.
package struct RegularExpression: Sendable {
    package let pattern: String
    private let program: Program
    private let idle: IdleMatchers

    /// Compiles a pattern.
    ///
    /// - Throws: `invalidPattern` with the offset, or `patternTooLarge`.
    package init(_ pattern: String, limits: RegularExpressionLimits = .standard) throws(RegularExpressionError) {
        self.pattern = pattern
        program = try Program(pattern, limits: limits)
        idle = IdleMatchers(program)
    }

    /// The names of the captures from the first one on; nil for those without a name.
    package var captureNames: [String?] { program.captureNames }

    // MARK: Matching

    /// Whether the pattern matches the text as a whole.
    package func isWholeMatch(_ text: String, _ budget: inout MatchBudget) throws(RegularExpressionError) -> Bool {
        try UTF8Text.with(text) { (text) throws(RegularExpressionError) in try isWholeMatch(utf8: text.bytes, &budget) }
    }

    /// Whether the pattern matches the text as a whole, which is given as UTF-8 and not copied.
    package func isWholeMatch(utf8 text: UnsafeRawBufferPointer, _ budget: inout MatchBudget) throws(RegularExpressionError) -> Bool {
        try idle.use { (matcher) throws(RegularExpressionError) in try matcher.isWholeMatch(UTF8Text(text), &budget) }
    }

    /// Whether the pattern matches some part of the text.
    package func isContained(in text: String, _ budget: inout MatchBudget) throws(RegularExpressionError) -> Bool {
        try UTF8Text.with(text) { (text) throws(RegularExpressionError) in try isContained(inUTF8: text.bytes, &budget) }
    }

    /// Whether the pattern matches some part of the text, which is given as UTF-8 and not copied.
    package func isContained(inUTF8 text: UnsafeRawBufferPointer, _ budget: inout MatchBudget) throws(RegularExpressionError) -> Bool {
        try idle.use { (matcher) throws(RegularExpressionError) in try matcher.isContained(in: UTF8Text(text), &budget) }
    }

    /// The leftmost match.
    package func firstMatch(in text: String, _ budget: inout MatchBudget) throws(RegularExpressionError) -> RegularExpressionMatch? {
        try UTF8Text.with(text) { (text) throws(RegularExpressionError) in try matches(in: text, atMost: 1, &budget) }.first
    }

    /// All matches, none of which overlap, from left to right.
    ///
    /// As in Java, the next match may be empty and begin where one ended; after an empty match the search continues with the next
    /// character.
    package func matches(in text: String, _ budget: inout MatchBudget) throws(RegularExpressionError) -> [RegularExpressionMatch] {
        try UTF8Text.with(text) { (text) throws(RegularExpressionError) in try matches(in: text, atMost: .max, &budget) }
    }

    /// The first matches, in order, of a text that is given as UTF-8 and not copied.
    package func matches(
        inUTF8 text: UnsafeRawBufferPointer, atMost limit: Int = .max, _ budget: inout MatchBudget
    ) throws(RegularExpressionError) -> [RegularExpressionMatch] {
        try matches(in: UTF8Text(text), atMost: limit, &budget)
    }

    func matches(
        in text: UTF8Text, atMost limit: Int, _ budget: inout MatchBudget
    ) throws(RegularExpressionError) -> [RegularExpressionMatch] {
        try idle.use { (matcher) throws(RegularExpressionError) in try matches(in: text, atMost: limit, &matcher, &budget) }
    }

    private func matches(
        in text: UTF8Text, atMost limit: Int, _ matcher: inout Matcher, _ budget: inout MatchBudget
    ) throws(RegularExpressionError) -> [RegularExpressionMatch] {
        guard let findings = try matcher.read(text, &budget) else { return [] }
        var matches: [RegularExpressionMatch] = []
        var offset = 0
        while matches.count < limit, let start = findings.start(from: offset) {
            let match = RegularExpressionMatch(slots: try matcher.match(text, findings, at: start, &budget))
            // Captures take memory, so they cost more than a look at them.
            try budget.spend(8 * match.captures.count)
            matches.append(match)
            offset = match.range.isEmpty ? text.offset(after: match.range.upperBound) : match.range.upperBound
        }
        return matches
    }
}

/// A match: where it is, and what its groups captured, in UTF-8 offsets.
package struct RegularExpressionMatch: Hashable, Sendable {
    package let range: Range<Int>
    /// Nil for a group that is not part of the match. Of a repeated group it is the last repetition.
    package let captures: [Range<Int>?]

    fileprivate init(slots: [Int]) {
        range = slots[0]..<slots[1]
        captures = stride(from: 2, to: slots.count, by: 2).map { slots[$0] < 0 || slots[$0 + 1] < 0 ? nil : slots[$0]..<slots[$0 + 1] }
    }
}

/// Matchers, with their cached states, that no thread uses.
private final class IdleMatchers: Sendable {
    /// Where a matcher stays while it is passed on: copying one takes as long as matching a short text.
    ///
    /// `@unchecked Sendable`: a place is either in the list or used by the one call that has taken it from there.
    private final class Place: @unchecked Sendable {
        var matcher: Matcher

        init(_ matcher: Matcher) { self.matcher = matcher }
    }

    private static let maximumCount = 4

    private let program: Program
    private let places = Mutex<[Place]>([])

    init(_ program: Program) { self.program = program }

    func use<R>(_ body: (inout Matcher) throws(RegularExpressionError) -> R) throws(RegularExpressionError) -> R {
        let place = places.withLock { $0.popLast() } ?? Place(Matcher(program))
        defer {
            place.matcher.forgetExcess()
            places.withLock { places in
                if places.count < Self.maximumCount { places.append(place) }
            }
        }
        return try body(&place.matcher)
    }
}
