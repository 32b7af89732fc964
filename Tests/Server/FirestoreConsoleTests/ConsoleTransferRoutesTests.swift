// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import ServerFixtures
import Testing

@testable import FirestoreConsole

/// Export and import, with files that only say what they were asked.
struct ConsoleTransferRoutesTests {
    private static let name = "projects/library/databases/(default)"

    private struct FakeFiles: ConsoleFiles {
        var failsAfter: Int?

        func export(
            _ export: ConsoleExport, to write: @escaping @Sendable ([UInt8]) async throws(FirestoreError) -> Void
        ) async throws(FirestoreError) {
            for piece in 0..<3 {
                if piece == failsAfter { throw FirestoreError(.dataLoss, "the disk is broken") }
                try await write(Array("\(export.collection?.path ?? "all") \(piece)\n".utf8))
            }
        }

        func check(_ plan: ConsoleImport) throws(FirestoreError) {}
        func importDocuments(_ plan: ConsoleImport, report: @escaping @Sendable (ConsoleImport.Event) -> Void) async throws(FirestoreError) {}
    }

    private func routes(_ files: FakeFiles = FakeFiles()) async throws -> (ConsoleTransferRoutes, ServerFixture) {
        let server = ServerFixture()
        _ = try await server.open()
        return (ConsoleTransferRoutes(databases: server.service.databases, files: files), server)
    }

    private func export(_ body: String, _ files: FakeFiles = FakeFiles()) async throws -> FakeExchange.Response {
        let (routes, _) = try await routes(files)
        let exchange = FakeExchange(HTTPRequest(method: "POST", path: ConsoleTransferRoutes.exportPath, body: ByteSlice(Array(body.utf8))))
        do throws(HTTPRefusal) { try await routes.answerExport(exchange) } catch { exchange.respond(error) }
        return await exchange.response()
    }

    @Test func `an export is sent in pieces`() async throws {
        let all = try await export(#"{"database":"\#(Self.name)"}"#)
        #expect(all.status == 200 && all.text == "all 0\nall 1\nall 2\n" && all.headers["content-type"] == "application/octet-stream")
        #expect(try await export(#"{"database":"\#(Self.name)","collection":"a/b/c"}"#).text == "a/b/c 0\na/b/c 1\na/b/c 2\n")
    }

    @Test func `an error before the first piece is an answer`() async throws {
        let response = try await export(#"{"database":"\#(Self.name)"}"#, FakeFiles(failsAfter: 0))
        #expect(response.status == 500 && response.text.contains("DATA_LOSS"))
    }

    @Test(arguments: [
        ("", 400), ("{}", 400), (#"{"database":"NAME","collection":"a/b"}"#, 400), (#"{"database":"projects/p/databases/none"}"#, 404),
    ])
    func `exports that are wrong`(body: String, status: Int) async throws {
        #expect(try await export(body.replacing("NAME", with: Self.name)).status == status)
    }

    @Test func `a read-only console imports nothing but dry runs`() async throws {
        let (routes, _) = try await routes()
        for (dryRun, status) in [("false", 403), ("true", 500)] {
            let query = [(name: "database", value: Self.name), (name: "dryRun", value: dryRun)]
            let exchange = FakeExchange(HTTPRequest(method: "POST", path: ConsoleTransferRoutes.importPath, query: query, body: .empty))
            let refusal = await #expect(throws: HTTPRefusal.self) { try await routes.answerImport(exchange, isReadOnly: true) }
            // The dry run fails further on: this exchange has no body.
            #expect(refusal?.status == status)
        }
    }

    @Test func `the body of an import alone is read while it arrives`() async throws {
        let console = Console(ConsoleSettings(token: .make()), authentication: UnprovedAuthentication(), isDevelopment: true)
        let server = ServerFixture()
        let paths = console.paths(on: server.service, admin: server.admin, rules: RulesRegistry(), metrics: nil, log: nil)
        #expect(paths.readsBody(method: "POST", path: "/console/api/import"))
        for (method, path) in [("GET", "/console/api/import"), ("POST", "/console/api/export"), ("POST", "/v1/x")] {
            #expect(!paths.readsBody(method: method, path: path))
        }
    }
}
