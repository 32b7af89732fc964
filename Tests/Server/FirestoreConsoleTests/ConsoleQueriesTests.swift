// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreServer
import Testing

@testable import FirestoreConsole

/// The queries page's requests: calls by shape, hot documents (OP-95).
@Suite(.timeLimit(.minutes(2)))
struct ConsoleQueriesTests {
    private static let path = "/console/api/queries"
    private static let query = #"{"structuredQuery":{"from":[{"collectionId":"books"}],"where":{"fieldFilter":{"field":{"fieldPath":"n"},"op":"GREATER_THAN","value":{"integerValue":"1"}}}}}"#

    private func shapes(_ answer: ConsoleFixture.Answer) throws -> [String] {
        let shapes = try JSONNode(#require(answer.json)).required("shapes").elements()
        return try shapes.map { try "\($0.required("method").string()) \($0.required("shape").string())" }
    }

    @Test func `a server that measures its calls shows them by shape, without the console's own`() async throws {
        try await ConsoleFixture.run(slow: .milliseconds(1_000)) { fixture in
            #expect(await fixture.set("books/a", 2) == "200")
            #expect(await fixture.ask("POST", ConsoleFixture.root + ":runQuery", token: "owner", body: Self.query).status == "200")
            #expect(await fixture.ask("GET", ConsoleFixture.root + "/secrets/console").status == "404")
            let answer = await fixture.ask("GET", Self.path)
            #expect(answer.status == "200")
            let found = try shapes(answer)
            // What a PATCH reads for its answer may be a call of its own.
            #expect(Set(found).subtracting(["BatchGetDocuments books/…"]) == ["Commit set books/…", "RunQuery books where n > …"])
            let written = try JSONNode(#require(answer.json)).required("written").elements()
            #expect(try written.map { try $0.required("path").string() } == ["books/a"])
            let server = await fixture.ask("GET", "/console/api/server")
            #expect(server.json?["slow"]?.text() == "1.0")
            #expect(try shapes(await fixture.ask("DELETE", Self.path)).isEmpty)
            #expect(try shapes(await fixture.ask("GET", Self.path)).isEmpty)
        }
    }

    @Test func `other callers see nothing, and a read-only console forgets nothing`() async throws {
        try await ConsoleFixture.run(slow: .seconds(1), change: { $0.isReadOnly = true }) { fixture in
            #expect(await fixture.ask("GET", Self.path, token: nil).status == "401")
            #expect(await fixture.ask("GET", Self.path, token: "owner").status == "401")
            #expect(await fixture.ask("GET", Self.path).status == "200")
            #expect(await fixture.ask("DELETE", Self.path).status == "403")
            #expect(await fixture.ask("POST", Self.path).status == "405")
        }
    }

    @Test func `a server that measures nothing says so`() async throws {
        try await ConsoleFixture.run { fixture in
            let answer = await fixture.ask("GET", Self.path)
            #expect(answer.status == "404")
            #expect(answer.body.contains("this server does not measure its calls"))
            #expect(await fixture.ask("GET", "/console/api/server").json?["slow"] == nil)
        }
    }
}
