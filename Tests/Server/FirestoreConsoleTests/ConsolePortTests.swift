// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreRules
import FirestoreServer
import FirestoreWire
import Logging
import ServerFixtures
import ServerTestSupport
import Testing

@testable import FirestoreConsole

/// The console's answers over a real port, beside the calls of an app.
@Suite(.timeLimit(.minutes(2)))
struct ConsolePortTests {
    private static let name = "projects/library/databases/(default)"

    /// Routes by the last part of the path; everything else is REST.
    private struct Router: HTTPService {
        let front: HTTPFront
        let rules: ConsoleRules
        let indexes: ConsoleIndexes
        let decisions: ConsoleDecisions

        func handle(_ exchange: any HTTPExchange) {
            guard exchange.request.path.hasPrefix("/console/api/") else { return front.handle(exchange) }
            let task = Task {
                do throws(HTTPRefusal) {
                    switch exchange.request.path {
                    case "/console/api/rules": try await rules.answer(exchange, isReadOnly: false)
                    case "/console/api/indexes": try await indexes.answer(exchange)
                    default: try await decisions.answer(exchange)
                    }
                } catch {
                    exchange.respond(error)
                }
            }
            exchange.onCancel { task.cancel() }
        }
    }

    private func ask(_ port: RPCAddress, _ verb: String, _ path: String, _ body: String = "") async -> String {
        await RawHTTP.ask(
            port,
            "\(verb) \(path) HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    @Test func `rules, a denied call over gRPC, its decision, and an index`() async throws {
        let served = RulesRegistry()
        let requests = ConsoleRequests(authentication: UnprovedAuthentication())
        let server = ServerFixture(rules: served, recorder: requests)
        _ = try await server.open().commit([.set("books/a", [("n", .integer(1))])], context: .embedded)
        let databases = server.service.databases
        let router = Router(
            front: server.front, rules: ConsoleRules(databases: databases, rules: served, isDevelopment: true),
            indexes: ConsoleIndexes(databases: databases), decisions: ConsoleDecisions(databases: databases, rules: served, requests: requests))
        let port = RPCServer(configuration: RPCServerConfiguration(), service: server.service, http: router)
        let address = try await port.start()
        let rules = "service cloud.firestore { match /databases/{d}/documents { match /books/{b} { allow read: if resource.data.n == 2; } } }"
        let put = await ask(address, "PUT", "/console/api/rules?database=\(Self.name)", #"{"content":"\#(rules)"}"#)
        #expect(put.hasPrefix("HTTP/1.1 200") && put.contains(#""applied":true"#), "\(put)")
        let channel = try RPCClientChannel(RPCClientConfiguration(host: address.host, port: address.port))
        let get = GetDocumentRequest(database: ServerFixture.database, key: DocumentKey(trusted: "books/a"))
        let failure = await #expect(throws: RPCStatus.self) {
            _ = try await channel.unary(FirestoreMethod.getDocument.path, get.encoded(), metadata: RPCMetadata(), deadline: nil)
        }
        #expect(failure?.code == .permissionDenied)
        // The page is notified without asking.
        let news = AsyncStream<Void>.makeStream()
        let page = requests.watch { news.continuation.yield() }
        var told = ""
        for await _ in news.stream {
            told += page.take().map { String(decoding: $0, as: UTF8.self) }.joined()
            if told.contains("\"decision\"") { break }
        }
        #expect(told.contains(#""transport":"grpc","code":"PERMISSION_DENIED""#) && told.contains(#""caller":"anonymous""#), "\(told)")
        page.cancel()
        let decision = await ask(address, "POST", "/console/api/decisions", #"{"database":"\#(Self.name)","request":1}"#)
        #expect(decision.contains(#""granted":false"#) && decision.contains(#""expression":"resource.data.n","result":"1""#), "\(decision)")
        let index = #"{"index":{"collectionGroup":"books","queryScope":"COLLECTION","fields":[{"fieldPath":"n","order":"ASCENDING"}]}}"#
        #expect(await ask(address, "POST", "/console/api/indexes?database=\(Self.name)", index).hasPrefix("HTTP/1.1 200"))
        #expect(await ask(address, "GET", "/console/api/indexes?database=\(Self.name)").contains(#""configured":true"#))
        await channel.shutdown()
        await port.shutdown(grace: .milliseconds(100))
        #expect(requests.watcherCount == 0)
    }
}
