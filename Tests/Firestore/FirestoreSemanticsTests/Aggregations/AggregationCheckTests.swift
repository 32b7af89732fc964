// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

@Suite struct AggregationCheckTests {
    static func count(_ alias: String? = nil, upTo: Int? = nil) -> Aggregation { Aggregation(.count(upTo: upTo), alias: alias) }

    static func projected(_ field: String) -> StructuredQuery {
        var query = StructuredQuery.c()
        query.projection = [path(field)]
        return query
    }

    /// The numbers, and a word of the message that identifies the rule that rejected them; nil when they are fine.
    static let cases: [(String, [Aggregation], String?)] = [
        ("QR-62 none", [], "Aggregations can not be empty"),
        ("QR-62 five", (0..<5).map { _ in count() }, nil),
        ("QR-62 six", (0..<6).map { _ in count() }, "at most 5"),
        ("QR-62 the same alias", [count("a"), count("a")], "Aggregation aliases contain duplicate alias: a"),
        ("QR-62 an alias that another one gets", [count("field_1"), count()], "Aggregation aliases contain duplicate alias: field_1"),
        ("QR-62 aliases differ by bytes", [count("\u{e9}"), count("e\u{301}")], nil),
        ("QR-62 any field name", [count("a.b"), count("a b"), count("ü"), count("`")], nil),
        ("QR-62 an empty alias", [count("")], "empty"),
        ("QR-62 a reserved alias", [count("__x__")], "reserved"),
        ("QR-62 a long alias", [count(String(repeating: "a", count: 1_501))], "1500"),
        ("QR-64 up to one", [count(upTo: 1)], nil),
        ("QR-64 up to zero", [count(upTo: 0)], "at least 1"),
        ("QR-64 up to less", [count(upTo: -1)], "at least 1"),
        ("QR-65 the document id", [Aggregation(.sum(.documentID))], "not a number"),
        ("QR-66 the document id", [Aggregation(.average(.documentID))], "id"),
    ]

    @Test(arguments: cases.indices)
    func `aggregations are rejected by their rule`(index: Int) {
        let (name, aggregations, word) = Self.cases[index]
        do {
            try AggregationCheck.check(aggregations, over: .c())
            #expect(word == nil, "\(name) was accepted")
        } catch {
            #expect(error.code == .invalidArgument)
            #expect(word.map { error.description.contains($0) } == true, "\(name): \(error)")
        }
    }

    @Test func `fields outside the projection cannot be summed`() throws {  // QR-63
        let sum = [Aggregation(.sum(path("m.x")))]
        try AggregationCheck.check(sum, over: Self.projected("m.x"))
        try AggregationCheck.check(sum, over: Self.projected("m"))
        for field in ["m.x.y", "a", "__name__"] {
            expect(.invalidArgument) { () throws(FirestoreError) in try AggregationCheck.check(sum, over: Self.projected(field)) }
        }
    }
}
