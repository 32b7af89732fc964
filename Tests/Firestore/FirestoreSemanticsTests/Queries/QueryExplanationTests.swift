// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

/// What a plan touches, with the right index and without one.
@Suite struct QueryExplanationTests {
    /// 200 cities of 10 countries; the name of the field says what it is.
    static let cities = (0..<200).map { number in
        document(
            "c/\(number)", ("country", .string("land\(number % 10)")), ("population", .integer(Int64(number * 7_919 % 200))),
            ("tags", .array([.string("t\(number % 4)"), .string("u\(number % 5)")])))
    }

    private static func explain(_ query: StructuredQuery, _ indexes: [IndexDefinition]) throws -> QueryExplanation {
        try QueryExecutor.explain(
            query, analyze: true, over: ArrayDocumentSource(cities, indexes: indexes), database: database)
    }

    private static func index(_ fields: String...) -> IndexDefinition {
        IndexDefinition(
            collectionID: "c",
            fields: fields.map { field in
                field.hasPrefix("-") ? .init(path(String(field.dropFirst())), .descending)
                    : field.hasPrefix("[") ? .init(path(String(field.dropFirst())), .arrayContains) : .init(path(field))
            })
    }

    @Test func `without an index all is read, and the explanation names the index that would help`() throws {
        let query = StructuredQuery.c(.field("country", .equal, .string("land3")), orders: ["-population"], limit: 5)
        let explanation = try Self.explain(query, [])
        #expect(explanation.scansAll && explanation.indexes.isEmpty)
        #expect(explanation.statistics?.documentsRead == 200 && explanation.statistics?.results == 5)
        #expect(explanation.idealIndex?.description == "c(country, population desc)")

        let ideal = try #require(explanation.idealIndex)
        for index in [ideal, ideal.reversed] {
            let better = try Self.explain(query, [index])
            #expect(!better.scansAll && better.idealIndex == nil && better.indexes == [index])
            #expect(better.statistics?.documentsRead == 5 && better.statistics?.entriesRead == 5, "\(better)")
        }
    }

    // QR-71
    @Test func `reads are counted as the service charges them`() throws {
        func reads(_ query: StructuredQuery) throws -> Int? {
            try Self.explain(query, []).statistics?.billing.readOperations
        }
        #expect(try reads(.c()) == 200)
        #expect(try reads(.c(limit: 5)) == 5)
        var skipping = StructuredQuery.c(limit: 5)
        skipping.offset = 30
        #expect(try reads(skipping) == 35)
        skipping.offset = 1_000
        #expect(try reads(skipping) == 200)
        #expect(try reads(.c(.field("country", .equal, .string("nowhere")))) == 1)
    }

    // QR-71
    @Test func `a count is one read for every thousand entries`() throws {
        for (documents, expected) in [(0, 1), (999, 1), (1_000, 1), (1_001, 2)] {
            let source = ArrayDocumentSource((0..<documents).map { document("c/\($0)", ("n", .integer(1))) })
            for kind in [Aggregation.Kind.count(upTo: nil), .sum(path("n"))] {
                let explanation = try QueryExecutor.explain(
                    .c(), [Aggregation(kind)], analyze: true, over: source, database: database)
                #expect(explanation.statistics?.billing.readOperations == expected, "\(documents) documents")
                #expect(explanation.statistics?.results == 1)
            }
        }
    }

    // QR-71
    @Test func `a vector search is charged for its results, and for each hundred compared vectors`() throws {
        let source = ArrayDocumentSource((0..<150).map { document("c/\($0)", ("v", .vector([Double($0), 0]))) })
        var query = StructuredQuery.c()
        query.nearest = VectorSearch(field: path("v"), vector: [3, 0], measure: .euclidean, limit: 4)
        let explanation = try QueryExecutor.explain(query, analyze: true, over: source, database: database)
        #expect(explanation.statistics?.results == 4 && explanation.statistics?.billing.readOperations == 6)
    }

    // QR-71
    @Test func `without an index the explanation names the walk over names`() throws {
        #expect(try Self.explain(.c(), []).nameIndex == IndexDefinition(collectionID: "c", fields: []))
        let backwards = try Self.explain(.c(orders: ["-__name__"]), []).nameIndex
        #expect(backwards.nameDirection == .descending && backwards.scope == .collection)
        let group = StructuredQuery(scope: .collectionGroup(id: "c", under: nil))
        #expect(try Self.explain(group, []).nameIndex.scope == .collectionGroup)
    }

    /// `in` and OR are ranges side by side: nothing is read that is not returned.
    @Test func `in and or read only the documents that they return`() throws {
        let lands = (0..<10).map { Value.string("land\($0)") }
        let listed = StructuredQuery.c(.field("country", .in, .array(lands)), orders: ["population"], limit: 20)
        let explanation = try Self.explain(listed, [Self.index("country", "population")])
        #expect(explanation.statistics?.documentsRead == 20 && explanation.statistics?.results == 20)
        #expect((explanation.statistics?.entriesRead ?? .max) <= 30)

        let either = StructuredQuery.c(
            .or([
                .and([.field("population", .greaterThanOrEqual, .integer(10)), .field("population", .lessThan, .integer(20))]),
                .and([.field("population", .greaterThanOrEqual, .integer(15)), .field("population", .lessThan, .integer(30))]),
            ]))
        let ranges = try Self.explain(either, [Self.index("population")])
        #expect(ranges.statistics?.results == 20 && ranges.statistics?.documentsRead == 20, "\(ranges)")
    }

    @Test func `two equalities without a common index are merged from two`() throws {
        let query = StructuredQuery.c(
            .and([.field("country", .equal, .string("land4")), .field("tags", .arrayContains, .string("t0"))]))
        let explanation = try Self.explain(query, [Self.index("country"), Self.index("[tags")])
        #expect(explanation.indexes.count == 2 && explanation.plan.hasPrefix("zig-zag"), "\(explanation.plan)")
        #expect(explanation.statistics?.documentsRead == explanation.statistics?.results)
        #expect((explanation.statistics?.results ?? 0) > 0)
    }

    @Test func `an offset is walked over in the index`() throws {
        let query = StructuredQuery.c(orders: ["population"], offset: 50, limit: 5)
        let explanation = try Self.explain(query, [Self.index("population")])
        #expect(explanation.statistics?.documentsRead == 5 && explanation.statistics?.entriesRead == 55)
    }

    @Test func `counting reads entries alone`() throws {
        let counters = QueryCounters()
        let source = ArrayDocumentSource(Self.cities, indexes: [Self.index("country")])
        let query = StructuredQuery.c(.field("country", .equal, .string("land1")))
        #expect(try QueryExecutor.count(query, over: source, database: database, counters: counters) == 20)
        #expect(counters.documentsRead == 0 && counters.entriesRead == 20)
        #expect(try QueryExecutor.count(query, over: source, database: database, upTo: 3, counters: counters) == 3)
        #expect(counters.entriesRead == 23)
    }
}

/// QR-52: what the service wants a composite index for.
@Suite struct IdealIndexTests {
    private static func group(_ filter: QueryFilter) -> StructuredQuery {
        StructuredQuery(scope: .collectionGroup(id: "c", under: nil), filter: filter)
    }

    static let needs: [(StructuredQuery, [String])] = [
        (.c(), []),
        (.c(.field("a", .equal, .integer(1))), []),
        (.c(.field("a", .greaterThan, .integer(1)), orders: ["-a"]), []),
        (.c(.and([.field("a", .equal, .integer(1)), .field("b", .equal, .integer(1))])), []),
        (.c(.and([.field("a", .equal, .integer(1)), .field("b", .arrayContains, .integer(1))])), []),
        (.c(.field("a", .in, .array([.integer(1), .integer(2)]))), []),
        (.c(.field("a", .equal, .integer(1)), orders: ["-b"]), ["c(a, b desc)"]),
        (.c(.and([.field("b", .equal, .integer(1)), .field("a", .lessThan, .integer(1))])), ["c(b, a)"]),
        (.c(orders: ["a", "-b"]), ["c(a, b desc)"]),
        (.c(.field("a", .arrayContains, .integer(1)), orders: ["b"]), ["c(a array, b)"]),
        (.c(.and([.field("b", .lessThan, .integer(1)), .field("a", .lessThan, .integer(1))])), ["c(a, b)"]),
        (.c(.or([.field("a", .equal, .integer(1)), .field("b", .equal, .integer(1))]), orders: ["d"]), ["c(a, d)", "c(b, d)"]),
        (group(.field("a", .equal, .integer(1))), ["group c(a)"]),
    ]

    @Test(arguments: needs.indices)
    func `composite indexes are needed where the service needs them`(index: Int) {
        let (query, expected) = Self.needs[index]
        let needed = IdealIndex.required(for: query)
        #expect(needed.map(\.description) == expected)
        #expect(IdealIndex.isServed(query, by: []) == expected.isEmpty)
        #expect(IdealIndex.isServed(query, by: needed) && IdealIndex.isServed(query, by: needed.map(\.reversed)))
    }

    @Test func `indexes with the same order can be merged instead of one made for the query`() {
        let query = StructuredQuery.c(
            .and([.field("a", .equal, .integer(1)), .field("b", .equal, .integer(1))]), orders: ["d"])
        let halves = ["a", "b"].map { IndexDefinition(collectionID: "c", fields: [.init(path($0)), .init(path("d"))]) }
        #expect(IdealIndex.isServed(query, by: halves))
        #expect(!IdealIndex.isServed(query, by: [halves[0]]))
    }
}
