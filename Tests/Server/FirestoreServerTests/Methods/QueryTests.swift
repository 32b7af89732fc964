// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreServer

/// RunQuery, RunAggregationQuery, PartitionQuery.
struct QueryTests {
    private let server = ServerFixture()
    private let database = ServerFixture.database

    private func fill(_ count: Int) async throws {
        try await server.commit((0..<count).map { .set("books/b\(100 + $0)", [("n", .integer(Int64($0)))]) })
    }

    private func run(_ query: StructuredQuery, explain: ExplainOptions? = nil) async throws -> [RunQueryResponse] {
        // Queries are explained to administrators only.
        let caller = explain == nil ? Ruled.nobody : Ruled.admin
        return try await server.stream(
            .runQuery, RunQueryRequest(database: database, query: query, explain: explain), as: caller, of: RunQueryResponse.self)
    }

    @Test func `a message per document, each with the time of the read`() async throws {
        try await fill(5)
        var query = StructuredQuery.all("books")
        query.orders = [SortOrder(path: FieldPathSegments("n"), direction: .descending)]
        query.limit = 3
        let results = try await run(query)
        #expect(results.map { $0.document?.key.id } == ["b104", "b103", "b102"])
        #expect(results.allSatisfy { $0.readTime != nil && $0.transaction == nil && $0.skippedResults == 0 })
    }

    // QR-45
    @Test func `no results are one message with the time`() async throws {
        let results = try await run(.all("books"))
        #expect(results.count == 1)
        #expect(results[0].document == nil)
        #expect(results[0].readTime != nil)
    }

    @Test(arguments: [(2, [2, 0, 0, 0]), (5, [5]), (9, [5])])
    func `the number of skipped documents is sent first (QR-41)`(offset: Int, skipped: [Int]) async throws {
        try await fill(5)
        var query = StructuredQuery.all("books")
        query.offset = offset
        let results = try await run(query)
        #expect(results.map(\.skippedResults) == skipped)
        #expect(results[0].document == nil)
        #expect(results.dropFirst().allSatisfy { $0.document != nil })
    }

    @Test func `a result is sent no faster than it is taken`() async throws {
        try await fill(40)
        let (call, handler) = try server.open(.runQuery, room: 10)
        handler.receive(ByteSlice(RunQueryRequest(database: database, query: .all("books")).encoded()))
        handler.halfClosed()
        for pages in 1...3 {
            await call.untilFull()
            #expect(call.messages.count == pages * 10)
            call.read()
        }
        await call.untilFull()
        call.read()
        #expect(try await call.outcome().count == 40)
        handler.ended(nil)
    }

    @Test func `a caller that has gone is sent no more`() async throws {
        try await fill(40)
        let (call, handler) = try server.open(.runQuery, room: 10)
        handler.receive(ByteSlice(RunQueryRequest(database: database, query: .all("books")).encoded()))
        handler.halfClosed()
        await call.untilFull()
        handler.ended(RPCStatus(.cancelled, "gone"))
        call.finish(RPCStatus(.cancelled, "gone"))
        #expect(await code { _ = try await call.outcome() } == .cancelled)
        #expect(call.messages.count == 10)
    }

    @Test func `a query takes exactly one message`() async throws {
        let request = ByteSlice(RunQueryRequest(database: database, query: .all("books")).encoded())
        for messages in [[], [request, request]] {
            let (call, handler) = try server.open(.runQuery)
            for message in messages { handler.receive(message) }
            handler.halfClosed()
            #expect(await code { _ = try await call.outcome() } == .invalidArgument)
        }
    }

    // QR-40
    @Test func `an invalid query is rejected with the reason`() async throws {
        var query = StructuredQuery.all("books")
        query.limit = -1
        #expect(await code { _ = try await run(query) } == .invalidArgument)
    }

    // QR-71
    @Test func `explaining returns the plan, and after running the query the cost`() async throws {
        try await fill(5)
        let plan = try await run(.all("books"), explain: .plan)
        #expect(plan.count == 1)
        #expect(plan[0].document == nil)
        #expect(plan[0].explanation != nil)
        #expect(plan[0].explanation?.statistics == nil)
        let analyzed = try await run(.all("books"), explain: .analyze)
        #expect(analyzed.count == 6)
        #expect(analyzed.dropLast().allSatisfy { $0.document != nil && $0.explanation == nil })
        #expect(analyzed.last?.explanation?.statistics?.results == 5)
        for explanation in [plan[0].explanation, analyzed.last?.explanation] {
            // A summary that names no index would count as none.
            #expect(explanation?.nameIndex == IndexDefinition(collectionID: "books", fields: []))
        }
    }

    // QR-55
    @Test func `vectors near another one`() async throws {
        try await server.commit(
            (1...5).map { .set("points/p\($0)", [("v", .vector([Double($0), 0]))]) })
        var query = StructuredQuery.all("points")
        query.nearest = VectorSearch(
            field: FieldPathSegments("v"), vector: [3.2, 0], measure: .euclidean, limit: 2, resultField: FieldPathSegments("distance"))
        let results = try await run(query)
        #expect(results.map { $0.document?.key.id } == ["p3", "p4"])
        guard case .double? = results[0].document?["distance"] else {
            Issue.record("the distance is missing")
            return
        }
    }

    // QR-63
    @Test func `numbers come in one message`() async throws {
        try await fill(4)
        let request = RunAggregationQueryRequest(
            database: database, query: .all("books"),
            aggregations: [
                Aggregation(.count(upTo: nil), alias: "all"), Aggregation(.sum(FieldPathSegments("n")), alias: "sum"),
                Aggregation(.average(FieldPathSegments("n"))),
            ])
        let answers: [RunAggregationQueryResponse] = try await server.stream(.runAggregationQuery, request)
        #expect(answers.count == 1)
        #expect(answers[0].readTime != nil)
        let values = try #require(answers[0].values)
        let named = Dictionary(uniqueKeysWithValues: values.map { ($0.alias, "\($0.value)") })
        #expect(named == ["all": "integer(4)", "sum": "integer(6)", "field_1": "double(1.5)"])
    }

    @Test(arguments: [0, 6])
    func `no numbers, or too many, are rejected (QR-62)`(count: Int) async throws {
        let aggregations = (0..<count).map { Aggregation(.count(upTo: nil), alias: "a\($0)") }
        let request = RunAggregationQueryRequest(database: database, query: .all("books"), aggregations: aggregations)
        #expect(
            await code { let _: [RunAggregationQueryResponse] = try await server.stream(.runAggregationQuery, request) }
                == .invalidArgument)
    }
}
