// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules
import TestSupport
import Testing

/// Queries that are rejected before rules are asked (SR-23).
struct MalformedListTests {
    private static func numbers(_ count: Int) -> Value { .array((0..<count).map { .integer(Int64($0)) }) }

    static let queries: [(query: StructuredQuery, message: String)] = [
        (query("a", field("n", .in, numbers(31))), "in takes at most 30 values, here are 31"),
        (query("a", field("n", .in, numbers(0))), "the array of in is empty"),
        (query("a", field("n", .in, .integer(1))), "the operand of in must be an array"),
        (query("a", field("n", .notIn, numbers(11))), "not-in takes at most 10 values"),
        (query("a", .and([field("l", .arrayContains, .integer(1)), field("k", .arrayContains, .integer(2))])), "array-contains"),
        (query("a", .and([field("n", .notEqual, .integer(1)), field("m", .notEqual, .integer(2))])), "at most one != or not-in"),
        (query("a", .and([field("n", .in, numbers(6)), field("m", .in, numbers(6))])), "at most 30 alternatives"),
        (query("a", .or((0..<31).map { field("n", .equal, .integer($0)) })), "at most 30 alternatives"),
        (query("a", .or([])), "an OR filter needs at least one alternative"),
        (query("a", limit: -1), "the limit of a query must not be negative"),
    ]

    @Test(arguments: queries.indices, ["if resource.data.n == 1", "if true", "if false"])
    func `a malformed query is an invalid argument, whatever the rules say`(index: Int, condition: String) throws {
        let (query, message) = Self.queries[index]
        let fixture = try RulesFixture("match /a/{x} { allow list: \(condition); }").as("alice")
        for decide in [{ try fixture.decide(.list(query)) }, { try fixture.rules.trace(fixture.request(.list(query)), fixture.state(for: .list(query))).decision }] {
            let error = #expect(throws: FirestoreError.self) { try decide() }
            #expect(error?.code == .invalidArgument && error?.message.contains(message) == true, "\(error.map { "\($0)" } ?? "")")
        }
    }

    @Test func `the largest query that is well-formed is judged`() throws {
        let filter = QueryFilter.and([field("n", .in, Self.numbers(30)), field("l", .arrayContains, .integer(1))])
        #expect(try RulesFixture("match /a/{x} { allow list: if resource.data.n < 30; }").allows(query("a", filter)))
        #expect(try !RulesFixture("match /a/{x} { allow list: if resource.data.n < 29; }").allows(query("a", filter)))
    }
}
