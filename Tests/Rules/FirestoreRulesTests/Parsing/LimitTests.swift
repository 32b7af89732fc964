// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import FirestoreRules

/// The limits that are checked when a ruleset is compiled. The counts are the official emulator's.
struct LimitTests {
    static let chains: [(name: String, limit: Int, text: @Sendable (Int) -> String)] = [
        ("operands of &&", 99, { Array(repeating: "true", count: $0).joined(separator: " && ") }),
        ("operands of + in a comparison", 98, { Array(repeating: "1", count: $0).joined(separator: " + ") + " > 0" }),
        ("parentheses", 98, { String(repeating: "(", count: $0) + "true" + String(repeating: ")", count: $0) }),
        ("negations", 98, { String(repeating: "!", count: $0) + "true" }),
        ("lists in lists", 98, { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) + " == []" }),
        ("ternaries", 98, { String(repeating: "true ? true : ", count: $0) + "true" }),
        ("calls in calls", 98, { String(repeating: "string(", count: $0) + "true" + String(repeating: ")", count: $0) }),
        ("operands in a list", 97, { "[" + Array(repeating: "true", count: $0).joined(separator: " && ") + "] == [true]" }),
        ("operands in a path", 97, { "/a/$(" + Array(repeating: "'a'", count: $0).joined(separator: " + ") + ") == /a/b" }),
    ]

    @Test(arguments: chains.indices)
    func `an expression has so many levels and no more`(index: Int) {
        let chain = Self.chains[index]
        func error(_ count: Int) -> String? { failure(RulesFixture.text("match /a/{x} { allow get: if \(chain.text(count)); }")) }
        #expect(error(chain.limit) == nil, "\(chain.name)")
        #expect(error(chain.limit + 1)?.contains("Expression is too complex to evaluate safely.") == true, "\(chain.name)")
    }

    private func failure(_ text: String) -> String? {
        do throws(RulesError) {
            _ = try RuleSet(text)
            return nil
        } catch {
            return error.description
        }
    }

    static let others: [(name: String, limit: Int, message: String, text: @Sendable (Int) -> String)] = [
        (
            "match nesting", 11, "Maximum allowed resource rule depth of 10 is reached.",
            { count in
                "service cloud.firestore {" + (0..<count).map { "match /a\($0) {" }.joined() + "allow read;" + String(repeating: "}", count: count + 1)
            }
        ),
        (
            "segments", 97, "Maximum allowed path length of 100 is reached.",
            { RulesFixture.text("match " + String(repeating: "/a", count: $0) + " { allow read; }") }
        ),
        (
            "wildcards", 19, "Maximum allowed amount of 20 match field variables is reached.",
            { count in RulesFixture.text("match " + (0..<count).map { "/{a\($0)}" }.joined() + " { allow read; }") }
        ),
        (
            "function chain", 21, "Maximum allowed call depth of 20 is reached for [f0->f1->",
            { count in
                let chain = (0..<(count - 1)).map { "function f\($0)() { return f\($0 + 1)(); }" }.joined()
                return RulesFixture.text("\(chain) function f\(count - 1)() { return true; } match /a/{x} { allow get: if f0(); }")
            }
        ),
        (
            "parameters", 7, "Maximum allowed function arguments of 7 for function f is reached.",
            { count in
                let parameters = (0..<count).map { "a\($0)" }.joined(separator: ", ")
                return RulesFixture.text("function f(\(parameters)) { return true; } match /a/{x} { allow get: if true; }")
            }
        ),
        (
            "variables", 11, "Maximum allowed variable count of 10 for a given function has been reached.",
            { count in
                RulesFixture.text("function f() { \((0..<count).map { "let a\($0) = 1;" }.joined()) return true; } match /a/{x} { allow get: if true; }")
            }
        ),
    ]

    @Test(arguments: others.indices)
    func `a ruleset has so many of a thing and no more`(index: Int) {
        let limit = Self.others[index]
        #expect(failure(limit.text(limit.limit)) == nil, "\(limit.name)")
        #expect(failure(limit.text(limit.limit + 1))?.contains(limit.message) == true, "\(limit.name)")
    }

    @Test func `a ruleset has at most 256 KiB`() {
        let rules = RulesFixture.text("match /a/{x} { allow read; }")
        let padding = String(repeating: " ", count: 256 * 1024 - rules.utf8.count)
        #expect(failure(rules + padding) == nil)
        #expect(failure(rules + padding + " ") == "The ruleset is larger than 256 KiB.")
    }

    /// Texts that would exhaust the stack of a careless parser.
    static let hostile: [String] = [
        String(repeating: "(", count: 100_000), String(repeating: "[", count: 100_000), String(repeating: "{", count: 100_000), String(repeating: "!", count: 100_000),
        String(repeating: "- ", count: 100_000), String(repeating: "/a/$(", count: 40_000), String(repeating: "a[", count: 100_000), String(repeating: "a ? ", count: 50_000),
        "a" + String(repeating: ".a", count: 100_000), "a" + String(repeating: "[0]", count: 60_000), "a" + String(repeating: " + a", count: 50_000), "1" + String(repeating: " is int", count: 30_000),
        "a" + String(repeating: ".f()", count: 50_000), String(repeating: "f(", count: 100_000), String(repeating: "a == ", count: 40_000), "[" + String(repeating: "1,", count: 100_000) + "].size() > 0",
        String(repeating: "match /a { ", count: 20_000), "'" + String(repeating: "\\", count: 100_000),
    ]

    @Test(arguments: hostile.indices)
    func `no text exhausts the stack`(index: Int) {
        let text = Self.hostile[index]
        _ = failure(RulesFixture.text("match /a/{x} { allow get: if \(text); }"))
        _ = failure(RulesFixture.text("match /a/{x} { allow get: if \(text)"))
        _ = failure("service cloud.firestore { \(text)")
    }

    @Test func `many statements and functions take their time, not its square`() {
        let matches = (0..<4_000).map { "match /a\($0)/{x} { allow get: if f\($0 % 500)(x); }" }.joined(separator: "\n")
        let functions = (0..<500).map { "function f\($0)(a) { return a == 'b\($0)'; }" }.joined(separator: "\n")
        #expect(failure(RulesFixture.text(functions + matches)) == nil)
    }
}
