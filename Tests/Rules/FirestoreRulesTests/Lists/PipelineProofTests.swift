// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreRules

/// What rules grant to pipelines: every source is a list or a get, and is proved by the conditions that follow it.
struct PipelineProofTests {
    private static let owned = "match /a/{x} { allow list: if resource.data.owner == request.auth.uid; }"
    private static let shown = "match /a/{x} { allow list: if resource.data.hidden != true; }"
    private static let open = "match /a/{x} { allow read: if true; }"

    private func isGranted(_ text: String, _ rules: String) throws -> Bool {
        let fixture = try RulesFixture(rules).as("alice")
        return try fixture.decide(.pipeline(PipelineReads(try PipelineText.parse(text), in: database))).isGranted
    }

    @Test(arguments: [
        // PT-220
        ("collection(/a) where(equal(owner, \"alice\"))", owned, true), ("collection(/a)", owned, false), ("collection(/a) where(equal(owner, \"bob\"))", owned, false),
        ("collection(/a) limit(5) where(equal(owner, \"alice\"))", owned, false), ("collection(/a) select(owner) where(equal(owner, \"alice\"))", owned, false),
        ("collection(/a) sort(n desc) where(equal(\"alice\", owner)) limit(5)", owned, true),
        ("collection(/a) where(and(greater_than(n, 1), equal(owner, \"alice\")))", owned, true),
        ("collection(/a) where(greater_than(n, 1)) where(equal_any(owner, [\"alice\"]))", owned, true),
        // PT-221
        ("collection(/a) where(equal(to_lower(owner), \"alice\"))", owned, false), ("collection(/a) where(or(equal(owner, \"alice\"), equal(n, 1)))", owned, false),
        ("collection(/a) let(\"alice\" as me) where(equal(owner, $me))", owned, false),
        // PT-222
        ("collection(/a) where(not_equal(hidden, true))", shown, false), ("collection(/a) where(and(exists(hidden), not_equal(hidden, true)))", shown, true),
        ("collection(/a) where(not_equal(hidden, true)) where(exists(hidden))", shown, true), ("collection(/a) where(exists(hidden))", shown, false),
        // PT-223
        ("collection(/a)", open, true), ("collection(/a) union(collection(/b))", open, false), ("collection(/a) union(collection(/a))", open, true),
        ("collection(/a) where(conditional(true, true, exists(scalar(collection(/b)))))", open, false), ("collection(/a) add_fields(array(subcollection(log)) as l)", open, false),
        ("collection(/a) add_fields(array(subcollection(log)) as l)", open + "match /{p=**}/log/{y} { allow list; }", true),
        ("collection_group(a)", open, false), ("database()", open, false), ("database()", "match /{all=**} { allow list; }", true),
        // PT-224: also where the condition would be true of a query without a limit.
        ("collection(/a) limit(5)", "match /a/{x} { allow list: if request.query.limit <= 10; }", false),
        ("collection(/a)", "match /a/{x} { allow list: if request.query.limit == null; }", false),
        ("collection(/a)", "match /a/{x} { allow list: if request.query.limit == null || request.auth != null; }", true),
        // PT-225
        ("documents(/a/1)", "match /a/1 { allow get; }", true), ("documents(/a/1, /a/2)", "match /a/1 { allow get; }", false), ("documents(/a/1)", "match /a/1 { allow list; }", false),
        ("documents(/a/1)", "match /a/{x} { allow get: if resource.data.owner == 'alice'; }", true), ("documents(/a/1, /a/2)", "match /a/{x} { allow get: if resource.data.owner == 'alice'; }", false),
        // PT-226, PT-233
        ("collection(/a) delete()", "match /{all=**} { allow read, write; }", false), ("collection(/a) update(1 as n)", "match /{all=**} { allow read, write; }", false),
        ("literals({a: 1})", "match /{all=**} { allow read, write; }", false), ("literals({a: 1}) union(collection(/a))", "match /{all=**} { allow read, write; }", true),
        // Methods, paths and the user are those of lists.
        ("collection(/a)", "match /a/{x} { allow list: if request.method == 'list' && request.path == /databases/$(db)/documents/a; }", true),
    ] as [(String, String, Bool)])
    func `pipelines are granted so much and no more`(text: String, rules: String, expected: Bool) throws {
        #expect(try isGranted(text, rules) == expected)
    }

    // PQ-23
    @Test func `nothing is granted because conditions do not mention a field`() throws {
        let rules = "match /a/{x} { allow list: if !('secret' in resource.data); }"
        let fixture = try RulesFixture(rules).as("alice")
        #expect(try fixture.allows(query("a")))
        #expect(try !isGranted("collection(/a)", rules))
    }

    // PL-240
    @Test func `more alternatives than a query may have are denied, not malformed`() throws {
        let values = (0..<31).map(String.init).joined(separator: ", ")
        let rules = "match /a/{x} { allow list: if resource.data.n >= 0; }"
        #expect(try !isGranted("collection(/a) where(equal_any(n, [\(values)]))", rules))
        #expect(try isGranted("collection(/a) where(equal_any(n, [0, 1, 2]))", rules))
        // Other limits of queries do not apply to pipelines.
        let fields = (0..<15).map { "greater_than(f\($0), 1)" }.joined(separator: ", ")
        #expect(try isGranted("collection(/a) where(and(equal(n, 1), \(fields)))", rules))
    }

    @Test func `the explanation of a denial says why no rule was asked`() throws {
        let fixture = try RulesFixture("match /{all=**} { allow read, write; }").as("alice")
        let operation = RulesRequest.Operation.pipeline(try PipelineReads(try PipelineText.parse("collection(/a) delete()"), in: database))
        let explanation = try fixture.rules.trace(fixture.request(operation), fixture.state(for: operation)).explanation
        #expect(!explanation.isGranted && explanation.reason.contains("administrators"))
    }
}
