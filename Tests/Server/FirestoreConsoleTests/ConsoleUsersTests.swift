// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import Testing

@testable import FirestoreConsole

/// `/console/api/users`: who may ask, and what a server without accounts says.
struct ConsoleUsersTests {
    /// Answers with what it is asked.
    private struct Echo: ConsoleUsers {
        var summary: JSON { .object([("project", .string("library"))]) }

        func respond(to question: ConsoleUsersQuestion) async throws(FirestoreError) -> JSON {
            .object([("verb", .string("\(question.verb)")), ("search", .string(question.parameters["search"] ?? "")), ("body", question.body)])
        }
    }

    static let rows: [(verb: String, path: String, token: String?, body: String, status: String, says: String)] = [
        ("GET", "?search=a%40b&other=1", ConsoleFixture.token, "", "200", #"{"verb":"read","search":"a@b","body":{}}"#), ("GET", "", nil, "", "401", "hearth console"),
        ("GET", "", "owner", "", "401", "hearth console"), ("POST", "", ConsoleFixture.token, #"{"action":"x"}"#, "200", #""body":{"action":"x"}"#),
        ("POST", "", nil, "{}", "401", "hearth console"), ("POST", "", ConsoleFixture.token, "[]", "400", "JSON object"), ("DELETE", "?id=u", ConsoleFixture.token, "", "200", #""verb":"delete""#),
        ("DELETE", "?id=u", nil, "", "401", "hearth console"), ("PUT", "", ConsoleFixture.token, "{}", "405", "offered are"),
    ]

    @Test func `the console's token is needed for every question about users`() async throws {
        try await ConsoleFixture.run(change: { $0.users = Echo() }) { console in
            for row in Self.rows {
                let answer = await console.ask(row.verb, "/console/api/users" + row.path, token: row.token, body: row.body)
                #expect(answer.status == row.status && answer.body.contains(row.says), "\(row): \(answer.body)")
            }
            #expect(await console.ask("GET", "/console/api/server").body.contains(#""users":{"project":"library"}"#))
        }
    }

    @Test func `a read-only console changes no users`() async throws {
        try await ConsoleFixture.run(change: { settings in
            settings.users = Echo()
            settings.isReadOnly = true
            settings.advice = OperatorAdvice { $0 == .consoleWrites ? " (by an option)" : "" }
        }) { console in
            #expect(await console.ask("GET", "/console/api/users").status == "200")
            for verb in ["POST", "DELETE"] {
                let answer = await console.ask(verb, "/console/api/users?id=u", body: verb == "POST" ? "{}" : "")
                #expect(answer.status == "403" && answer.body.contains("the console is read-only here (by an option)"))
            }
        }
    }

    @Test func `a server without accounts says so, with the advice of the program that started it`() async throws {
        try await ConsoleFixture.run(change: { $0.advice = OperatorAdvice { $0 == .accounts ? "; make some" : "" } }) { console in
            let answer = await console.ask("GET", "/console/api/users")
            #expect(answer.status == "404" && answer.body.contains("this server keeps no accounts; make some"))
            let server = await console.ask("GET", "/console/api/server")
            #expect(server.status == "200" && !server.body.contains(#""users""#))
        }
    }
}
