// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinearRegex

/// Regular expressions on texts that take exponential time with backtracking.
enum RegexCases {
    static var all: [BenchmarkCase] { [doubling, short] }

    /// The question: how much longer does twice the text take?
    private static var doubling: BenchmarkCase {
        let name = "regular expressions: (a*)*b on a text of a"
        return BenchmarkCase(figuresOf: name) {
            let pattern = try RegularExpression("(a*)*b")
            let times = try [10_000, 20_000, 40_000].map { try microseconds(pattern, count: $0) }
            return [
                .figure("\(name), 10,000 characters", times[0], "µs/op"),
                .atMost(2.5, "\(name), 20,000 characters against 10,000", times[1] / times[0], "×"),
                .atMost(2.5, "\(name), 40,000 characters against 20,000", times[2] / times[1], "×"),
            ]
        }
    }

    /// The shortest of many rounds: what else the machine does only makes a round longer.
    private static func microseconds(_ pattern: RegularExpression, count: Int) throws -> Double {
        let text = String(repeating: "a", count: count)
        var shortest = Double.infinity
        for _ in 0..<50 {
            let start = ContinuousClock.now
            for _ in 0..<10 {
                var budget = MatchBudget()
                // A search has to read the whole text; asked for the whole text, the last character already decides.
                blackHole(try pattern.isContained(in: text, &budget))
                blackHole(try pattern.isWholeMatch(text, &budget))
            }
            shortest = min(shortest, Measured.seconds(since: start) / 10)
        }
        return shortest * 1e6
    }

    /// What a rule like `request.resource.data.email.matches(…)` pays.
    private static var short: BenchmarkCase {
        let source = "^[\\w.+-]+@[\\w-]+\\.[a-z]{2,}$"
        return BenchmarkCase("regular expressions: an e-mail address", peer: "NSRegularExpression") {
            let pattern = try RegularExpression(source)
            let peer = try NSRegularExpression(pattern: source)
            let text = "ada.lovelace@example.com"
            return BenchmarkCase.Contenders(
                ours: { operations in
                    for _ in 0..<operations {
                        var budget = MatchBudget()
                        blackHole(try pattern.isWholeMatch(text, &budget))
                    }
                },
                peer: { operations in
                    for _ in 0..<operations {
                        blackHole(peer.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil)
                    }
                })
        }
    }
}
