// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

/// Rules about a whole result: which steps come first, which documents appear, how ties end.
@Suite struct QueryRuleTests {
    static func ids(_ query: StructuredQuery, _ documents: [Document]) throws -> [String] {
        try QueryCheck.check(query, database: database)
        return try QueryAnswer.documents(of: query, over: ArrayDocumentSource(documents), database: database).map(\.key.id)
    }

    /// n = 0 … 9, in two groups.
    static let ten = (0..<10).map { document("c/d\($0)", ("n", .integer(Int64($0))), ("g", .integer(Int64($0 % 2)))) }

    @Test func `the steps come in their order: filter, order, cursors, offset, limit, projection`() throws {  // QR-1
        var query = StructuredQuery.c(
            .field("g", .equal, .integer(0)), orders: ["-n"], start: QueryBound(.integer(7), before: true), offset: 1, limit: 2)
        #expect(try Self.ids(query, Self.ten) == ["d4", "d2"])
        query.projection = [path("g")]
        #expect(try Self.ids(query, Self.ten) == ["d4", "d2"])
    }

    @Test(arguments: [
        (0, nil, ["d3", "d4", "d5"]), (2, nil, ["d5"]), (3, nil, []), (99, nil, []), (1, 1, ["d4"]), (.max, .max, []),
    ] as [(Int, Int?, [String])])
    func `an offset counts from the cursor, a limit from the offset`(offset: Int, limit: Int?, expected: [String]) throws {  // QR-41
        let query = StructuredQuery.c(
            orders: ["n"], start: QueryBound(.integer(2), before: false), end: QueryBound(.integer(5), before: false), offset: offset,
            limit: limit)
        #expect(try Self.ids(query, Self.ten) == expected)
    }

    @Test func `a document that meets several alternatives occurs once`() throws {  // QR-16
        let filter = QueryFilter.or([
            .field("n", .lessThan, .integer(3)), .field("n", .greaterThan, .integer(1)), .field("g", .in, .array([.integer(0), .integer(1)])),
        ])
        #expect(try Self.ids(.c(filter), Self.ten) == Self.ten.map(\.key.id))
        let tags = document("c/1", ("t", .array([.string("a"), .string("b"), .string("a")])))
        let any = QueryFilter.field("t", .arrayContainsAny, .array([.string("a"), .string("b")]))
        #expect(try Self.ids(.c(any), [tags]) == ["1"])
    }

    @Test func `ties end by name, in the direction of the last order`() throws {  // QR-28, QR-33
        let same = ["b", "a", "__id7__", "c"].map { document("c/" + $0, ("n", .double(1))) } + [document("c/0", ("n", .integer(1)))]
        #expect(try Self.ids(.c(orders: ["n"]), same) == ["__id7__", "0", "a", "b", "c"])
        #expect(try Self.ids(.c(orders: ["-n"]), same) == ["c", "b", "a", "0", "__id7__"])
        #expect(try Self.ids(.c(orders: ["-n", "__name__"]), same) == ["__id7__", "0", "a", "b", "c"])
        #expect(try Self.ids(.c(.field("n", .lessThanOrEqual, .integer(1))), same) == ["__id7__", "0", "a", "b", "c"])
    }

    @Test func `an order by a field that is also filtered by equality is taken literally`() throws {  // QR-29, QR-32
        let filter = QueryFilter.field("g", .in, .array([.integer(1), .integer(0)]))
        #expect(try Self.ids(.c(filter, orders: ["-g"], limit: 2), Self.ten) == ["d9", "d7"])
        #expect(try Self.ids(.c(filter, limit: 2), Self.ten) == ["d0", "d1"])
    }

    @Test func `no query needs an index to be answered`() throws {  // QR-53
        let query = StructuredQuery.c(
            .and([.field("g", .equal, .integer(1)), .field("n", .greaterThan, .integer(4))]), orders: ["-n", "g"])
        #expect(try Self.ids(query, Self.ten) == ["d9", "d7", "d5"])
    }

    static let reserved = ["__x__", "m.__x__", "__name__.x", "x.__name__", String(repeating: "f", count: 1_501)]

    @Test(arguments: reserved)
    func `field paths follow the rules of field names everywhere in a query`(name: String) {  // QR-27, DM-18
        var nearest = StructuredQuery.c()
        nearest.nearest = VectorSearch(field: path(name), vector: [1], measure: .cosine, limit: 1)
        for query in [.c(.field(name, .equal, .null)), .c(.and([.field(name, .in, .array([.null]))])), .c(orders: [name]), nearest] {
            let error = expect(.invalidArgument) { () throws(FirestoreError) in try QueryCheck.check(query, database: database) }
            #expect(error?.message.contains("field path") == true, "\(String(describing: error))")
        }
        expect(.invalidArgument) { () throws(FirestoreError) in
            try AggregationCheck.check([Aggregation(.sum(path(name)))], over: .c())
        }
    }
}
