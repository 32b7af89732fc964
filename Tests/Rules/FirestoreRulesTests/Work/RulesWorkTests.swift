// SPDX-License-Identifier: Apache-2.0
#if DEBUG
    import FirestoreCore
    import TestSupport
    import Testing

    @testable import FirestoreRules

    /// Work of rules that grows as what is sent does, and no faster.
    @Suite struct RulesWorkTests {
        private static let key = DocumentKey(trusted: "a/1")

        private func state(_ fields: FieldMap) -> MemoryState {
            MemoryState([Document(key: Self.key, createTime: .none, updateTime: .none, fields: FieldBytes(fields))])
        }

        private func decide(_ rules: RuleSet, _ state: MemoryState) throws {
            let request = RulesRequest(.get([Self.key]), caller: .anonymous, database: database, time: now)
            let isGranted = try rules.decide(request, state).isGranted
            #expect(isGranted)
        }

        /// Many maps whose names and values follow one another in the same order of bytes.
        private static func alike(_ count: Int) -> [Value] {
            let text = String(repeating: "x", count: 4 * count + 10)
            return (1...count).map { cut in
                let name = String(text.prefix(cut))
                return .map(FieldMap([(name, .string(String(text.dropFirst(cut))))]))
            }
        }

        private static let conditions = [
            "resource.data.a.hasAll(resource.data.b)", "!resource.data.a.hasAny(resource.data.c)", "resource.data.a.hasOnly(resource.data.b)",
            "resource.data.a.toSet() == resource.data.b.toSet()", "resource.data.a.removeAll(resource.data.b).size() == 0",
            "resource.data.a.concat(resource.data.b).size() > 0", "resource.data.a.toSet().union(resource.data.c.toSet()).size() > 0",
            "resource.data.a.toSet().intersection(resource.data.b.toSet()).size() > 0",
            "resource.data.a.toSet().difference(resource.data.b.toSet()).size() == 0", "!('none' in resource.data.a)",
            "resource.data.m.diff(resource.data.n).affectedKeys().size() > 0", "resource.data.m.keys().hasAll(resource.data.m.keys())",
            "resource.data.m.values().size() > 0", "resource.data.a == resource.data.b", "resource.data.c.join(',').size() > 0",
        ]

        @Test(arguments: conditions)
        func `an operator of long lists and maps`(condition: String) throws {
            let rules = try RuleSet(RulesFixture.text("match /a/{x} { allow get: if \(condition); }"))
            try expectLinear(condition, at: 500, { count -> MemoryState in
                let a = (0..<count).map { Value.string("e\($0)") }
                let maps = [1, 2].map { n in Value.map(FieldMap((0..<count).map { ("k\($0)", .integer(Int64($0 % 2 * n))) })) }
                return state(
                    FieldMap([
                        ("a", .array(a)), ("b", .array(a)), ("c", .array((0..<count).map { .string("c\($0)") })), ("m", maps[0]), ("n", maps[1]),
                    ]))
            }) { try decide(rules, $0) }
        }

        @Test(arguments: ["resource.data.a.toSet().size() > 0", "resource.data.a.hasAll(resource.data.a)"])
        func `maps that are cut in different places do not share a hash`(condition: String) throws {
            let rules = try RuleSet(RulesFixture.text("match /a/{x} { allow get: if \(condition); }"))
            // Each map has as many bytes as there are maps: the input grows by sixteen.
            let (small, large) = (state(FieldMap([("a", .array(Self.alike(100)))])), state(FieldMap([("a", .array(Self.alike(400)))])))
            let one = try WorkCounter.measure { try decide(rules, small) }
            let four = try WorkCounter.measure { try decide(rules, large) }
            #expect(four <= 16 * one, "\(one), then \(four)")
        }

        @Test func `conditions that ask which documents a commit of many writes deletes`() throws {
            let rules = try RuleSet(RulesFixture.text("match /a/{x} { allow write: if getAfter(request.path) == null; }"))
            try expectLinear("getAfter", at: 20, { count in (0..<count).map { Write.delete("a/\($0)") } }) { writes in
                let request = RulesRequest(.commit(writes), caller: .anonymous, database: database, time: now)
                _ = try rules.decide(request, NoDocuments())
            }
        }

        // MARK: Proofs

        private func reads(_ count: Int, of collection: String = "/a", _ condition: (Int) -> PipelineArgument) throws -> PipelineReads {
            let source = PipelineStage(.collection, [.value(.reference(collection))])
            let stage = PipelineStage(.where, [.function(PipelineFunction("and", (0..<count).map(condition)))])
            return try PipelineReads(PipelineRequest([source, stage]), in: database)
        }

        private func equal(_ number: Int) -> PipelineArgument {
            .call("equal", .field(FieldPathSegments(["m", "f\(number)"])), .value(.integer(Int64(number))))
        }

        @Test func `the proof of a pipeline with many conditions`() throws {
            let rules = try RuleSet(RulesFixture.text("match /a/{x} { allow list: if resource.data.m.f1 == 1; }"))
            try expectLinear("pipeline", { try reads($0, equal) }) { reads in
                let request = RulesRequest(.pipeline(reads), caller: .anonymous, database: database, time: now)
                let isGranted = try rules.decide(request, NoDocuments()).isGranted
                #expect(isGranted)
            }
        }

        @Test func `conditions of a pipeline are not looked at if no rule speaks of its path`() throws {
            let rules = try RuleSet(RulesFixture.text("match /b/{x} { allow list; }"))
            let request = RulesRequest(.pipeline(try reads(10_000, equal)), caller: .anonymous, database: database, time: now)
            let work = try WorkCounter.measure {
                let isGranted = try rules.decide(request, NoDocuments()).isGranted
                #expect(!isGranted)
            }
            #expect(work < 1_000)
        }

        @Test func `a proof ends when the caller no longer waits`() throws {
            let rules = try RuleSet(RulesFixture.text("match /a/{x} { allow list: if resource.data.m.f1 == 1; }"))
            var request = RulesRequest(.pipeline(try reads(10_000, equal)), caller: .anonymous, database: database, time: now)
            request.patience = Patience(deadline: ContinuousClock.now - .seconds(1))
            let work = WorkCounter.measure {
                expectImmediateError(.deadlineExceeded) { try rules.decide(request, NoDocuments()) }
            }
            #expect(work < 10_000)
        }
    }

    /// A state without documents, for which nothing is applied.
    private final class NoDocuments: RulesState {
        func before(_ key: DocumentKey) throws(FirestoreError) -> Document? { nil }
        func after(_ key: DocumentKey) throws(FirestoreError) -> Document? { nil }
    }
#endif
