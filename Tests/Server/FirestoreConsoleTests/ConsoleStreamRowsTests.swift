// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreRules
import FirestoreServer
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreConsole

/// A Write stream of a test, after its handshake.
struct WriteRows {
    let call: FakeStreamCall
    let handler: any RPCStreamHandler
    private let token: ByteSlice

    init(_ server: ServerFixture, as header: Ruled.Header, over transport: ServerMetrics.Transport = .grpc) async throws {
        call = FakeStreamCall(info: RPCCallInfo(path: FirestoreMethod.write.path, metadata: RPCMetadata(header)))
        guard case .stream(let handle)? = server.service.method(at: FirestoreMethod.write.path, over: transport) else {
            throw RPCStatus(.unimplemented, "Write is no stream")
        }
        handler = handle(call)
        handler.receive(ByteSlice(WriteRequest(database: ServerFixture.database).encoded()))
        await call.until(messages: 1)
        token = try WriteResponse(decoding: call.messages[0]).streamToken
    }

    func write(_ writes: Write...) {
        handler.receive(ByteSlice(WriteRequest(database: ServerFixture.database, streamToken: token, writes: writes).encoded()))
    }
}

/// The rows of streams that last: one for each write and each target.
@Suite(.timeLimit(.minutes(2)))
struct ConsoleStreamRowsTests {
    private struct Bench {
        let requests: ConsoleRequests
        let server: ServerFixture

        init(_ change: (inout ConsoleRequests.Settings) -> Void = { _ in }) async throws {
            var settings = ConsoleRequests.Settings()
            settings.setsTimer = false
            change(&settings)
            requests = ConsoleRequests(settings, authentication: UnprovedAuthentication())
            // The console is of development mode, where denials are explained to their callers.
            var rules = RuleEnforcement.Settings()
            rules.explainsToCallers = true
            server = ServerFixture(rules: RulesRegistry(try Ruled.rules(Ruled.standard), settings: rules), recorder: requests)
            let owned: [Write] = [.set("own/ada", [("owner", .string("ada"))]), .set("own/bob", [("owner", .string("bob"))])]
            _ = try await server.open().commit(owned, context: .embedded)
        }

        /// `path CODE documents`, and whether it is open.
        var lines: [String] {
            requests.records.map { record in
                let figures = record.figures
                let path = record.outline(showsValues: false).path
                return figures.isOpen ? "\(path) open" : "\(path) \(figures.code.canonicalName) \(figures.documents)"
            }
        }
    }

    private func own(_ id: String, by owner: String) -> Write { .set("own/\(id)", [("owner", .string(owner))]) }

    @Test(arguments: [ServerMetrics.Transport.grpc, .webChannel])
    func `each commit of a Write stream has its path and outcome`(over transport: ServerMetrics.Transport) async throws {
        let bench = try await Bench()
        let writer = try await WriteRows(bench.server, as: Ruled.ada, over: transport)
        #expect(bench.lines.isEmpty)
        writer.write(own("ada", by: "ada"), own("new", by: "ada"))
        await writer.call.until(messages: 2)
        #expect(bench.lines == ["own/ada and 1 more OK 2"])
        writer.write(own("bob", by: "ada"))
        await #expect(throws: RPCStatus.self) { _ = try await writer.call.outcome() }
        writer.handler.ended(RPCStatus(.permissionDenied, ""))
        #expect(bench.lines == ["own/ada and 1 more OK 2", "own/bob PERMISSION_DENIED 0"])
        #expect(bench.requests.records.allSatisfy { $0.transport == transport && bench.requests.caller(of: $0)?.consoleName == "user:ada" })
        #expect(bench.requests.records[1].figures.message.contains("own/bob"))
    }

    @Test func `a write without its answer is open, and cancelled when the client goes`() async throws {
        let bench = try await Bench()
        let call = FakeStreamCall(info: RPCCallInfo(path: FirestoreMethod.write.path, metadata: RPCMetadata(Ruled.ada)))
        let collected = CollectedStreamCall(call, try #require(bench.requests.begin(.write, .grpc, call.info)), bench.requests)
        collected.received(ByteSlice(WriteRequest(database: ServerFixture.database).encoded()))
        for id in ["a", "b"] {
            collected.received(ByteSlice(WriteRequest(database: ServerFixture.database, writes: [.set("own/\(id)")]).encoded()))
        }
        #expect(bench.lines == ["own/a open", "own/b open"])
        // The answer to the handshake answers no commit.
        collected.send(WriteResponse(streamID: "s", streamToken: .empty).encoded())
        #expect(bench.lines == ["own/a open", "own/b open"])
        collected.abandoned(RPCStatus(.unavailable, "the connection was lost"))
        collected.abandoned(nil)
        #expect(bench.lines == ["own/a CANCELLED 0", "own/b CANCELLED 0"])
    }

    @Test func `the commits behind a failed one are cancelled, the failed one alone has the failure`() async throws {
        let bench = try await Bench()
        let call = FakeStreamCall(info: RPCCallInfo(path: FirestoreMethod.write.path, metadata: RPCMetadata(Ruled.ada)))
        let collected = CollectedStreamCall(call, try #require(bench.requests.begin(.write, .grpc, call.info)), bench.requests)
        collected.received(ByteSlice(WriteRequest(database: ServerFixture.database).encoded()))
        for id in ["a", "b", "c"] {
            collected.received(ByteSlice(WriteRequest(database: ServerFixture.database, writes: [.set("own/\(id)")]).encoded()))
        }
        let answer = WriteResponse(
            streamID: "", streamToken: .empty, results: [], commitTime: DocumentVersion(microseconds: 1_000_000))
        collected.send(contentsOf: [answer.encoded()])
        collected.finish(RPCStatus(.failedPrecondition, "own/b exists"))
        #expect(bench.lines == ["own/a OK 0", "own/b FAILED_PRECONDITION 0", "own/c CANCELLED 0"])
    }

    @Test(arguments: [ServerMetrics.Transport.grpc, .webChannel])
    func `each target of a Listen stream has its path and outcome`(over transport: ServerMetrics.Transport) async throws {
        let bench = try await Bench()
        let call = FakeStreamCall(info: RPCCallInfo(path: FirestoreMethod.listen.path, metadata: RPCMetadata(Ruled.ada)))
        guard case .stream(let handle)? = bench.server.service.method(at: FirestoreMethod.listen.path, over: transport) else { return }
        let listener = Listener(call: call, handler: handle(call))
        listener.add(.documents([DocumentKey(trusted: "own/ada")]), 2)
        _ = try await listener.snapshot()
        listener.add(.documents([DocumentKey(trusted: "own/bob")]), 4)
        #expect(try await listener.isRemoved(4) == .permissionDenied)
        #expect(bench.lines == ["own/ada open", "own/bob PERMISSION_DENIED 0"])
        #expect(bench.requests.records[0].figures.documents == 1 && bench.requests.records[0].figures.snapshots >= 1)
        listener.add(.documents([DocumentKey(trusted: "own/none")]), 6)
        listener.handler.receive(ByteSlice(ListenRequest(database: ServerFixture.database, change: .remove(targetID: 2)).encoded()))
        #expect(bench.lines[0] == "own/ada OK 1")
        listener.handler.ended(RPCStatus(.cancelled, "the client cancelled the call"))
        #expect(bench.lines.last?.hasPrefix("own/none ") == true && !bench.lines.contains { $0.hasSuffix("open") })
        #expect(bench.requests.records.allSatisfy { $0.transport == transport && bench.requests.caller(of: $0)?.consoleName == "user:ada" })
    }

    @Test func `a stream that is rejected before its first row is a row`() async throws {
        let bench = try await Bench()
        let (call, handler) = try bench.server.open(.write, metadata: [("authorization", "Bearer nonsense")])
        await #expect(throws: RPCStatus.self) { _ = try await call.outcome() }
        handler.ended(nil)
        #expect(bench.lines == [" UNAUTHENTICATED 0"])
    }

    @Test func `a hundred targets of a stream have rows at a time, and pages learn the number of the others`() async throws {
        let bench = try await Bench()
        let page = bench.requests.watch {}
        let call = FakeStreamCall(info: RPCCallInfo(path: FirestoreMethod.listen.path, metadata: RPCMetadata(Ruled.ada)))
        let collected = CollectedStreamCall(call, try #require(bench.requests.begin(.listen, .grpc, call.info)), bench.requests)
        func listen(_ change: ListenRequest.Change) {
            collected.received(ByteSlice(ListenRequest(database: ServerFixture.database, change: change).encoded()))
        }
        func add(_ id: Int32) {
            listen(.add(ListenTargetRequest(target: .success(.documents([DocumentKey(trusted: "own/\(id)")])), targetID: id)))
        }
        for id in 1...120 { add(Int32(id)) }
        bench.requests.tellPages()
        #expect(bench.lines == (1...100).map { "own/\($0) open" })
        #expect(page.take().last.map { String(decoding: $0, as: UTF8.self) } == #"{"dropped":20}"#)
        // One that ends releases capacity.
        listen(.remove(targetID: 7))
        add(121)
        #expect(bench.lines.last == "own/121 open" && bench.lines[6] == "own/7 OK 0")
        collected.abandoned(nil)
        #expect(bench.lines.allSatisfy { $0.hasSuffix("OK 0") })
        page.cancel()
    }

    @Test func `rows of a stream count for the budget`() async throws {
        let bench = try await Bench {
            $0.perSecond = 3
            $0.now = { 5 }
        }
        let writer = try await WriteRows(bench.server, as: Ruled.ada)
        for n in 0..<10 { writer.write(own("n\(n)", by: "ada")) }
        await writer.call.until(messages: 11)
        writer.handler.ended(nil)
        #expect(bench.lines == (0..<3).map { "own/n\($0) OK 1" })
    }
}
