// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreRules

/// Rulesets with random damage are rejected with a position, or decide; nothing crashes. The fuzzer does the same for longer.
struct MutationTests {
    private static let seeds: [String] =
        VerifiedCase.all.prefix(118).map { RulesFixture.text($0.rules, version: $0.version) }
        + [
            RulesFixture.text("function f(a, b) { let c = a + b; return c is int ? !(c in [1, 2.5]) : {'k': b'\\xff'}.k == /a/$(c)/b[0:1]; } match /a/{x=**} { allow read, write: if f(-1, 2) || 'ä'.matches('[a-z]+'); }")
        ]
    private static let tokens = [
        "(", ")", "{", "}", "[", "]", "'", "\"", "\\", "/", "//", "/*", "*/", "$(", "${", "=", "==", "&&", "||", "!", "-", "--", ".", "..", ",", ";", ":", "?", "in", "is", "let", "match", "allow", "function",
        "return", "if", "0", "9223372036854775808", "1.5", "b'", "\\u00", "request", "resource", "get", "{x=**}", "\u{0}", "ä", "\n",
    ]

    @Test func `damaged rulesets are rejected or decide`() throws {
        var random = SeededGenerator(seed: 7)
        var compiled = 0
        for _ in 0..<TestScale.pick(quick: 3_000, full: 100_000) {
            var text = Array(Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &random)].utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: text.removeSubrange(place..<min(text.count, place + Int.random(in: 1...8, using: &random)))
                case 1: text.insert(contentsOf: Self.tokens[Int.random(in: 0..<Self.tokens.count, using: &random)].utf8, at: place)
                case 2: text[place] = UInt8.random(in: 0...255, using: &random)
                default: text.insert(contentsOf: text[place..<min(text.count, place + 20)], at: Int.random(in: 0..<text.count, using: &random))
                }
                if text.isEmpty { text = [32] }
            }
            let source = RulesSource(text)
            do throws(RulesError) {
                let rules = try RuleSet(source)
                compiled += 1
                decide(rules)
            } catch {
                #expect(!error.errors.isEmpty)
                for case let range? in error.issues.map(\.range) { #expect(0 <= range.start && range.start <= range.end && range.end <= text.count) }
            }
        }
        #expect(compiled > 100, "\(compiled)")
    }

    private func decide(_ rules: RuleSet) {
        let operations: [RulesRequest.Operation] = [
            .get([DocumentKey(trusted: "a/1")]), .list(query("a", field("n", .greaterThan, .integer(1)))), .commit([.set("a/1"), .delete("a/9")]),
        ]
        for operation in operations {
            let state: MemoryState = if case .commit(let writes) = operation { MemoryState(Samples.documents, writes: writes) } else { MemoryState(Samples.documents) }
            let request = RulesRequest(operation, caller: .user(id: "alice", claims: FieldMap()), database: database, time: now)
            let decision = try? rules.decide(request, state)
            let trace = try? rules.trace(request, state)
            #expect(decision != nil && decision?.isGranted == trace?.decision.isGranted)
        }
    }
}
