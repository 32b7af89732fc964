// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreRemote
import FirestoreServer
import FirestoreSync
import Foundation
import Logging
import TestSupport
import Testing

/// A server on a port of this machine, and clients that share one cache of it.
final class SharedCacheFixture: Sendable {
    static let database = DatabaseID(projectID: "shared")

    let folder: ScratchFolder
    let port: Int
    private let server: HearthServer
    private let clients = Mutex<[SyncClient]>([])

    init() async throws {
        var log = Logger(label: "shared")
        log.logLevel = .critical
        folder = try ScratchFolder()
        server = HearthServer(
            ServerConfiguration(
                listener: RPCServerConfiguration(host: "127.0.0.1", port: 0), databases: DatabaseOpening(storage: .memory),
                grace: .seconds(1)), log: log)
        port = try await server.start().port
    }

    var file: String { folder.file("cache.sqlite") }

    /// A client of this process. As far as the cache is concerned, each is a process of its own.
    ///
    /// `file`: of another cache. `backoff`: the first delay after a connection was lost.
    func client(
        file: String? = nil, user: SyncUser = .unauthenticated, port: Int? = nil, backoff: Duration? = nil
    ) throws -> SyncClient {
        let channel = try RPCClientChannel(RPCClientConfiguration(host: "127.0.0.1", port: port ?? self.port))
        let service = RemoteService(channel, database: Self.database)
        let file = file ?? self.file
        var settings = SyncEngine.Settings()
        if let backoff { settings.backoff = Backoff(first: backoff, longest: backoff * 20) }
        let client = try SyncClient(
            SyncClient.Parts(
                database: Self.database, user: user, transport: try service.transport, service: service, settings: settings,
                cache: { user in
                    LocalStore.Configuration(location: .file(path: file), databaseID: Self.database, server: "shared", user: user)
                }))
        clients.withLock { $0.append(client) }
        return client
    }

    /// What the server has.
    func truth(_ path: String) async throws -> Int64? {
        let channel = try RPCClientChannel(RPCClientConfiguration(host: "127.0.0.1", port: port))
        let service = RemoteService(channel, database: Self.database)
        let document = try await service.get(path)
        await service.shutdown()
        guard case .integer(let number)? = try document?.fields.map["n"] else { return nil }
        return number
    }

    func all(_ collection: String) async throws -> [Document] {
        let channel = try RPCClientChannel(RPCClientConfiguration(host: "127.0.0.1", port: port))
        let service = RemoteService(channel, database: Self.database)
        let documents = try await service.run(.collection(collection), context: .embedded).documents
        await service.shutdown()
        return documents
    }

    func change(_ writes: Write...) async throws {
        let channel = try RPCClientChannel(RPCClientConfiguration(host: "127.0.0.1", port: port))
        let service = RemoteService(channel, database: Self.database)
        _ = try await service.commit(writes, context: .embedded)
        await service.shutdown()
    }

    func close() async {
        for client in clients.withLock({ $0 }) { await client.terminate() }
        await server.stop()
    }

    static func with(_ body: (SharedCacheFixture) async throws -> Void) async throws {
        let fixture = try await SharedCacheFixture()
        do { try await body(fixture) } catch {
            await fixture.close()
            throw error
        }
        await fixture.close()
    }
}

/// What a listener on a collection has received.
final class SharedView: Sendable {
    private struct State {
        var texts: [String] = []
        var times: [String: ContinuousClock.Instant] = [:]
        var error: FirestoreError?
    }

    private let state = Mutex(State())
    private let handle = Mutex<(any ListenHandle)?>(nil)

    init(_ client: SyncClient, _ collection: String, source: ReadSource = .default, limit: Int? = nil) {
        let query = ClientQuery(StructuredQuery.collection(collection).window(limit: limit))
        let handle = client.listen(
            to: .query(query), options: ListenOptions(source: source, includeMetadataChanges: true), schedule: { $0() },
            onEvent: { [self] event in
                state.withLock { state in
                    switch event {
                    case .success(let snapshot):
                        let text = Self.text(snapshot)
                        state.texts.append(text)
                        state.times[text] = .now
                    case .failure(let error): state.error = error
                    }
                }
            })
        self.handle.withLock { $0 = handle }
    }

    /// As `CacheSharer` prints it.
    static func text(_ snapshot: ViewSnapshot) -> String {
        let documents = snapshot.documents.map { document in
            var number = ""
            if case .integer(let n)? = (try? document.fields.map)?["n"] { number = "\(n)" }
            return "\(document.key.id)=\(number)\(snapshot.pendingKeys.contains(document.key) ? "*" : "")"
        }
        return "[\(documents.joined(separator: " "))] \(snapshot.isFromCache ? "cache" : "server")"
    }

    var last: String? { state.withLock { $0.texts.last } }
    var all: [String] { state.withLock { $0.texts } }
    var error: FirestoreError? { state.withLock { $0.error } }
    func time(of text: String) -> ContinuousClock.Instant? { state.withLock { $0.times[text] } }

    func end() { handle.withLock { $0 }?.remove() }
}

/// `CacheSharer`, built next to the tests.
final class CacheSharer: Sendable {
    private let process: Process
    private let input = Pipe()
    private let lines = Mutex<[String]>([])

    static var executable: String? {
        let candidates = [
            URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
            Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent(),
        ]
        return candidates.map { $0.appendingPathComponent("CacheSharer").path }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    init(_ file: String, port: Int) throws {
        process = Process()
        let output = Pipe()
        process.executableURL = URL(
            fileURLWithPath: try #require(Self.executable, "CacheSharer must stand next to the tests"))
        process.arguments = [file, "\(port)"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        Thread.detachNewThread { [self] in
            var rest = ""
            while true {
                let data = output.fileHandleForReading.availableData
                if data.isEmpty { return }
                rest += String(decoding: data, as: UTF8.self)
                var parts = rest.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
                rest = parts.removeLast()
                lines.withLock { $0 += parts }
            }
        }
    }

    func tell(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: [UInt8]((line + "\n").utf8)) }

    var said: [String] { lines.withLock { $0 } }

    func says(_ line: String, location: SourceLocation = #_sourceLocation) async {
        await eventually("the child says \(line), only \(said)", location: location) { said.contains(line) }
    }

    /// From now on it does nothing, and keeps what it has.
    func pause() { Foundation.kill(process.processIdentifier, SIGSTOP) }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func waitUntilExit() { process.waitUntilExit() }
}
