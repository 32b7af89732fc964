// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import Foundation
import Logging
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreGateway

/// The server as a whole, over a real socket.
struct HearthServerTests {
    private static func server(_ storage: DatabaseOpening.Storage = .memory, grace: Duration = .seconds(5)) -> HearthServer {
        var log = Logger(label: "test")
        log.logLevel = .critical
        return HearthServer(
            ServerConfiguration(databases: DatabaseOpening(storage: storage, durability: .relaxed), grace: grace),
            metrics: PrometheusRegistry(), log: log)
    }

    private static func call<Response: WireMessage>(
        _ channel: any RPCChannel, _ method: FirestoreMethod, _ request: some WireMessage, as type: Response.Type = Response.self
    ) async throws -> Response {
        try Response(decoding: try await channel.unary(method.path, request.encoded(), metadata: RPCMetadata(), deadline: nil))
    }

    @Test func `calls over a connection are answered and measured`() async throws {
        let server = Self.server()
        let address = try await server.start()
        let channel = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
        let database = ServerFixture.database
        let commits = try await withThrowingTaskGroup(of: DocumentVersion?.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let request = CommitRequest(database: database, writes: [.set("books/\(number)")])
                    return try await Self.call(channel, .commit, request, as: CommitMessage.self).commitTime
                }
            }
            return try await group.reduce(into: Set<DocumentVersion?>()) { $0.insert($1) }
        }
        #expect(commits.count == 50 && !commits.contains(nil))
        let get = GetDocumentRequest(database: database, key: DocumentKey(trusted: "books/7"))
        #expect(try await Self.call(channel, .getDocument, get, as: DocumentResponse.self).document.key.path == "books/7")
        let missing = GetDocumentRequest(database: database, key: DocumentKey(trusted: "books/none"))
        #expect(await code { _ = try await Self.call(channel, .getDocument, missing, as: DocumentResponse.self) } == .notFound)
        await channel.shutdown()
        await server.stop()
    }

    @Test func `stopping ends open streams, closes the files, and happens once`() async throws {
        let directory = NSTemporaryDirectory() + "hearth-" + AutoID.make()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        for round in 1...2 {
            let server = Self.server(.directory(directory), grace: .milliseconds(200))
            let address = try await server.start()
            let channel = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
            let request = CommitRequest(database: ServerFixture.database, writes: [.set("books/a", [], .exists(round == 2))])
            // In the second round what the first has written is there.
            _ = try await Self.call(channel, .commit, request, as: CommitMessage.self)
            let stream = EndOfStream()
            let open = channel.open(FirestoreMethod.write.path, metadata: RPCMetadata(), deadline: nil, handler: stream)
            open.send(WriteRequest(database: ServerFixture.database).encoded())
            await stream.firstMessage()
            async let first: Void = server.stop()
            async let second: Void = server.stop()
            _ = await (first, second)
            #expect(await stream.end()?.code == .unavailable)
            await channel.shutdown()
        }
    }

    @Test func `connections that break while batches are in flight count every batch once, also over a restart`() async throws {
        // Decision 28
        let folder = try ScratchFolder()
        let increment = FieldTransform(path: FieldPathSegments("n"), kind: .increment(.integer(1)))
        let write = Write(key: DocumentKey(trusted: "books/a"), operation: .patch(.empty, mask: []), transforms: [increment])
        let database = ServerFixture.database
        var resumption: WriteStreamResumption?
        for round in 0..<2 {
            let server = Self.server(.directory(folder.file("data")))
            let address = try await server.start()
            // Cut after so many answers, of which the client has received as many, or fewer. The last connection is not cut.
            for cut in [0, 1, 0, 3, 5, nil] {
                let channel = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
                let stream = EndOfStream()
                let call = channel.open(FirestoreMethod.write.path, metadata: RPCMetadata(), deadline: nil, handler: stream)
                call.send((resumption?.request(resuming: database) ?? WriteStreamResumption.request(opening: database)).encoded())
                await stream.messages(1)
                let hello = try #require(stream.messages.first, "\(String(describing: stream.status))")
                let agreed = try #require(WriteStreamResumption(agreement: try WriteResponse(decoding: hello)))
                #expect(resumption == nil || agreed == resumption)
                var current = agreed
                let goal: Int64 = round == 0 ? 8 : 16
                for _ in current.number..<goal {
                    call.send(WriteRequest(database: database, streamToken: current.token, writes: [write]).encoded())
                }
                await stream.messages(1 + (cut ?? Int(goal - current.number)))
                for message in stream.messages.dropFirst().prefix(cut.map { $0 / 2 } ?? .max) {
                    guard case .committed(let next)? = current.reading(try WriteResponse(decoding: message)) else { Issue.record("no answer"); break }
                    current = next
                }
                resumption = current
                if cut == nil { #expect(current.number == goal) } else { call.cancel() }
                await channel.shutdown()
            }
            let channel = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
            let get = GetDocumentRequest(database: database, key: DocumentKey(trusted: "books/a"))
            let document = try await Self.call(channel, .getDocument, get, as: DocumentResponse.self).document
            #expect(document.fields == .of([("n", .integer(round == 0 ? 8 : 16))]))
            await channel.shutdown()
            await server.stop()
        }
    }

    @Test func `a data directory has one server at a time, and the second one says which`() async throws {
        let folder = try ScratchFolder()
        let first = Self.server(.directory(folder.file("data")))
        _ = try await first.start()
        let second = Self.server(.directory(folder.file("data")))
        let failure = await #expect(throws: RPCStatus.self) { try await second.start() }
        #expect(failure?.code == .failedPrecondition)
        #expect(failure?.message.contains("(pid \(ProcessInfo.processInfo.processIdentifier))") == true && failure?.message.contains(folder.path) == true)
        await second.stop()
        await first.stop()
        let third = Self.server(.directory(folder.file("data")))
        _ = try await third.start()
        await third.stop()
    }

    @Test func `a start that fails gives the data directory back`() async throws {
        let folder = try ScratchFolder()
        let first = Self.server()
        let address = try await first.start()
        var log = Logger(label: "test")
        log.logLevel = .critical
        let storage = DatabaseOpening(storage: .directory(folder.path))
        let second = HearthServer(ServerConfiguration(listener: RPCServerConfiguration(port: address.port), databases: storage), log: log)
        #expect(await code { _ = try await second.start() } == .alreadyExists)
        let third = HearthServer(ServerConfiguration(databases: storage), log: log)
        _ = try await third.start()
        await third.stop()
        await first.stop()
    }

    @Test func `a data directory that cannot be one is said`() async throws {
        let folder = try ScratchFolder()
        let file = try folder.file("file", "")
        for path in [file, file + "/below"] {
            let failure = await #expect(throws: RPCStatus.self) { try await Self.server(.directory(path)).start() }
            #expect(failure?.message == "the data directory \(path) cannot be used: \(file) is not a directory; choose another one")
        }
    }

    @Test func `health is reported over a connection, until the end`() async throws {
        let server = Self.server()
        let address = try await server.start()
        let channel = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
        let answer = try await channel.unary(HealthService.checkPath, [], metadata: RPCMetadata(), deadline: nil)
        #expect(try HealthCheckResponse(decoding: answer).status == .serving)
        let stream = EndOfStream()
        let watch = channel.open(HealthService.watchPath, only: [], metadata: RPCMetadata(), deadline: nil, handler: stream)
        await stream.firstMessage()
        await server.stop()
        #expect(await stream.end()?.code == .unavailable)
        #expect(stream.messages.map(\.array) == [[8, 1], [8, 2]])
        withExtendedLifetime(watch) {}
        await channel.shutdown()
    }

    @Test func `an address that cannot be listened on is reported`() async throws {
        let first = Self.server()
        let address = try await first.start()
        var log = Logger(label: "test")
        log.logLevel = .critical
        let second = HearthServer(
            ServerConfiguration(
                listener: RPCServerConfiguration(host: address.host, port: address.port), databases: DatabaseOpening(storage: .memory)),
            log: log)
        #expect(await code { _ = try await second.start() } != .ok)
        await second.stop()
        await first.stop()
    }
}

/// Remembers that a stream said something, and how it ended.
private final class EndOfStream: RPCClientHandler {
    private struct State {
        var messages: [ByteSlice] = []
        var end: RPCStatus??
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func receive(_ message: ByteSlice) { change { $0.messages.append(message) } }
    var messages: [ByteSlice] { state.withLock { $0.messages } }
    func becameWritable() {}
    func ended(_ status: RPCStatus?, trailers: RPCMetadata) { change { $0.end = .some(status) } }

    var status: RPCStatus? { state.withLock { $0.end ?? nil } }

    func firstMessage() async { await messages(1) }
    func messages(_ count: Int) async { await until { $0.messages.count >= count || $0.end != nil } }

    func end() async -> RPCStatus? {
        await until { $0.end != nil }
        return state.withLock { $0.end ?? nil }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func until(_ condition: (State) -> Bool) async {
        while !state.withLock({ condition($0) }) {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isDone = state.withLock { state in
                    if condition(state) { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isDone { continuation.resume() }
            }
        }
    }
}
