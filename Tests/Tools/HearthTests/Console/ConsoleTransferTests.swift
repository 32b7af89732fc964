// SPDX-License-Identifier: Apache-2.0
import FirestoreConsole
import FirestoreCore
import FirestoreEnforcement
import FirestoreEngine
import FirestoreRPC
import FirestoreRules
import FirestoreServer
import Foundation
import Logging
import Testing

@testable import hearth

/// Export and import as streams, over real connections.
@Suite(.timeLimit(.minutes(3)))
struct ConsoleTransferTests {
    private static let name = "projects/demo/databases/(default)"
    private static let database = DatabaseID(projectID: "demo")

    /// Only what the console asks for documents.
    private struct Routes: HTTPService {
        let routes: ConsoleTransferRoutes

        func readsBody(method: String, path: String) -> Bool { path == ConsoleTransferRoutes.importPath }

        func handle(_ exchange: any HTTPExchange) {
            Task {
                do throws(HTTPRefusal) {
                    if exchange.request.path == ConsoleTransferRoutes.exportPath {
                        try await routes.answerExport(exchange)
                    } else {
                        try await routes.answerImport(exchange, isReadOnly: false)
                    }
                } catch {
                    exchange.respond(status: error.status, headers: error.allHeaders, body: error.body)
                }
            }
        }
    }

    private struct NoService: RPCService {
        func method(at path: String) -> RPCMethod? { nil }
    }

    private struct Bench: Sendable {
        let databases: DatabaseRegistry
        let port: Int

        func documents() async throws -> [String] {
            var query = StructuredQuery(scope: .kindless(under: nil, allDescendants: true))
            query.orders = [SortOrder(path: .documentID)]
            return try await databases.open(ConsoleTransferTests.database).run(query, options: .acknowledged(), context: .embedded).documents.map(\.key.path)
        }

        /// Sends a body in chunks, and returns the lines of the answer.
        func importing(_ parameters: String, _ chunks: [String]) async -> [String] {
            let port = port
            let answer = await RawConnection.onThread { () -> String in
                guard let connection = RawConnection(port: port) else { return "no connection" }
                connection.send(ConsoleTransferTests.head(parameters))
                for chunk in chunks { connection.send(chunk: Array(chunk.utf8)) }
                connection.send(chunk: [])
                return connection.read()
            }
            return ConsoleTransferTests.lines(answer)
        }
    }

    static func head(_ parameters: String) -> String {
        "POST \(ConsoleTransferRoutes.importPath)?database=\(name)&\(parameters) HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n"
    }

    /// The JSON lines of an answer, however it was cut into chunks; the status first if it is not 200.
    static func lines(_ answer: String) -> [String] {
        let parts = answer.components(separatedBy: "\r\n\r\n")
        let lines = parts.dropFirst().joined(separator: "\r\n\r\n").split(whereSeparator: \.isNewline).map(String.init).filter { $0.hasPrefix("{") }
        return parts[0].contains(" 200 ") ? lines : [String(parts[0].prefix(12))] + lines
    }

    private func withServer(_ body: (Bench) async throws -> Void) async throws {
        var log = Logger(label: "test")
        log.logLevel = .critical
        let databases = DatabaseRegistry(DatabaseOpening(storage: .memory), log: log)
        _ = try await databases.open(Self.database)
        let http = Routes(routes: ConsoleTransferRoutes(databases: databases, files: ConsoleTransferFiles()))
        let server = RPCServer(configuration: RPCServerConfiguration(), service: NoService(), http: http)
        let address = try await server.start()
        do {
            try await body(Bench(databases: databases, port: address.port))
        } catch {
            Issue.record(error)
        }
        await server.shutdown(grace: .milliseconds(100))
        await databases.close()
    }

    private static func line(_ n: Int) -> String { #"{"path":"books/\#(1_000_000 + n)","fields":{"n":\#(n)}}"# + "\n" }

    @Test func `documents are imported while they arrive, in any pieces, and exported again`() async throws {
        try await withServer { bench in
            let text = Array((0..<1_000).map(Self.line).joined().utf8)
            let pieces = stride(from: 0, to: text.count, by: 777).map { String(decoding: text[$0...].prefix(777), as: UTF8.self) }
            let answer = await bench.importing("format=jsonl", pieces)
            #expect(answer.last == #"{"done":{"documents":1000,"bad":0}}"#, "\(answer)")
            let imported = try await bench.documents()
            #expect(imported.count == 1_000)
            let port = bench.port
            let exported = await RawConnection.onThread { () -> String in
                let body = #"{"database":"\#(Self.name)","collection":"books"}"#
                guard let connection = RawConnection(port: port) else { return "" }
                connection.send(
                    "POST \(ConsoleTransferRoutes.exportPath) HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)")
                return connection.read()
            }
            #expect(Self.lines(exported).count == 1_000)
            #expect(Self.lines(exported).first == #"{"path":"books/1000000","fields":{"n":0}}"#, "\(exported.prefix(600))")
        }
    }

    @Test func `CSV, and the types that were guessed`() async throws {
        try await withServer { bench in
            let answer = await bench.importing("format=csv&collection=cities&idField=code", ["code,people\nSF,", "800000\nLA,4000000\n"])
            #expect(answer.first == #"{"types":"code:string,people:int"}"#, "\(answer)")
            #expect(answer.last == #"{"done":{"documents":2,"bad":0}}"#)
            let imported = try await bench.documents()
            #expect(imported == ["cities/LA", "cities/SF"])
        }
    }

    @Test func `a dry run counts documents that would be replaced, and writes nothing`() async throws {
        try await withServer { bench in
            _ = try await bench.databases.open(Self.database).commit(
                [Write(key: DocumentKey(trusted: "books/1000001"), operation: .set(.empty))], context: .embedded)
            let answer = await bench.importing("format=jsonl&dryRun=true", (0..<250).map(Self.line))
            #expect(answer.last == #"{"done":{"documents":250,"bad":0,"existing":1,"examples":["books/1000001"]}}"#, "\(answer)")
            #expect(try await bench.documents() == ["books/1000001"])
        }
    }

    @Test(arguments: ["", "&dryRun=true"])
    func `malformed documents are left out up to a number, then the import stops`(run: String) async throws {
        try await withServer { bench in
            let chunks = [Self.line(0), "{\"path\":\"books\"}\n", Self.line(1), "nonsense\n", Self.line(2)]
            // How far it is, is said between the findings, when some time has passed.
            let good = await bench.importing("format=jsonl&skipBad=2" + run, chunks).filter { !$0.hasPrefix(#"{"progress":"#) }
            #expect(good.count == 3 && good[0].hasPrefix(#"{"bad":{"line":2,"#) && good[1].hasPrefix(#"{"bad":{"line":4,"#), "\(good)")
            #expect(good.last?.hasPrefix(#"{"done":{"documents":3,"bad":2"#) == true, "\(good)")
            let bad = await bench.importing("format=jsonl" + run, chunks)
            #expect(bad.last?.hasPrefix(#"{"error":{"code":400,"#) == true, "\(bad)")
        }
    }

    @Test(arguments: [
        "format=emulator", "format=xml", "idField=a", "format=csv&collection=a/b", "skipBad=-1", "format=csv&collection=a&types=x:y",
    ])
    func `invalid parameters are rejected, however much of the body has arrived`(parameters: String) async throws {
        try await withServer { bench in
            #expect(await bench.importing(parameters, [Self.line(0)]).first == "HTTP/1.1 400")
        }
    }

    @Test func `a page that is closed stops its import, and imported documents stay`() async throws {
        try await withServer { bench in
            let port = bench.port
            // More than waits: part of it is imported before the connection ends in the middle of a document.
            await RawConnection.onThread {
                guard let connection = RawConnection(port: port) else { return }
                connection.send(Self.head("format=jsonl"))
                for n in 0..<40 { connection.send(chunk: Array((n * 500..<(n + 1) * 500).map(Self.line).joined().utf8)) }
                _ = connection.read(until: "progress")
                connection.send("fff\r\n{\"path\":")
            }
            // Another one is not excluded by it.
            let answer = await bench.importing("format=jsonl", [#"{"path":"other/a","fields":{}}"#])
            #expect(answer.last == #"{"done":{"documents":1,"bad":0}}"#)
            let count = try await bench.documents().filter { $0.hasPrefix("books/") }.count
            #expect(count > 0 && count <= 20_000)
        }
    }

    @Test func `a body far larger than a message is imported`() async throws {
        try await withServer { bench in
            let port = bench.port
            let padding = String(repeating: "x", count: 10_000)
            let answer = await RawConnection.onThread { () -> String in
                guard let connection = RawConnection(port: port) else { return "no connection" }
                connection.send(Self.head("format=jsonl"))
                for n in 0..<1_500 { connection.send(chunk: Array((#"{"path":"large/\#(n)","fields":{"t":"\#(padding)"}}"# + "\n").utf8)) }
                connection.send(chunk: [])
                return connection.read()
            }
            #expect(Self.lines(answer).last == #"{"done":{"documents":1500,"bad":0}}"#)
        }
    }
}
