// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import TestSupport
import Testing

@testable import FirestoreRules

/// Whenever a list is granted, the condition grants every document that the query can return: without exception in strict mode,
/// and otherwise except where the check warned (SR-90 … SR-99).
struct ListSoundnessTests {
    private static let cases = TestScale.pick(quick: 4_000, full: 100_000)
    private static let documentsPerCase = 12

    private struct Counts {
        var granted = 0
        var grantedStrictly = 0
        /// Documents for which a grant was checked.
        var documents = 0
        /// Grants of the default mode that a document violates, all with a warning.
        var unsound = 0
    }

    @Test(arguments: [0, 1, 2, 3])
    func `a list is granted only if every document of its result is`(part: Int) async throws {
        var counts = Counts()
        for seed in stride(from: part, to: Self.cases, by: 4) {
            try run(seed: UInt64(seed), &counts)
            if seed % 64 == part { await Task.yield() }
        }
        // Enough of each, or nothing is proven.
        #expect(counts.grantedStrictly > Self.cases / 100, "\(counts)")
        #expect(counts.documents > Self.cases / 50, "\(counts)")
        #expect(counts.unsound > 0, "\(counts)")
        if TestScale.isFull { print(counts) }
    }

    private func run(seed: UInt64, _ counts: inout Counts) throws {
        var random = RandomLists(seed: seed)
        let filter = random.chance(90) ? random.filter() : nil
        let listed = query("c", filter)
        let text = RulesFixture.text(
            "function f(d) { \(random.function()) }\nmatch /c/{x} { allow list: if \(random.condition(filter)); }")
        let rules: RuleSet
        do throws(RulesError) {
            rules = try RuleSet(text)
        } catch {
            Issue.record("seed \(seed): \(error)\n\(text)")
            return
        }
        var isGranted = false
        var isGrantedStrictly = false
        for strict in [false, true] {
            let request = RulesRequest(.list(listed), caller: .anonymous, database: database, time: now, strictLists: strict)
            let answer = try rules.decide(request, MemoryState([])).isGranted
            if strict { isGrantedStrictly = answer } else { isGranted = answer }
        }
        counts.granted += isGranted ? 1 : 0
        counts.grantedStrictly += isGrantedStrictly ? 1 : 0
        #expect(!isGrantedStrictly || isGranted, "seed \(seed): strict mode grants more\n\(text)")
        guard isGranted else { return }
        let matcher = QueryMatcher(listed, database: database)
        for id in 0..<Self.documentsPerCase {
            let document = random.document(id)
            guard matcher.matches(document) else { continue }
            counts.documents += 1
            guard try !rules.grants(document, of: listed) else { continue }
            counts.unsound += 1
            let shown = try "seed \(seed): \(document.fields.map.entries) of \(String(describing: filter)) violates\n\(text)"
            if isGrantedStrictly { Issue.record("strict: \(shown)") }
            if rules.rules.program.assumptions.isEmpty { Issue.record("without a warning: \(shown)") }
        }
    }
}
