import FirestoreCore
import FirestoreRPC
import FirestoreWire
import Foundation
import Logging
import Testing

@testable import FirestoreServer

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

    @Test func `calls over a connection, and figures of them`() async throws {
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

    @Test func `stopping ends what is open, closes the files, and happens once`() async throws {
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

    @Test func `what cannot be listened on is said`() async throws {
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
        var hasSpoken = false
        var end: RPCStatus??
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func receive(_ message: ByteSlice) { change { $0.hasSpoken = true } }
    func becameWritable() {}
    func ended(_ status: RPCStatus?, trailers: RPCMetadata) { change { $0.end = .some(status) } }

    func firstMessage() async { await until { $0.hasSpoken || $0.end != nil } }

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
