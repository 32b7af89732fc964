// SPDX-License-Identifier: Apache-2.0

/// The maximum sizes of a compiled pattern and of its caches.
package struct RegularExpressionLimits: Hashable, Sendable {
    /// Instructions of the program; time per character is at most proportional to them.
    package var instructions: Int
    /// Ranges of all character classes together.
    package var classRanges: Int
    /// Bytes of cached states per direction that a regular expression retains between calls.
    package var cachedStates: Int
    /// Bytes of states during one search for all matches, which needs them until it ends.
    package var searchStates: Int

    /// The default permits every pattern that people write, and bounds the cost of a hostile one to a few megabytes.
    package static let standard = RegularExpressionLimits(
        instructions: 20_000, classRanges: 400_000, cachedStates: 1 << 20, searchStates: 1 << 25)

    package init(instructions: Int, classRanges: Int, cachedStates: Int, searchStates: Int) {
        self.instructions = instructions
        self.classRanges = classRanges
        self.cachedStates = cachedStates
        self.searchStates = searchStates
    }
}

/// The maximum cost of matching, in steps: a character that is read, an instruction that is visited, or a byte of a result.
///
/// Matching is linear in the text's length times the program's, but both may be chosen by an attacker. A caller shares one
/// budget among all calls of a request, so that their sum is bounded. A caller that reads any number of texts grants the reading of each.
package struct MatchBudget: Hashable, Sendable {
    package private(set) var remainingSteps: Int
    private let maximum: Int

    /// The default takes a fraction of a second in a release build.
    package init(steps: Int = 50_000_000) { (remainingSteps, maximum) = (steps, steps) }

    /// Adds steps, up to those that the budget began with.
    package mutating func grant(_ steps: Int) { remainingSteps = min(maximum, remainingSteps + steps) }

    package mutating func spend(_ steps: Int) throws(RegularExpressionError) {
        remainingSteps -= steps
        if remainingSteps < 0 { throw .budgetExceeded }
    }
}
