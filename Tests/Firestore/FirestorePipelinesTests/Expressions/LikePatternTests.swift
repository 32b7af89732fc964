// SPDX-License-Identifier: Apache-2.0
import LinearRegex
import TestSupport
import Testing

@testable import FirestorePipelines

@Suite struct LikePatternTests {
    /// Tries everything.
    private func slowMatch(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        switch first {
        case "%": return slowMatch(text, rest) || !text.isEmpty && slowMatch(text.dropFirst(), pattern)
        case "_": return !text.isEmpty && slowMatch(text.dropFirst(), rest)
        case "\\": return rest.first == text.first && !text.isEmpty && slowMatch(text.dropFirst(), rest.dropFirst())
        default: return text.first == first && slowMatch(text.dropFirst(), rest)
        }
    }

    private func matches(_ text: String, _ pattern: String, _ budget: inout MatchBudget) throws -> Bool? {
        try Array(pattern.utf8).withUnsafeBytes { pattern in
            let compiled = LikePattern(pattern)
            return try Array(text.utf8).withUnsafeBytes { try compiled?.matches($0, &budget) }
        }
    }

    private func random(_ letters: [String], _ counts: ClosedRange<Int>, _ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: counts, using: &generator)).map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
    }

    @Test(arguments: [1, 2, 3, 4]) func aPatternMatchesWhatTryingEverythingMatches(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var budget = MatchBudget()
        var matched = 0
        for _ in 0..<TestScale.pick(quick: 2_000, full: 100_000) {
            let text = random(["a", "b", "é", "%", "\\"], 0...8, &generator)
            let pattern = random(["a", "b", "é", "%", "%", "_", "\\%", "\\\\"], 0...6, &generator)
            let expected = slowMatch(Array(text.unicodeScalars)[...], Array(pattern.unicodeScalars)[...])
            #expect(try matches(text, pattern, &budget) == expected, "\(text) like \(pattern)")
            if expected { matched += 1 }
        }
        #expect(matched > 100)
    }

    @Test func aBackslashAtTheEndIsInvalid() throws {
        var budget = MatchBudget()
        #expect(try matches("a", "a\\", &budget) == nil)
    }

    @Test func aLongPatternOverALongTextStaysWithinItsBudget() throws {
        let text = String(repeating: "a", count: 20_000)
        var budget = MatchBudget(steps: 100_000)
        // Without wildcards in a part, a part costs nothing but reading the text.
        #expect(try matches(text, "%" + String(repeating: "a", count: 10_000) + "b%", &budget) == false)
        #expect(budget.remainingSteps == 100_000)
        #expect(throws: RegularExpressionError.budgetExceeded) {
            try matches(text, "%" + String(repeating: "a", count: 10_000) + "_b%", &budget)
        }
    }
}
