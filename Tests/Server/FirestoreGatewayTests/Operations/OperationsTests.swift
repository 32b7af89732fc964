// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreGateway

/// What the server answers about itself, and the emulator's conveniences.
struct OperationsTests {
    private let server = ServerFixture()

    @Test(arguments: ["/", "/healthz", "/livez", "/readyz"])
    func `the paths of health answer 200`(path: String) async {
        #expect(await server.http("GET", path).status == 200)
    }

    @Test func `a server that stops is not ready`() async {
        let rest = HTTPFront(server.service, readiness: { .stopping })
        let exchange = FakeExchange(HTTPRequest(method: "GET", path: "/readyz"))
        rest.handle(exchange)
        #expect(await exchange.response().status == 503)
    }

    @Test func `a server that needs its archive is not ready while that has lost everything`() async {
        let rest = HTTPFront(server.service, readiness: { .withoutArchive })
        let exchange = FakeExchange(HTTPRequest(method: "GET", path: "/readyz"))
        rest.handle(exchange)
        let answer = await exchange.response()
        #expect(answer.status == 503 && answer.text.contains("a new copy is being made"))
    }

    @Test func `the path of metrics answers in Prometheus's format`() async throws {
        try await server.commit(.set("a/b"))
        let answer = await server.http("GET", "/metrics")
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
        #expect(answer.text.contains("hearth_databases_open 1\n"))
        #expect(answer.text.contains("process_resident_memory_bytes "))
    }

    // SE-5
    @Test(arguments: ["(default)", "%28default%29"])
    func `clearing leaves nothing, and other databases alone`(name: String) async throws {
        try await server.commit((0..<1_200).map { .set("books/\($0)") } + [.set("a/missing/b/c"), .set("books/1/reviews/x")])
        let other = DatabaseID(projectID: "library", databaseID: "other")
        _ = try await server.unary(.commit, CommitRequest(database: other, writes: [.set("books/a")]), as: CommitMessage.self)
        let answer = await server.http("DELETE", "/emulator/v1/projects/library/databases/\(name)/documents")
        #expect(answer.status == 200)
        #expect(answer.text == "{}")
        let everything = StructuredQuery(scope: .kindless(under: nil, allDescendants: true))
        let service = try await server.open()
        #expect(try await service.run(everything, context: .embedded).documents.isEmpty)
        #expect(try await server.open(other).run(everything, context: .embedded).documents.count == 1)
    }

    @Test(arguments: [
        ("DELETE", "/emulator/v1/projects/p/databases/NO/documents", 400), ("DELETE", "/emulator/v1/projects/p", 404),
        ("GET", "/nothing", 404), ("GET", "/v2/projects/p", 404), ("POST", "/", 405), ("GET", "nothing", 404),
    ])
    func `unknown paths and methods are errors in JSON`(method: String, path: String, status: Int) async {
        let answer = await server.http(method, path)
        #expect(answer.status == status)
        #expect(answer.text.contains("\"error\""))
    }
}
