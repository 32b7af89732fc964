// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

/// What count, sum and average say of a result (QR-62 … QR-68).
@Suite struct AggregationTests {
    static let largest = Value.integer(.max)

    static func answers(
        _ query: StructuredQuery, _ aggregations: [Aggregation], over documents: [Document]
    ) throws -> [String: Value] {
        let answers = try AggregationExecutor.run(
            query, aggregations, over: ArrayDocumentSource(documents), database: database)
        return Dictionary(answers.map { ($0.alias, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The values of a field, then its sum and its average.
    static let totals: [(name: String, values: [Value], sum: Value, average: Value)] = [
        ("QR-65 QR-66 nothing", [], .integer(0), .null),
        ("QR-65 QR-66 no numbers", [.string("7"), .null, .array([.integer(7)]), .boolean(true)], .integer(0), .null),
        ("QR-65 integers stay integers", [.integer(1), .integer(2)], .integer(3), .double(1.5)),
        ("QR-65 others are skipped", [.integer(1), .string("x"), .null, .integer(2)], .integer(3), .double(1.5)),
        ("SY-38 pending times are skipped", [.integer(1), pendingTimestamp(5, previous: .integer(9))], .integer(1), .double(1)),
        ("QR-65 one double makes a double", [.integer(1), .double(1)], .double(2), .double(1)),
        ("QR-65 sums on the way may overflow", [largest, .integer(1), .integer(-101)], .integer(.max - 100), .double(3.0744573456182584e18)),
        ("QR-65 downwards too", [.integer(.min), .integer(-1), .integer(101)], .integer(.min + 100), .double(-3.0744573456182584e18)),
        ("QR-65 the largest total", [.integer(.max - 1), .integer(1)], largest, .double(0x1p62)),
        ("QR-65 a total beyond it is a double", [largest, .integer(1)], .double(0x1p63), .double(0x1p62)),
        ("QR-65 the smallest total", [.integer(.min + 1), .integer(-1)], .integer(.min), .double(-0x1p62)),
        ("QR-65 and below", [.integer(.min), .integer(.min)], .double(-0x1p64), .double(-0x1p63)),
        ("QR-65 an integer is not rounded before the total", [.integer(9_007_199_254_740_993), .double(1)], .double(9_007_199_254_740_994), .double(4_503_599_627_370_497)),
        ("QR-65 doubles that cancel integers", [largest, .double(-0x1p63), .integer(5)], .double(4), .double(4.0 / 3)),
        ("QR-65 NaN", [.integer(1), .double(.nan), .double(.infinity)], .double(.nan), .double(.nan)),
        ("QR-65 infinities", [.double(.infinity), .integer(3)], .double(.infinity), .double(.infinity)),
        ("QR-65 infinities against each other", [.double(.infinity), .double(-.infinity)], .double(.nan), .double(.nan)),
        ("QR-66 twice the largest double", [.double(.greatestFiniteMagnitude), .double(.greatestFiniteMagnitude)], .double(.infinity), .double(.infinity)),
        ("QR-66 a sum on the way beyond it", [.double(1e308), .double(1e308), .double(-1e308)], .double(1e308), .double(1e308 / 3)),
        ("QR-65 zeros", [.double(-0.0), .integer(0)], .double(0), .double(0)),
        ("QR-65 the smallest double", [.double(.leastNonzeroMagnitude), .double(.leastNonzeroMagnitude)], .double(0x1p-1073), .double(.leastNonzeroMagnitude)),
        ("QR-65 rounded once", [.double(0.1), .double(0.2), .double(0.3)], .double(0.6), .double(0.6 / 3)),
        ("QR-65 small beside large", [.double(1e16), .double(1), .double(1), .double(1)], .double(1.0000000000000004e16), .double(2_500_000_000_000_001)),
    ]

    @Test(arguments: totals.indices)
    func `sum and average follow the rules whatever the order of the documents`(index: Int) throws {
        let (name, values, sum, average) = Self.totals[index]
        for values in [values, values.reversed()] {
            let documents = values.enumerated().map { document("c/\($0.offset)", ("v", $0.element)) }
            let answers = try Self.answers(
                .c(), [Aggregation(.sum(path("v")), alias: "s"), Aggregation(.average(path("v")), alias: "a")], over: documents)
            #expect(answers["s"].map { ValueBytes($0) } == ValueBytes(sum), "\(name): \(answers)")
            #expect(answers["a"].map { ValueBytes($0) } == ValueBytes(average), "\(name): \(answers)")
        }
    }

    static let some = [
        document("c/a", ("v", .integer(1)), ("n", .integer(1))), document("c/b", ("w", .integer(1)), ("n", .integer(1))),
        document("c/c", ("v", .integer(3)), ("w", .integer(9))), document("c/d", ("v", .string("x"))),
        document("c/e", ("v", .null)), document("d/a", ("v", .integer(100))),
    ]
    static let count = Aggregation(.count(upTo: nil))
    static let sum = Aggregation(.sum(path("v")))

    /// The query, the numbers asked for, their values. As the emulator answers.
    static let results: [(name: String, query: StructuredQuery, aggregations: [Aggregation], values: [Int64?])] = [
        ("QR-64 all", .c(), [count], [5]),
        ("QR-64 none", .c(.field("v", .equal, .integer(2))), [count], [0]),
        ("QR-64 up to", .c(), [Aggregation(.count(upTo: 2)), Aggregation(.count(upTo: 9))], [2, 5]),
        ("QR-64 up to beside a sum", .c(), [Aggregation(.count(upTo: 2)), sum], [2, 4]),
        ("QR-67 documents with the field only", .c(), [count, sum], [4, 4]),
        ("QR-67 with all of the fields", .c(), [count, sum, Aggregation(.sum(path("w")))], [1, 3, 9]),
        ("QR-67 a field that no document has", .c(), [Aggregation(.average(path("none"))), count], [nil, 0]),
        ("QR-63 a filter", .c(.field("w", .greaterThan, .integer(0))), [count, Aggregation(.sum(path("w")))], [2, 10]),
        ("QR-63 a limit", .c(limit: 2), [count], [2]),
        ("QR-63 a limit of the order the sum implies", .c(limit: 2), [count, sum], [2, 1]),
        ("QR-63 an offset", .c(offset: 1, limit: 2), [count, sum], [2, 4]),
        ("QR-63 an offset beyond the end", .c(offset: 9), [count], [0]),
        ("QR-63 a limit of zero", .c(limit: 0), [count, sum], [0, 0]),
        ("QR-63 an order first", .c(orders: ["-n"], limit: 1), [count, sum], [1, 1]),
        ("QR-68 documents without an ordered field", .c(orders: ["n"]), [count], [2]),
        ("QR-63 a cursor", .c(orders: ["v"], start: QueryBound(.integer(2), before: true), end: QueryBound(.integer(9), before: true)), [count, sum], [1, 3]),
        ("QR-63 the document id first", .c(orders: ["__name__"], limit: 3), [count], [3]),
    ]

    @Test(arguments: results.indices)
    func `aggregations are over the result of the query`(index: Int) throws {
        let (name, query, aggregations, values) = Self.results[index]
        let answers = try AggregationExecutor.run(
            query, aggregations, over: ArrayDocumentSource(Self.some), database: database)
        #expect(answers.map { ValueBytes($0.value) } == values.map { ValueBytes($0.map { .integer($0) } ?? .null) }, "\(name): \(answers)")
    }

    @Test func `a count with a limit reads no further than it must`() throws {  // QR-64
        let source = ArrayDocumentSource((0..<100).map { document("c/\($0)") })
        let answers = try AggregationExecutor.run(.c(), [Aggregation(.count(upTo: 3))], over: source, database: database)
        #expect(answers.map { ValueBytes($0.value) } == [ValueBytes(.integer(3))])
        #expect(source.reads.scanned == 3)
    }

    @Test func `numbers without a name are numbered among themselves`() throws {  // QR-62
        let aggregations = [Self.count, Aggregation(.count(upTo: nil), alias: "x"), Self.sum]
        #expect(try Self.answers(.c(), aggregations, over: []).keys.sorted() == ["field_1", "field_2", "x"])
    }

    @Test func `a group is aggregated over all its collections`() throws {
        let query = StructuredQuery(scope: .collectionGroup(id: "c", under: nil))
        let documents = [document("c/1", ("v", .integer(1))), document("d/1/c/2", ("v", .integer(2)))]
        #expect(try Self.answers(query, [Self.sum], over: documents)["field_1"].map { ValueBytes($0) } == ValueBytes(.integer(3)))
    }
}
