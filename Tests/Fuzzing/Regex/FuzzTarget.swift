// SPDX-License-Identifier: Apache-2.0
import FuzzFrame
import LinearRegex

/// A pattern, a zero byte, a text. The target has one kind of input, so `HEARTH_FUZZ_TARGET` is not asked.
@main
enum FuzzTarget: Fuzzer {
    /// Small, so that an input takes milliseconds at most.
    private static let limits = RegularExpressionLimits(instructions: 2_000, classRanges: 50_000, cachedStates: 1 << 18, searchStates: 1 << 22)
    /// Every second state is forgotten immediately.
    private static let forgetful = RegularExpressionLimits(instructions: 2_000, classRanges: 50_000, cachedStates: 1, searchStates: 1 << 22)

    static func run(_ input: [UInt8]) {
        let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        let pattern = String(decoding: parts[0], as: UTF8.self)
        let text = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
        do {
            try check(RegularExpression(pattern, limits: limits), RegularExpression(pattern, limits: forgetful), text)
        } catch .invalidPattern(_, let offset, let part) {
            // The position is in the pattern.
            precondition(pattern.unicodeScalars.dropFirst(offset).starts(with: part.unicodeScalars), pattern)
        } catch {}
    }

    private static func check(_ pattern: RegularExpression, _ twin: RegularExpression, _ text: String) throws(RegularExpressionError) {
        var budget = MatchBudget(steps: 2_000_000)
        let isWhole = try pattern.isWholeMatch(text, &budget)
        let isContained = try pattern.isContained(in: text, &budget)
        let matches = try pattern.matches(in: text, &budget)
        precondition(isContained || !isWhole)
        precondition(isContained == !matches.isEmpty)
        let first = try pattern.firstMatch(in: text, &budget)
        precondition(first == matches.first)

        let bytes = Array(text.utf8)
        var end = 0
        for match in matches {
            precondition(match.range.lowerBound >= end && match.range.upperBound <= bytes.count)
            for bound in [match.range.lowerBound, match.range.upperBound] where bound < bytes.count {
                precondition(bytes[bound] & 0xC0 != 0x80, "a match ends within a character")
            }
            for capture in match.captures.compactMap(\.self) {
                precondition(match.range.contains(capture.lowerBound) || capture.lowerBound == match.range.upperBound)
                precondition(capture.upperBound <= match.range.upperBound)
            }
            end = match.range.upperBound
        }
        let replaced = try pattern.replacingMatches(in: text, with: "$0", &budget)
        precondition(replaced == text)
        let parts = try pattern.splitting(text, &budget)
        precondition(!parts.isEmpty)

        // What was learned from other texts changes nothing.
        let (twinIsWhole, twinIsContained) = (try twin.isWholeMatch(text, &budget), try twin.isContained(in: text, &budget))
        let twinMatches = try twin.matches(in: text, &budget)
        precondition(isWhole == twinIsWhole && isContained == twinIsContained && matches == twinMatches)
    }
}
