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

    /// A list to prove, and documents that it could return.
    private struct Case {
        let seed: UInt64
        let text: String
        let query: StructuredQuery
        var caller = RequestContext.Caller.anonymous
        var stored: [Document] = []
        let documents: [Document]
    }

    @Test(arguments: [0, 1, 2, 3])
    func `a list is granted only if every document of its result is`(part: Int) async throws {
        try await run(part) { seed in
            var random = RandomLists(seed: seed)
            let filter = random.chance(90) ? random.filter() : nil
            let text = "function f(d) { \(random.function()) }\nmatch /c/{x} { allow list: if \(random.condition(filter)); }"
            return Case(seed: seed, text: text, query: query("c", filter), documents: (0..<Self.documentsPerCase).map { random.document($0) })
        }
    }

    @Test(arguments: [0, 1, 2, 3])
    func `the same with several matches, a signed-in user, documents that are read, and limits`(part: Int) async throws {
        try await run(part) { seed in
            var random = RandomRequests(seed: seed)
            let place = random.place()
            var listed = StructuredQuery(scope: place.scope, filter: random.lists.chance(90) ? random.lists.filter() : nil)
            random.shape(&listed)
            let caller = random.caller()
            let text = "function f(d) { \(random.lists.function()) }\n" + random.rules(place, listed.filter)
            let documents = (0..<Self.documentsPerCase).map { random.document($0, in: place) }
            return Case(seed: seed, text: text, query: listed, caller: caller, stored: RandomRequests.documents, documents: documents)
        }
    }

    private func run(_ part: Int, _ make: (UInt64) -> Case) async throws {
        var counts = Counts()
        for seed in stride(from: part, to: Self.cases, by: 4) {
            try check(make(UInt64(seed)), &counts)
            if seed % 64 == part { await Task.yield() }
        }
        // Enough of each, or nothing is proven.
        #expect(counts.grantedStrictly > Self.cases / 100, "\(counts)")
        #expect(counts.documents > Self.cases / 50, "\(counts)")
        #expect(counts.unsound > 0, "\(counts)")
        if TestScale.isFull { print(counts) }
    }

    private func check(_ one: Case, _ counts: inout Counts) throws {
        // Malformed queries are rejected before rules are asked.
        guard (try? QueryCheck.check(one.query, database: database)) != nil else { return }
        let rules: RuleSet
        do throws(RulesError) {
            rules = try RuleSet(RulesFixture.text(one.text))
        } catch {
            Issue.record("seed \(one.seed): \(error)\n\(one.text)")
            return
        }
        var isGranted = false
        var isGrantedStrictly = false
        for strict in [false, true] {
            let request = RulesRequest(.list(one.query), caller: one.caller, database: database, time: now, strictLists: strict)
            let answer = try rules.decide(request, MemoryState(one.stored)).isGranted
            if strict { isGrantedStrictly = answer } else { isGranted = answer }
        }
        counts.granted += isGranted ? 1 : 0
        counts.grantedStrictly += isGrantedStrictly ? 1 : 0
        #expect(!isGrantedStrictly || isGranted, "seed \(one.seed): strict mode grants more\n\(one.text)")
        guard isGranted else { return }
        let matcher = QueryMatcher(one.query, database: database)
        for document in one.documents where matcher.matches(document) {
            counts.documents += 1
            guard try !rules.grants(document, of: one.query, caller: one.caller, reading: one.stored) else { continue }
            counts.unsound += 1
            let shown = try "seed \(one.seed): \(document.key.path) \(document.fields.map.entries) of \(one.query) for \(one.caller) violates\n\(one.text)"
            if isGrantedStrictly { Issue.record("strict: \(shown)") }
            if rules.rules.program.assumptions.isEmpty { Issue.record("without a warning: \(shown)") }
        }
    }
}
