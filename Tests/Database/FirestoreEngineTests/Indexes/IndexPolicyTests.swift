// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import TestSupport
import Testing

@testable import FirestoreEngine
@testable import FirestoreIndexing

@Suite struct IndexPolicyTests {
    /// 300 documents, of which few match anything.
    private func makeEngine(_ policy: IndexPolicy, limits: IndexLimits = IndexLimits()) async throws -> Engine {
        let engine = try Engine.memory(indexPolicy: policy, limits: limits)
        try await fill(engine)
        return engine
    }

    private func fill(_ engine: Engine) async throws {
        let writes = (0..<300).map { (index: Int) -> Write in
            let number = Value.integer(Int64(index))
            return .set("c/\(index)", ("a", number), ("b", .integer(Int64(index / 100))), ("d", number), ("e", number))
        }
        _ = try await engine.commit(writes, context: .embedded)
    }

    private func byA(_ number: Int64) -> StructuredQuery { .collection("c").filter("a", .equal, .integer(number)) }

    private var composite: StructuredQuery {
        var query = StructuredQuery.collection("c").filter("b", .equal, .integer(1))
        query.orders = [SortOrder(path: FieldPathSegments("a"), direction: .descending)]
        query.limit = 2
        return query
    }

    @Test func `an index comes by need and queries use it from then on`() async throws {
        let engine = try await makeEngine(.automatic)
        #expect(try await engine.paths(byA(7)) == ["c/7"])
        try await engine.indexesSettled()
        #expect(try await engine.indexNames() == ["c(a)"])
        let status = try #require(try await engine.indexes().first)
        #expect(!status.isConfigured && status.state == .ready && status.entries == 300)
        #expect(try await engine.paths(byA(8)) == ["c/8"])
        #expect(try await engine.paths(composite) == ["c/199", "c/198"])
        try await engine.indexesSettled()
        #expect(try await engine.indexNames() == ["c(a)", "c(b, a desc)"])
        #expect(try await engine.paths(composite) == ["c/199", "c/198"])
        try engine.expectEntriesMatchDocuments()
        try await engine.checkAndShutDown()
    }

    @Test func `queries that return most of the documents they read want no index`() async throws {
        let engine = try await makeEngine(.automatic)
        _ = try await engine.paths(.collection("c").filter("b", .equal, .integer(1)))
        _ = try await engine.paths(.collection("c"))
        _ = try await engine.paths(.collection("nothing").filter("a", .equal, .integer(1)))
        try await engine.indexesSettled()
        #expect(try await engine.indexes().isEmpty)
        try await engine.checkAndShutDown()
    }

    @Test func `under manual only configured indexes are built`() async throws {
        let engine = try await makeEngine(.manual)
        #expect(engine.indexPolicy == .manual)
        _ = try await engine.paths(byA(7))
        try await engine.indexesSettled()
        #expect(try await engine.indexes().isEmpty)
        try engine.setIndexPolicy(.automatic)
        _ = try await engine.paths(byA(7))
        try await engine.indexesSettled()
        #expect(try await engine.indexNames() == ["c(a)"])
        try await engine.checkAndShutDown()
    }

    @Test func `under required a query that needs an index fails with the entry to add (QR-52)`() async throws {
        let engine = try await makeEngine(.required)
        let entry = """
            {"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [{"fieldPath": "b", "order": "ASCENDING"}, \
            {"fieldPath": "a", "order": "DESCENDING"}]}
            """
        await expectError(.failedPrecondition, mentioning: "firestore.indexes.json", "\"indexes\"", entry) {
            try await engine.paths(composite)
        }
        await expectError(.failedPrecondition, mentioning: entry) {
            _ = try await engine.aggregate(composite, [Aggregation(.count(upTo: nil))], options: .latest, context: .embedded)
        }
        let group = StructuredQuery.group("c").filter("a", .equal, .integer(1))
        await expectError(.failedPrecondition, mentioning: "fieldOverrides", "COLLECTION_GROUP") { try await engine.paths(group) }
        // Single fields come by themselves.
        #expect(try await engine.paths(byA(7)) == ["c/7"])
        try await engine.indexesSettled()
        #expect(try await engine.indexNames() == ["c(a)"])

        let needed = engine.neededIndexes()
        #expect(needed.map(\.description) == ["c(b, a desc)", "group c(a)"])
        try await engine.configureIndexes(needed)
        #expect(try await engine.paths(composite) == ["c/199", "c/198"])
        #expect(try await engine.paths(group) == ["c/1"])
        try await engine.indexesSettled()
        #expect(try await engine.paths(composite) == ["c/199", "c/198"])
        try await engine.checkAndShutDown()
    }

    @Test func `a watch without its index is rejected under required`() async throws {
        let engine = try await makeEngine(.required)
        let sink = RecordingSink()
        let handle = engine.watch(.query(composite), context: .embedded, sink: sink)
        await eventually("the watch fails") { !sink.errors.isEmpty }
        #expect(sink.errors.map(\.code) == [.failedPrecondition])
        handle.cancel()
        try await engine.checkAndShutDown()
    }

    @Test func `of too many automatic indexes the least recently used one is dropped`() async throws {
        let engine = try await makeEngine(.automatic, limits: IndexLimits(automaticIndexes: 2))
        func use(_ field: String) async throws {
            _ = try await engine.paths(.collection("c").filter(field, .equal, .integer(7)))
            try await engine.indexesSettled()
            // Uses are distinguished by commit time.
            try await engine.commit(.set("x/1", ("n", .integer(Int64.random(in: 0 ... .max)))))
        }
        try await use("a")
        try await use("d")
        try await use("a")
        try await use("e")
        #expect(try await engine.indexNames() == ["c(a)", "c(e)"])
        try await engine.checkAndShutDown()
    }

    @Test func `configuring drops indexes that are no longer listed and leaves automatic ones`() async throws {
        let engine = try await makeEngine(.automatic)
        _ = try await engine.paths(byA(7))
        try await engine.configureIndexes([IndexDefinition("c", "d"), IndexDefinition("c", "b", "a desc")])
        try await engine.indexesSettled()
        #expect(try await engine.indexNames() == ["c(a)", "c(b, a desc)", "c(d)"])
        // The same index the other way round is the same index.
        try await engine.configureIndexes([IndexDefinition("c", "b desc", "a")])
        try await engine.indexesSettled()
        #expect(try await engine.indexNames() == ["c(a)", "c(b, a desc)"])
        // One made by need can be taken over.
        try await engine.configureIndexes([IndexDefinition("c", "a")])
        #expect(try await engine.indexes().map(\.isConfigured) == [true])
        try await engine.dropIndexes(includingConfigured: false)
        #expect(try await engine.indexNames() == ["c(a)"])
        try await engine.dropIndexes(includingConfigured: true)
        #expect(try await engine.indexes().isEmpty)
        try await engine.checkAndShutDown()
    }

    @Test func `indexes that were not used since a time are dropped, configured ones stay`() async throws {
        let directory = try ScratchFolder()
        var engine = try Engine.file(directory.file(), indexPolicy: .automatic, limits: IndexLimits())
        try await fill(engine)
        for field in ["a", "d"] {
            _ = try await engine.paths(.collection("c").filter(field, .equal, .integer(7)))
            try await engine.indexesSettled()
        }
        try await engine.configureIndexes([IndexDefinition("c", "b")])
        let later = try await engine.commit(.set("x/1")).commitTime
        _ = try await engine.paths(byA(8))
        // When an index was used is not forgotten when the database closes.
        try await engine.checkAndShutDown()
        engine = try Engine.file(directory.file(), indexPolicy: .automatic, limits: IndexLimits())
        #expect(try await engine.indexes().first { $0.definition == IndexDefinition("c", "a") }?.lastUsed == later)
        #expect(try await engine.dropIndexes(unusedSince: later) == [IndexDefinition("c", "d")])
        #expect(try await engine.indexNames() == ["c(a)", "c(b)"])
        try await engine.indexesSettled()
        try await engine.checkAndShutDown()
    }

    @Test func `a query of few steps has the same answer as one of many`() async throws {
        let directory = try ScratchFolder()
        let engine = try Engine.file(directory.file(), indexPolicy: .manual, limits: IndexLimits())
        try await fill(engine)
        var all = composite
        all.limit = nil
        let expected = try await engine.paths(all)
        try await engine.configureIndexes([IndexDefinition("c", "b", "a desc")])
        try await engine.indexesSettled()
        for limit in [1, 2, 31, 32, 33, 100, 101] {
            var query = composite
            query.limit = limit
            #expect(try await engine.paths(query) == Array(expected.prefix(limit)), "\(limit)")
        }
        try await engine.checkAndShutDown()
    }

    @Test func `the cost of a query decides whether it gets an index`() {
        let cases: [(documents: Int, entries: Int, results: Int, isWorthwhile: Bool)] = [
            (99, 0, 0, false), (100, 0, 0, true), (50, 50, 0, true), (100, 0, 23, true), (100, 0, 24, false),
            (1_000_000, 0, 20, true), (1_000, 1_000, 1_000, false), (20, 20, 20, false),
        ]
        for (documents, entries, results, isWorthwhile) in cases {
            #expect(
                IndexNeed.isWorthwhile(documentsRead: documents, entriesRead: entries, results: results) == isWorthwhile,
                "\(documents) \(entries) \(results)")
        }
    }

    @Test func `queries that differ in values only have one shape`() {
        let one = QueryShape.number(of: byA(1))
        #expect(QueryShape.number(of: byA(2)) == one)
        var limited = byA(1)
        limited.limit = 5
        #expect(QueryShape.number(of: limited) == one)
        let others = [
            composite, .collection("c"), .group("c"), .collection("c").filter("a", .lessThan, .integer(1)),
            .collection("c").filter("b", .equal, .integer(1)), .collection("d").filter("a", .equal, .integer(1)),
        ]
        #expect(Set(others.map(QueryShape.number)).union([one]).count == others.count + 1)
    }

    @Test func `wishes are bounded and asked once`() {
        var demand = IndexDemand(limits: IndexLimits(wishes: 2, needed: 2))
        #expect(demand.wish(IndexDefinition("c", "a")) && !demand.wish(IndexDefinition("c", "a")))
        #expect(demand.wish(IndexDefinition("c", "b")) && !demand.wish(IndexDefinition("c", "d")))
        #expect(demand.takeWish() == IndexDefinition("c", "a") && demand.wish(IndexDefinition("c", "d")))
        #expect(demand.isNew(shape: 1) && !demand.isNew(shape: 1) && demand.isNew(shape: 2))
        for name in ["b", "a", "b", "c"] { demand.need(IndexDefinition("c", name, "z")) }
        #expect(demand.allNeeded == [IndexDefinition("c", "b", "z"), IndexDefinition("c", "a", "z")])
    }

    // OT-30
    @Test(arguments: IndexPolicy.allCases)
    func `an exempt field gets no automatic index, and fails only where indexes are required`(policy: IndexPolicy) async throws {
        let engine = try await makeEngine(policy)
        let exempt = IndexExemptions.Setting(collectionID: "c", path: FieldPathSegments("a"), isExempt: true)
        try await engine.setExemptions(IndexExemptions([exempt]))
        if policy == .required {
            await #expect(throws: FirestoreError.self) { try await engine.paths(byA(7)) }
            _ = try await engine.addIndex(IndexDefinition(collectionID: "c", fields: [IndexDefinition.Field(FieldPathSegments("a"))]))
            try await engine.indexesSettled()
            #expect(try await engine.paths(byA(7)) == ["c/7"])
        } else {
            #expect(try await engine.paths(byA(7)) == ["c/7"])
            #expect(try await engine.paths(composite) == ["c/199", "c/198"])
            try await engine.indexesSettled()
            #expect(try await engine.indexes().isEmpty)
            // Another field has its index still.
            _ = try await engine.paths(.collection("c").filter("d", .equal, .integer(5)))
            try await engine.indexesSettled()
            #expect(try await engine.indexNames() == (policy == .automatic ? ["c(d)"] : []))
        }
        try await engine.checkAndShutDown()
    }

    @Test func `an exemption drops the automatic indexes of its field, and no configured one`() async throws {
        let engine = try await makeEngine(.automatic)
        _ = try await engine.paths(byA(7))
        _ = try await engine.addIndex(
            IndexDefinition(collectionID: "c", fields: ["b", "a"].map { IndexDefinition.Field(FieldPathSegments($0)) }))
        try await engine.indexesSettled()
        #expect(try await engine.indexNames() == ["c(a)", "c(b, a)"])
        try await engine.setExemptions(
            IndexExemptions([IndexExemptions.Setting(collectionID: nil, path: nil, isExempt: true)]))
        try await engine.indexesSettled()
        #expect(try await engine.indexNames() == ["c(b, a)"])
        try await engine.checkAndShutDown()
    }

    @Test func `an index is added once, and removed by its number while it is being built`() async throws {
        let engine = try await makeEngine(.manual, limits: IndexLimits(documentsPerStep: 1))
        let definition = IndexDefinition(collectionID: "c", fields: ["a", "b"].map { IndexDefinition.Field(FieldPathSegments($0)) })
        let number = try await engine.addIndex(definition)
        await #expect(throws: FirestoreError.self) { try await engine.addIndex(definition) }
        #expect(try await engine.removeIndex(number))
        #expect(try await !engine.removeIndex(number))
        try await engine.indexesSettled()
        #expect(try await engine.indexes().isEmpty)
        try await engine.checkAndShutDown()
    }
}
