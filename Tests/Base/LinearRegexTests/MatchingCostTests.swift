// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LinearRegex

/// What matching costs, in steps instead of seconds: linear in the text, whatever the pattern.
struct MatchingCostTests {
    /// Patterns that take exponential or quadratic time with other algorithms.
    static let patterns = ["(a*)*b", "(a|a)*b", "(a|aa)+$", "(?:a?){50}a{50}", "(.*)(.*)(.*)b", "a.*b|a", "(a+)+", "x*a*?y", "\\b.*\\B.*b", "(?i)(ſ|s|a)*k"]

    @Test(arguments: patterns)
    func `twice the text takes twice the steps`(source: String) throws {
        let pattern = try RegularExpression(source)
        func steps(_ count: Int) throws -> Int {
            let text = String(repeating: "a", count: count)
            var budget = MatchBudget()
            _ = try pattern.isWholeMatch(text, &budget)
            _ = try pattern.isContained(in: text, &budget)
            _ = try pattern.matches(in: text, &budget)
            _ = try pattern.replacingMatches(in: text, with: "$0", &budget)
            return MatchBudget().remainingSteps - budget.remainingSteps
        }
        _ = try steps(100)
        let (once, twice) = (try steps(2_000), try steps(4_000))
        #expect(twice <= once * 21 / 10)
    }

    @Test func `a budget bounds the work`() throws {
        let pattern = try RegularExpression("(?:[ab]{0,500}){2}c")
        var budget = MatchBudget(steps: 100_000)
        let text = String(repeating: "ab", count: 2_000) + "c"
        #expect(throws: RegularExpressionError.budgetExceeded) { try pattern.isWholeMatch(text, &budget) }
        // The same matcher serves the next call.
        var other = MatchBudget()
        #expect(try pattern.isWholeMatch("abc", &other))
        #expect(!(try pattern.isWholeMatch(text, &other)))
    }

    @Test func `granted steps never exceed those of the beginning`() throws {
        var budget = MatchBudget(steps: 100)
        try budget.spend(60)
        budget.grant(30)
        #expect(budget.remainingSteps == 70)
        budget.grant(30)
        budget.grant(30)
        #expect(budget.remainingSteps == 100)
    }

    @Test func `the size of a result is part of the work`() throws {
        var budget = MatchBudget(steps: 1_000_000)
        let pattern = try RegularExpression("")
        let template = String(repeating: "x", count: 10_000)
        #expect(throws: RegularExpressionError.budgetExceeded) {
            try pattern.replacingMatches(in: String(repeating: "a", count: 10_000), with: template, &budget)
        }
    }

    @Test func `states that a search needs are bounded`() throws {
        let limits = RegularExpressionLimits(instructions: 20_000, classRanges: 400_000, cachedStates: 1 << 14, searchStates: 1 << 16)
        // In the other direction this has a state for each set of the last twelve positions.
        let pattern = try RegularExpression("a[ab]{12}c", limits: limits)
        var random = UInt32(14)
        let text = String((0..<4_000).map { _ in
            random = random &* 1_664_525 &+ 1_013_904_223
            return ["a", "b", "c"][Int(random >> 16) % 3] as Character
        })
        let reversed = try RegularExpression("c[ab]{12}a|[abc]{12}q", limits: limits)
        for pattern in [pattern, reversed] {
            var budget = MatchBudget()
            _ = try pattern.isContained(in: text, &budget)
            _ = try? pattern.matches(in: text, &budget)
            #expect(try pattern.isWholeMatch("a" + String(repeating: "b", count: 12) + "c", &budget) == (pattern.pattern == "a[ab]{12}c"))
        }
    }

    @Test func `several threads use one expression`() async throws {
        let pattern = try RegularExpression("(?P<user>[\\pL\\d.]+)@(example|test)\\.(?:com|org)")
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<16 {
                group.addTask {
                    var budget = MatchBudget()
                    for round in 0..<50 {
                        let user = "ä\(index).\(round)"
                        guard try pattern.isWholeMatch("\(user)@example.org", &budget) else { return false }
                        guard try pattern.replacingMatches(in: "<\(user)@test.com>", with: "${user}", &budget) == "<\(user)>" else { return false }
                    }
                    return true
                }
            }
            for try await isCorrect in group { #expect(isCorrect) }
        }
    }
}
