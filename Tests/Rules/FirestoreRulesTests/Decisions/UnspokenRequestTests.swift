// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreRules

/// A request with a part that no statement speaks of is denied, and nothing is read or applied for it.
@Suite struct UnspokenRequestTests {
    private static let rules = "match /a/{x} { allow get, create: if resource == null || resource.data.n == 1; } match /l/{x} { allow list; }"

    private static let requests: [(RulesRequest.Operation, speaks: Bool)] = [
        (.get([DocumentKey(trusted: "a/1")]), true),
        (.get([DocumentKey(trusted: "a/1"), DocumentKey(trusted: "b/1")]), false),
        (.get([DocumentKey(trusted: "l/1")]), false),
        (.commit([.set("a/1", ("n", .integer(1))), .delete("b/1")]), false),
        (.commit([.set("a/1", ("n", .integer(1))), .verify("a/2", .exists(true))]), true),
        (.commit([.set("l/1", ("n", .integer(1)))]), false),
    ]

    @Test(arguments: requests.indices)
    func `nothing is read for a request that no statement speaks of`(index: Int) throws {
        let (operation, speaks) = Self.requests[index]
        let fixture = try RulesFixture(Self.rules)
        #expect(fixture.rules.speaks(of: operation, in: database) == speaks)
        guard !speaks else { return }
        let state = fixture.state(for: operation)
        #expect(try !fixture.rules.decide(fixture.request(operation), state).isGranted)
        #expect(state.reads.isEmpty)
        let trace = try fixture.rules.trace(fixture.request(operation), state)
        #expect(!trace.decision.isGranted && trace.operations.count == 1)
        #expect(state.reads.isEmpty)
    }
}
