// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreServer

struct FirestoreServiceTests {
    @Test(arguments: FirestoreMethod.allCases)
    func `every method is found by its path`(method: FirestoreMethod) {
        #expect(ServerFixture().service.method(at: "/google.firestore.v1.Firestore/" + method.rawValue) != nil)
    }

    @Test(arguments: ["", "/", "/google.firestore.v1.Firestore/", "/google.firestore.v1.Firestore/commit", "/google.firestore.v1.Firestore/Nothing"])
    func `other methods are not offered`(path: String) {
        #expect(ServerFixture().service.method(at: path) == nil)
    }

    // WR-23
    @Test(arguments: [FirestoreMethod.commit, .getDocument, .beginTransaction, .batchWrite, .runQuery, .batchGetDocuments, .executePipeline])
    func `a request that is too large is an invalid argument`(method: FirestoreMethod) async throws {
        let server = ServerFixture()
        let bytes = ByteSlice([UInt8](repeating: 0, count: Limits.requestBytes + 1))
        switch try #require(server.service[method]) {
        case .unary(let handle):
            let call = FakeUnaryCall(bytes, info: RPCCallInfo(path: method.path))
            handle([call])
            #expect(await code { _ = try await call.result().get() } == .invalidArgument)
        case .stream:
            let (call, handler) = try server.open(method)
            handler.receive(bytes)
            handler.halfClosed()
            #expect(await code { _ = try await call.outcome() } == .invalidArgument)
        }
    }

    @Test(arguments: FirestoreMethod.allCases)
    func `bytes that are not a message are an invalid argument`(method: FirestoreMethod) async throws {
        let server = ServerFixture()
        let bytes = ByteSlice([0xFF, 0xFF, 0xFF])
        switch try #require(server.service[method]) {
        case .unary(let handle):
            let call = FakeUnaryCall(bytes, info: RPCCallInfo(path: method.path))
            handle([call])
            #expect(await code { _ = try await call.result().get() } == .invalidArgument)
        case .stream where method == .listen: break
        case .stream:
            let (call, handler) = try server.open(method)
            handler.receive(bytes)
            handler.halfClosed()
            #expect(await code { _ = try await call.outcome() } == .invalidArgument)
        }
    }

    @Test func `calls beyond the bound are rejected, and finished calls release capacity`() async throws {
        let server = ServerFixture(maximumCalls: 1)
        try await server.commit((0..<20).map { .set("books/\($0)") })
        while server.service.admission.current > 0 { await Task.yield() }
        let request = RunQueryRequest(database: ServerFixture.database, query: .all("books"))
        let (call, handler) = try server.open(.runQuery, room: 5)
        handler.receive(ByteSlice(request.encoded()))
        handler.halfClosed()
        await call.untilFull()
        let refused = await code { let _: [RunQueryResponse] = try await server.stream(.runQuery, request) }
        #expect(refused == .resourceExhausted)
        handler.ended(RPCStatus(.cancelled, "gone"))
        call.finish(RPCStatus(.cancelled, "gone"))
        while server.service.admission.current > 0 { await Task.yield() }
        #expect(await code { let _: [RunQueryResponse] = try await server.stream(.runQuery, request) } == .ok)
    }

    @Test(arguments: FirestoreMethod.allCases)
    func `every method rejects a malformed token`(method: FirestoreMethod) async throws {
        let server = ServerFixture()
        let metadata = [(name: "authorization", value: "Bearer garbage")]
        switch try #require(server.service[method]) {
        case .unary:
            let call = server.call(method, CommitRequest(database: ServerFixture.database, writes: []), metadata: metadata)
            server.start(method, [call])
            // Although a request of another method may be malformed for this one.
            #expect(await code { _ = try await call.result().get() } == .unauthenticated)
        case .stream:
            let (call, handler) = try server.open(method, metadata: metadata)
            handler.receive(ByteSlice(CommitRequest(database: ServerFixture.database, writes: []).encoded()))
            handler.halfClosed()
            #expect(await code { _ = try await call.outcome() } == .unauthenticated)
        }
        #expect(server.service.databases.openCount == 0)
    }

    @Test func `a bad token is rejected before anything is read`() async throws {
        let server = ServerFixture()
        let request = GetDocumentRequest(database: ServerFixture.database, key: DocumentKey(trusted: "a/b"))
        let answer = await code {
            _ = try await server.unary(
                .getDocument, request, metadata: [("authorization", "Bearer a.b.c")], as: DocumentResponse.self)
        }
        #expect(answer == .unauthenticated)
        #expect(server.service.databases.openCount == 0)
    }
}
