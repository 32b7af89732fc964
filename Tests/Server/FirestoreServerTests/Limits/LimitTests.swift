// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreRPC
import FirestoreSemantics
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreServer

/// Every limit of a request, at its value and one beyond it: through the methods of the server, and as an app calls the database.
@Suite struct LimitTests {
    private static let database = ServerFixture.database
    private static let rows = Limit.all.flatMap(\.rows)

    /// Those whose error has words of its own, which clients and other suites know.
    private static let worded: Set<String> = [
        "vectorDimensions", "nearestDocuments", "listValues", "notInValues", "inequalityFields", "indexFields", "pipelineDepth",
        "expressionDepth", "valueDepth",
    ]

    /// On PostgreSQL each of ten thousand documents is a question, for which a pipeline on a busy machine may have too little time.
    private static func takesLong(_ name: String) -> Bool { EngineStores.isPostgres && name == "pipelineDocuments" }

    @Test(arguments: rows.map(\.name)) func `a server takes a request at a limit and refuses one beyond it`(name: String) async throws {
        let limit = try #require(Self.rows.first { $0.name == name })
        let server = ServerFixture()
        try await server.commit(.set("c/d", [("n", .integer(1))]))
        let within = try #require(LimitCase(limit, count: limit.value), "\(name) has no request")
        let beyond = try #require(LimitCase(limit, count: limit.value + 1))
        if !Self.takesLong(name) { #expect(await failure { try await send(within, to: server) } == nil, "\(name)") }
        check(await failure { try await send(beyond, to: server) }, limit)
    }

    @Test(arguments: rows.map(\.name))
    func `an embedded database takes a request at a limit and refuses one beyond it`(name: String) async throws {
        let limit = try #require(Self.rows.first { $0.name == name })
        let database = try await ServerFixture().open()
        let within = try #require(LimitCase(limit, count: limit.value))
        let beyond = try #require(LimitCase(limit, count: limit.value + 1))
        guard within.isEmbedded else { return }
        _ = try await database.commit([.set("c/d", [("n", .integer(1))])], context: .embedded)
        if name != "writeMask", !Self.takesLong(name) { #expect(await failure { try await run(within, on: database) } == nil, "\(name)") }
        check(await failure { try await run(beyond, on: database) }, limit)
    }

    @Test func `thousands of stages are refused in JSON, too`() async throws {
        let server = ServerFixture()
        for stage in [
            #"{"name":"add_fields","args":[{"mapValue":{"fields":{"a":{"integerValue":"1"}}}}]}"#,
            #"{"name":"where","args":[{"booleanValue":true}]}"#, #"{"name":"limit","args":[{"integerValue":"5"}]}"#,
            #"{"name":"unnest","args":[{"fieldReferenceValue":"a"},{"fieldReferenceValue":"e"}]}"#,
        ] {
            let source = #"{"name":"collection","args":[{"referenceValue":"/c"}]}"#
            let stages = ([source] + Array(repeating: stage, count: 12_000)).joined(separator: ",")
            let answer = await server.http(
                "POST", "/v1/projects/library/databases/(default)/documents:executePipeline",
                body: #"{"structuredPipeline":{"pipeline":{"stages":[\#(stages)]}}}"#)
            #expect(answer.status == 400)
            #expect(answer.text.contains(Limit.stages.sentence))
        }
    }

    private func check(_ error: FirestoreError?, _ limit: Limit) {
        #expect(error?.code == .invalidArgument, "\(limit.name): \(error.map { "\($0)" } ?? "taken")")
        if !Self.worded.contains(limit.name) {
            #expect(error?.message.contains(limit.sentence) == true, "\(limit.name): \(error?.message ?? "")")
        }
    }

    private func failure(_ body: () async throws -> Void) async -> FirestoreError? {
        do {
            try await body()
            return nil
        } catch let error as FirestoreError {
            return error
        } catch let status as RPCStatus {
            return FirestoreError(status.code, status.message)
        } catch {
            return FirestoreError(.unknown, "\(error)")
        }
    }

    // MARK: Server

    private func send(_ request: LimitCase, to server: ServerFixture) async throws {
        let database = Self.database
        switch request {
        case .commit(let writes):
            let request = CommitRequest(database: database, writes: writes)
            // What the writer does with a mask of this size is another test's.
            if case .patch(_, let mask)? = writes.first?.operation, mask.count <= Limit.writeMask.value {
                return try WriteCheck.check(try CommitRequest(decoding: ByteSlice(request.encoded())).writes)
            }
            _ = try await server.unary(.commit, request, as: CommitMessage.self)
        case .batchGet(let keys, let mask):
            let request = BatchGetDocumentsRequest(database: database, keys: keys, mask: mask)
            _ = try await server.stream(.batchGetDocuments, request, as: BatchGetDocumentsResponse.self)
        case .listen(let keys):
            let target = ListenTargetRequest(target: .success(.documents(keys)), targetID: 1, once: true)
            let request = ListenRequest(database: database, change: .add(target))
            if case .add(let read) = try ListenRequest(decoding: ByteSlice(request.encoded())).change { _ = try read.target.get() }
        case .labels(let count):
            let labels = (0..<count).map { (name: "l\($0)", value: "v") }
            let write = WriteRequest(database: database, streamID: "", streamToken: .empty, writes: [], labels: labels)
            _ = try WriteRequest(decoding: ByteSlice(write.encoded()))
            let listen = ListenRequest(database: database, change: .remove(targetID: 1), labels: labels)
            _ = try ListenRequest(decoding: ByteSlice(listen.encoded()))
        case .query(let query):
            _ = try await server.stream(.runQuery, RunQueryRequest(database: database, query: query), as: RunQueryResponse.self)
        case .aggregation(let aggregations):
            let request = RunAggregationQueryRequest(database: database, query: .all("c"), aggregations: aggregations)
            _ = try await server.stream(.runAggregationQuery, request, as: RunAggregationQueryResponse.self)
        case .pipeline(let pipeline):
            let request = ExecutePipelineRequest(database: database, pipeline: pipeline)
            _ = try await server.stream(.executePipeline, request, as: ExecutePipelineResponse.self)
        case .index(let count):
            let fields = (0..<count).map { #"{"fieldPath":"f\#($0)","order":"ASCENDING"}"# }.joined(separator: ",")
            let path = "/v1/projects/library/databases/(default)/collectionGroups/c/indexes"
            try await administer("POST", path, #"{"queryScope":"COLLECTION","fields":[\#(fields)]}"#, on: server)
        case .fieldIndexes(let count):
            let index = #"{"queryScope":"COLLECTION","fields":[{"fieldPath":"f","order":"ASCENDING"}]}"#
            let path = "/v1/projects/library/databases/(default)/collectionGroups/c/fields/f"
            let indexes = Array(repeating: index, count: count).joined(separator: ",")
            try await administer("PATCH", path, #"{"indexConfig":{"indexes":[\#(indexes)]}}"#, on: server)
        case .deletion(let count):
            let ids = (0..<count).map { #""c\#($0)""# }.joined(separator: ",")
            let path = "/v1/projects/library/databases/(default):bulkDeleteDocuments"
            try await administer("POST", path, #"{"collectionIds":[\#(ids)]}"#, on: server)
        }
    }

    private func administer(_ method: String, _ path: String, _ body: String, on server: ServerFixture) async throws {
        let answer = await server.http(method, path, headers: Ruled.admin, body: body)
        if answer.status == 400 { throw FirestoreError.invalidArgument(answer.text) }
        #expect(answer.status == 200, "\(answer.text)")
    }

    // MARK: Embedded

    private func run(_ request: LimitCase, on database: any DocumentService) async throws {
        switch request {
        case .commit(let writes): _ = try await database.commit(writes, context: .embedded)
        case .query(let query): _ = try await database.run(query, context: .embedded)
        case .aggregation(let aggregations):
            _ = try await database.aggregate(.all("c"), aggregations, options: .latest, context: .embedded)
        case .pipeline(let pipeline): _ = try await database.execute(pipeline, context: .embedded)
        case .batchGet, .listen, .labels, .index, .fieldIndexes, .deletion: break
        }
    }
}

extension LimitCase {
    /// Whether an app has such a call.
    fileprivate var isEmbedded: Bool {
        switch self {
        case .commit, .query, .aggregation, .pipeline: true
        case .batchGet, .listen, .labels, .index, .fieldIndexes, .deletion: false
        }
    }
}
