// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

/// Queries over documents of all collections (QR-2, QR-3).
@Suite struct KindlessQueryTests {
    static let paths = [
        "c/__id-9223372036854775808__", "c/__id2__", "c/__id10__", "c/2", "c/2/s/__id1__", "c/2/s/x", "c/2/s/x/t/1", "c/a",
        "c/a/c/b", "c/\u{e9}", "cc/1", "d/x", "d/x/c/1",
    ]

    static func kindless(
        _ filter: QueryFilter? = nil, under: String? = nil, all: Bool = true, orders: [String] = []
    ) -> StructuredQuery {
        var query = StructuredQuery.c(filter, orders: orders)
        query.scope = .kindless(under: under.map { DocumentKey(trusted: $0) }, allDescendants: all)
        return query
    }

    static func found(_ query: StructuredQuery) throws -> [String] {
        try QueryCheck.check(query, database: database)
        let source = ArrayDocumentSource(paths.map { document($0) })
        return try QueryAnswer.documents(of: query, over: source, database: database).map(\.key.path)
    }

    @Test func `everything below a document, or below the root, in the order of names`() throws {
        #expect(try Self.found(Self.kindless()) == Self.paths)
        #expect(try Self.found(Self.kindless(under: "c/2")) == ["c/2/s/__id1__", "c/2/s/x", "c/2/s/x/t/1"])
        #expect(try Self.found(Self.kindless(under: "c/__id2__")).isEmpty)
        #expect(try Self.found(Self.kindless(orders: ["__name__"])) == Self.paths)
    }

    @Test func `without descendants a kindless query covers only collections right below`() throws {
        #expect(try Self.found(Self.kindless(all: false)) == Self.paths.filter { $0.split(separator: "/").count == 2 })
        #expect(try Self.found(Self.kindless(under: "c/2", all: false)) == ["c/2/s/__id1__", "c/2/s/x"])
    }

    /// From the first possible name of the collection up to that of the next possible collection: its id and a NUL.
    @Test(arguments: [("c", 10), ("cc", 1), ("d", 2), ("b", 0)])
    func `a range of names is a collection with all that lies below it`(collection: String, count: Int) throws {
        let first = "__id-9223372036854775808__"
        let range = QueryFilter.and([
            .field("__name__", .greaterThanOrEqual, reference(collection + "/" + first)),
            .field("__name__", .lessThan, reference(collection + "\u{0}/" + first)),
        ])
        let found = try Self.found(Self.kindless(range))
        #expect(found == Self.paths.filter { $0.hasPrefix(collection + "/") } && found.count == count)
    }

    @Test func `limits, offsets and cursors go by name`() throws {
        var query = Self.kindless(orders: ["__name__"])
        query.start = QueryBound(reference("c/2/s/__id1__"), before: false)
        query.end = QueryBound(reference("c/b"), before: true)
        #expect(try Self.found(query) == ["c/2/s/x", "c/2/s/x/t/1", "c/a", "c/a/c/b"])
        query.offset = 1
        query.limit = 2
        #expect(try Self.found(query) == ["c/2/s/x/t/1", "c/a"])
        #expect(try Self.found(Self.kindless(.field("__name__", .in, .array([reference("d/x"), reference("c/2/s/x")])))) == ["c/2/s/x", "d/x"])
    }

    @Test func `a kindless count covers everything`() throws {
        let answers = try AggregationExecutor.run(
            Self.kindless(), [Aggregation(.count(upTo: nil))], over: ArrayDocumentSource(Self.paths.map { document($0) }), database: database)
        #expect(answers.map { ValueBytes($0.value) } == [ValueBytes(.integer(Int64(Self.paths.count)))])
    }

    static let refused: [(String, StructuredQuery)] = [
        ("a filter on a field", kindless(.field("a", .equal, .integer(1)))),
        ("a filter on a field in a tree", kindless(.or([.field("__name__", .equal, reference("c/1")), .field("a", .equal, .null)]))),
        ("an order by a field", kindless(orders: ["a"])),
        ("a descending order", kindless(orders: ["-__name__"])),
    ]

    @Test(arguments: refused.indices)
    func `anything but names in ascending order is rejected`(index: Int) {  // QR-3
        let (name, query) = Self.refused[index]
        let error = expect(.invalidArgument) { () throws(FirestoreError) in try QueryCheck.check(query, database: database) }
        #expect(error?.message.contains("a query over all collections") == true, "\(name): \(String(describing: error))")
    }
}
