// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreEngine

@Suite struct AggregateTests {
    static let count = Aggregation(.count(upTo: nil), alias: "count")
    static let sum = Aggregation(.sum(FieldPathSegments("n")), alias: "sum")

    private func numbers(_ engine: Engine, _ query: StructuredQuery) async throws -> [Int64?] {
        try await engine.aggregate(query, [Self.count, Self.sum], options: .latest, context: .embedded).values.map {
            if case .integer(let number) = $0.value { number } else { nil }
        }
    }

    @Test("aggregations see every commit submitted before, and name its time")
    func aggregate() async throws {  // QR-49, QR-63
        let engine = try Engine.memory()
        try await engine.commit(.set("c/a", ("n", .integer(3))), .set("c/b", ("n", .integer(1))), .set("c/e"))
        #expect(try await numbers(engine, .collection("c")) == [2, 4])
        #expect(try await numbers(engine, .collection("c").filter("n", .greaterThan, .integer(1))) == [1, 3])
        #expect(try await numbers(engine, .collection("c").ordered(by: "n").window(limit: 1)) == [1, 1])
        engine.submit([.set("c/d", ("n", .integer(10)))], context: .embedded) { _ in }
        let response = try await engine.aggregate(.collection("c"), [Self.sum], options: .latest, context: .embedded)
        #expect(response.values.map { ValueBytes($0.value) } == [ValueBytes(.integer(14))])
        #expect(try await engine.get("c/d")?.updateTime == response.readTime)
        try await engine.checkAndShutDown()
    }

    @Test("bad aggregations and bad queries are rejected")
    func rejections() async throws {  // QR-62
        let engine = try Engine.memory()
        await expectError(.invalidArgument) {
            try await engine.aggregate(.collection("c"), [], options: .latest, context: .embedded)
        }
        await expectError(.invalidArgument) {
            try await engine.aggregate(.collection("c/d"), [Self.count], options: .latest, context: .embedded)
        }
        try await engine.checkAndShutDown()
    }
}

/// Sums of numbers that an index contains, against those of the documents.
@Suite struct IndexedSumTests {
    private static let values: [Value] = [
        .integer(.max), .integer(.max), .integer(7), .integer(-9_007_199_254_740_993), .double(0.1), .double(-0.0), .double(2),
        .integer(2), .null, .string("7"), .double(1e300), .array([.integer(1)]),
    ]

    private func open() throws -> Engine {
        try Engine.open(EngineConfiguration(location: try EngineStores.place(), databaseID: testDatabase, indexPolicy: .manual))
    }

    private func answer(_ engine: Engine, _ query: StructuredQuery, _ path: String) async throws -> (values: [ValueBytes], documents: Int) {
        var context = RequestContext.embedded
        let meter = CallMeter()
        context.meter = meter
        let field = FieldPathSegments([path])
        let aggregations = [Aggregation(.count(upTo: nil)), Aggregation(.sum(field)), Aggregation(.average(field))]
        let found = try await engine.aggregate(query, aggregations, options: .latest, context: context)
        return (found.values.map { ValueBytes($0.value) }, meter.figures.documentsRead)
    }

    @Test("a sum over an index equals that over its documents, and reads none", arguments: [true, false])
    func sums(isDescending: Bool) async throws {  // QR-65, QR-66
        let engine = try open()
        for (number, value) in Self.values.enumerated() {
            let state = Value.string(number % 4 == 3 ? "CA" : "NY")
            try await engine.commit(.set("c/d\(number)", ("state", state), ("n", value)), .set("c/e\(number)", ("state", state)))
        }
        // Of doubles alone, of integers alone, of all, and a range.
        let all = StructuredQuery.collection("c")
        let queries = [
            all.filter("state", .equal, .string("NY")), all.filter("state", .equal, .string("CA")),
            all.filter("state", .equal, .string("NY")).filter("n", .greaterThan, .integer(2)), all,
        ]
        var before: [[ValueBytes]] = []
        for query in queries { before.append(try await answer(engine, query, "n").values) }
        let field = IndexDefinition.Field(FieldPathSegments(["n"]), isDescending ? .descending : .ascending)
        try await engine.configureIndexes([
            IndexDefinition(collectionID: "c", fields: [IndexDefinition.Field(FieldPathSegments(["state"])), field]),
            IndexDefinition(collectionID: "c", fields: [field]),
        ])
        try await engine.indexesSettled()
        for (query, expected) in zip(queries, before) {
            let found = try await answer(engine, query, "n")
            #expect(found.values == expected)
            if !EngineStores.isPostgres { #expect(found.documents == 0) }
        }
        // A number changes its kind and nothing else.
        try await engine.commit(.set("c/d7", ("state", .string("NY")), ("n", .double(2))))
        let changed = try await answer(engine, queries[0], "n").values
        try await engine.configureIndexes([])
        try await engine.indexesSettled()
        #expect(try await answer(engine, queries[0], "n").values == changed)
        try await engine.checkAndShutDown()
    }
}

/// Aggregations and searches at other moments than now.
@Suite struct AggregateMomentTests {
    static let numbers = [Aggregation(.count(upTo: nil)), Aggregation(.sum(FieldPathSegments("n")))]

    @Test("a past moment has the numbers of then")
    func past() async throws {  // QR-48
        let engine = try Engine.memory()
        let time = try await engine.commit(.set("c/a", ("n", .integer(3))), .set("c/b", ("n", .integer(1)))).commitTime
        try await engine.commit(.set("c/a", ("n", .integer(30))), .delete("c/b"), .set("c/d", ("n", .integer(500))))
        let then = try await engine.aggregate(.collection("c"), Self.numbers, options: .past(time), context: .embedded)
        #expect(then.values.map { ValueBytes($0.value) } == [2, 4].map { ValueBytes(.integer($0)) })
        #expect(then.readTime == time)
        let now = try await engine.aggregate(.collection("c"), Self.numbers, options: .latest, context: .embedded)
        #expect(now.values.map { ValueBytes($0.value) } == [2, 530].map { ValueBytes(.integer($0)) })
        try await engine.checkAndShutDown()
    }

    @Test("a transaction that counted fails when the count has changed", arguments: [true, false])
    func transaction(isConcerned: Bool) async throws {  // TX-5
        // Transactions expire; not while the clock stands still.
        let engine = try Engine.memory(clock: ManualClock(microseconds: 1_000_000))
        try await engine.commit(.set("c/a", ("n", .integer(3))))
        let transaction = try await engine.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        let query = StructuredQuery.collection("c").filter("n", .greaterThan, .integer(1)).window(limit: 1)
        let counted = try await engine.aggregate(query, Self.numbers, options: .transaction(transaction), context: .embedded)
        #expect(counted.values.map { ValueBytes($0.value) } == [1, 3].map { ValueBytes(.integer($0)) })
        try await engine.commit(.set("c/b", ("n", .integer(isConcerned ? 2 : 0))))
        var code: FirestoreError.Code?
        do { _ = try await engine.commit([.set("x/y")], in: transaction, context: .embedded) } catch { code = error.code }
        #expect(code == (isConcerned ? .aborted : nil))
        try await engine.checkAndShutDown()
    }
}
