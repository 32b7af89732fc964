// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreServer

/// ExecutePipeline, message by message (QR-72).
struct ExecutePipelineTests {
    private static let database = ServerFixture.database

    private func server(_ count: Int = 3, size: Int = 10) async throws -> ServerFixture {
        let server = ServerFixture()
        let text = Value.string(String(repeating: "x", count: size))
        try await server.commit((0..<count).map { .set("books/b\(100 + $0)", [("n", .integer(Int64($0))), ("text", text)]) })
        return server
    }

    private func execute(
        _ pipeline: String, on server: ServerFixture, consistency: ConsistencySelector = .latest, explain: ExplainOptions? = nil
    ) async throws -> [ExecutePipelineResponse] {
        let request = ExecutePipelineRequest(
            database: Self.database, pipeline: try PipelineText.parse(pipeline), consistency: consistency, explain: explain)
        // Pipelines are explained to administrators only.
        let caller = explain == nil ? Ruled.nobody : Ruled.admin
        return try await server.stream(.executePipeline, request, as: caller, of: ExecutePipelineResponse.self)
    }

    // PL-3, PL-9, PL-11
    @Test func `rows come with their names and times, and every message has the same time`() async throws {
        let answers = try await execute("collection(/books) sort(n desc) limit(2)", on: try await server())
        let rows = answers.flatMap(\.rows)
        #expect(rows.map(\.name) == ["b102", "b101"].map { Self.database.documentsPrefix + "books/" + $0 })
        #expect(rows.allSatisfy { $0.createTime != nil && $0.updateTime != nil })
        #expect(Set(answers.map(\.executionTime)).count == 1 && answers[0].executionTime != nil)
    }

    // PT-181
    @Test func `an empty result is one message with a time`() async throws {
        let answers = try await execute("collection(/books) limit(0)", on: try await server())
        #expect(answers.count == 1 && answers[0].rows.isEmpty && answers[0].executionTime != nil && answers[0].transaction == nil)
    }

    // PL-10
    @Test func `a large result comes in messages of about a megabyte`() async throws {
        let answers = try await execute("collection(/books) select(text)", on: try await server(50, size: 100_000))
        #expect(answers.flatMap(\.rows).count == 50)
        let sizes = answers.map { $0.rows.reduce(0) { $0 + $1.messageSize } }
        #expect(sizes.count >= 4 && sizes.allSatisfy { $0 <= 1_200_000 })
    }

    // PL-3, PL-15
    @Test func `a new transaction is named in the first message, and continues`() async throws {
        let server = try await server()
        let answers = try await execute("collection(/books)", on: server, consistency: .newTransaction(.readWrite(retrying: nil)))
        let token = try #require(answers.first?.transaction)
        #expect(answers.dropFirst().allSatisfy { $0.transaction == nil } && answers.flatMap(\.rows).count == 3)
        let again = try await execute("collection(/books) limit(1)", on: server, consistency: .transaction(token))
        #expect(again.flatMap(\.rows).count == 1)
        let commit = CommitRequest(database: Self.database, writes: [.set("books/new")], transaction: token)
        _ = try await server.unary(.commit, commit, as: CommitMessage.self)
    }

    // PT-207
    @Test func `a transaction whose pipeline would have another result is aborted`() async throws {
        let server = try await server()
        let answers = try await execute(
            "collection(/books) aggregate(count() as n)", on: server, consistency: .newTransaction(.readWrite(retrying: nil)))
        let token = try #require(answers.first?.transaction)
        try await server.commit([.set("books/other")])
        let commit = CommitRequest(database: Self.database, writes: [.set("counts/books")], transaction: token)
        #expect(await code { _ = try await server.unary(.commit, commit, as: CommitMessage.self) } == .aborted)
    }

    // PT-206
    @Test func `a pipeline reads at a time`() async throws {
        let server = try await server()
        let time = try #require(try await execute("collection(/books)", on: server).first?.executionTime)
        try await server.commit([.set("books/later")])
        #expect(try await execute("collection(/books)", on: server).flatMap(\.rows).count == 4)
        let before = try await execute("collection(/books)", on: server, consistency: .readTime(time.timestamp))
        #expect(before.flatMap(\.rows).count == 3 && before[0].executionTime == time)
    }

    // PT-204, PT-205, PL-12
    @Test func `a plan comes without rows, and an analysis in the last message`() async throws {
        let server = try await server()
        let plan = try await execute("collection(/books)", on: server, explain: .plan)
        #expect(plan.count == 1 && plan[0].rows.isEmpty && plan[0].explanation?.text.hasPrefix("{") == false)
        let analysis = try await execute("collection(/books)", on: server, explain: .analyze)
        #expect(analysis.flatMap(\.rows).count == 3 && analysis.last?.explanation?.text.isEmpty == false)
        #expect(analysis.dropLast().allSatisfy { $0.explanation == nil })
    }

    // PL-12
    @Test(arguments: [ExplainOptions.plan, .analyze])
    func `an explanation is JSON where that is asked for`(options: ExplainOptions) async throws {
        let request = ExecutePipelineRequest(
            database: Self.database, pipeline: try PipelineText.parse("collection(/books) limit(2)"), explain: options,
            explanationForm: .json)
        let answers = try await (try await server()).stream(
            .executePipeline, request, as: Ruled.admin, of: ExecutePipelineResponse.self)
        let explanation = try JSON(try #require(answers.last?.explanation).text.utf8)
        guard case .array(let lines)? = explanation["plan"] else { Issue.record("no plan in \(explanation.text())"); return }
        #expect(lines.contains { $0.text().contains("collection(/books)") })
        if options == .analyze { #expect(explanation["execution"]?["rows"]?.text() == "2") }
    }

    @Test func `faults of the pipeline are invalid arguments`() async throws {
        let server = try await server()
        for pipeline in ["collection(/books) raw_stage(\"nonsense\")", "where(true)", "collection(/books) where(nonsense(1))", "collection(/books/b1)"] {
            #expect(await code { _ = try await execute(pipeline, on: server) } == .invalidArgument, "\(pipeline)")
        }
        let empty = ExecutePipelineRequest(database: Self.database, pipeline: PipelineRequest())
        #expect(await code { let _: [ExecutePipelineResponse] = try await server.stream(.executePipeline, empty) } == .invalidArgument)
    }

    @Test func `a transaction whose pipeline fails is rolled back`() async throws {
        let server = try await server()
        let request = ExecutePipelineRequest(
            database: Self.database, pipeline: try PipelineText.parse("collection(/books) select(error(\"boom\") as x)"),
            consistency: .newTransaction(.readWrite(retrying: nil)))
        let (call, handler) = try server.open(.executePipeline)
        handler.receive(ByteSlice(request.encoded()))
        handler.halfClosed()
        #expect(await code { _ = try await call.outcome() } == .invalidArgument)
        let token = try #require(try call.messages.first.map { try ExecutePipelineResponse(decoding: $0) }?.transaction)
        let commit = CommitRequest(database: Self.database, writes: [], transaction: token)
        #expect(await code { _ = try await server.unary(.commit, commit, as: CommitMessage.self) } != .ok)
    }

    @Test func `documents that are sent are counted`() async throws {
        let server = try await server()
        let before = server.service.figures.values.reads
        _ = try await execute("collection(/books) limit(2)", on: server)
        #expect(server.service.figures.values.reads == before + 2)
    }
}
