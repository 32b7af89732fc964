// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRules
import FirestoreServer
import FirestoreWire
import Foundation
import HearthBase
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreConsole

/// Who may use the console, over a real socket.
struct ConsoleAccessTests {
    private static let token = ConsoleFixture.token

    static let refusals: [(token: String?, headers: [String], host: String?, status: String)] = [
        (token, [], nil, "200"), (token, ["sec-fetch-site: same-origin"], nil, "200"), (token, ["sec-fetch-site: none"], nil, "200"), (token, [], "localhost", "200"),
        (nil, [], nil, "401"), ("owner", [], nil, "401"), (String(token.dropLast()), [], nil, "401"), (token + "a", [], nil, "401"), ("", [], nil, "401"), (token.lowercased(), [], nil, "401"),
        (nil, ["cookie: token=\(token); authorization=Bearer \(token)"], nil, "401"), (nil, ["authorization: Basic \(Base64.encode(Array(":\(token)".utf8)))"], nil, "401"),
        (token, ["authorization: Bearer \(token)"], nil, "401"), (nil, ["x-authorization: Bearer \(token)"], nil, "401"), (nil, ["proxy-authorization: Bearer \(token)"], nil, "401"),
        (token, ["sec-fetch-site: cross-site"], nil, "403"), (token, ["sec-fetch-site: same-site"], nil, "403"), (nil, ["sec-fetch-site: cross-site"], nil, "403"),
        (token, ["origin: https://evil.example"], nil, "403"), (token, ["origin: null"], nil, "403"), (token, ["origin: http://localhost:5173"], nil, "403"),
        (token, ["origin: http://127.0.0.1"], nil, "403"), (token, [], "evil.example", "421"), (token, ["origin: http://evil.example"], "evil.example", "421"),
    ]

    @Test func `the token in the header opens it, from the console's own pages`() async throws {
        try await ConsoleFixture.run { console in
            for row in Self.refusals {
                let answer = await console.ask("GET", "/console/api/server", token: row.token, headers: row.headers, host: row.host)
                #expect(answer.status == row.status, "\(row)")
                #expect(!answer.head.contains("access-control"))
                if row.status == "401" { #expect(answer.body.contains("UNAUTHENTICATED") && answer.body.contains("hearth console")) }
            }
            let own = await console.ask("GET", "/console/api/server", headers: ["origin: http://\(console.address)"])
            #expect(own.status == "200")
            #expect(await console.ask("GET", "/console/api/server?token=\(Self.token)", token: nil).status == "401")
            // Another name of this machine is another origin.
            #expect(await console.ask("GET", "/console/api/server", headers: ["origin: http://localhost:\(console.address.port)"]).status == "403")
        }
    }

    @Test func `the token is the administrator's in REST, and means nothing over gRPC`() async throws {
        try await ConsoleFixture.run(rules: "match /books/{id} { allow read: if request.auth.uid == 'alice'; }") { console in
            #expect(await console.ask("PATCH", "\(ConsoleFixture.root)/books/a", body: "{}").status == "200")
            #expect(await console.ask("GET", "\(ConsoleFixture.root)/books/a").status == "200")
            #expect(await console.ask("GET", "\(ConsoleFixture.root)/books/a", token: nil).status == "403")
            #expect(await console.ask("GET", "\(ConsoleFixture.root)/books/a", token: nil, headers: ["cookie: authorization=Bearer \(Self.token)"]).status == "403")
            #expect(await console.ask("DELETE", "/emulator/v1/projects/library/databases/(default)/documents").status == "401")
            let channel = try RPCClientChannel(RPCClientConfiguration(host: console.address.host, port: console.address.port))
            let get = GetDocumentRequest(database: ServerFixture.database, key: DocumentKey(trusted: "books/a"))
            let header = RPCMetadata([("authorization", "Bearer \(Self.token)")])
            #expect(await code { _ = try await channel.unary(FirestoreMethod.getDocument.path, get.encoded(), metadata: header, deadline: nil) } == .unauthenticated)
            await channel.shutdown()
        }
    }

    @Test func `requests in the name of others are judged as theirs`() async throws {
        func claims(_ text: String) -> [String] { ["hearth-console-as: \(Base64.encodeForURL(Array(text.utf8)))"] }
        try await ConsoleFixture.run(rules: "match /books/{id} { allow read: if request.auth.uid == 'alice' && request.auth.token.reads == true; }") { console in
            let path = "\(ConsoleFixture.root)/books/a"
            #expect(await console.set("books/a", 1) == "200")
            for (headers, status) in [
                ([], "200"), (["hearth-console-as: anonymous"], "403"), (claims(#"{"sub":"alice","reads":true}"#), "200"), (claims(#"{"sub":"alice"}"#), "403"), (claims(#"{"sub":"bob","reads":true}"#), "403"),
                (claims(#"{"reads":true}"#), "400"), (claims(#"{"sub":""}"#), "400"), (claims("[]"), "400"), (["hearth-console-as: %%%"], "400"), (["hearth-console-as: "], "400"),
            ] {
                #expect(await console.ask("GET", path, headers: headers).status == status, "\(headers)")
            }
            // Without the token the header is ignored.
            #expect(await console.ask("GET", path, token: nil, headers: claims(#"{"sub":"alice","reads":true}"#)).status == "403")
            #expect(await console.ask("GET", path, token: "owner", headers: ["hearth-console-as: anonymous"]).status == "200")
            // The console's own calls stay the administrator's.
            #expect(await console.ask("GET", "/console/api/server", headers: ["hearth-console-as: anonymous"]).status == "200")
        }
    }

    @Test func `a read-only console rejects calls that write`() async throws {
        try await ConsoleFixture.run(change: { $0.isReadOnly = true }) { console in
            let root = ConsoleFixture.root
            #expect(await console.set("books/a", 1) == "200")
            for (verb, path, status) in [
                ("GET", "\(root)/books/a", "200"), ("POST", "\(root):runQuery", "200"), ("PATCH", "\(root)/books/a", "403"), ("POST", "\(root)/books", "403"), ("DELETE", "\(root)/books/a", "403"),
                ("POST", "\(root):commit", "403"), ("POST", "\(root):batchWrite", "403"), ("POST", "\(root):beginTransaction", "403"), ("POST", "/console/api/indexes", "403"),
                ("DELETE", "/console/api/indexes", "403"), ("GET", "/console/api/server", "200"),
                // OT-28
                ("GET", "/v1/projects/library/databases", "403"), ("POST", "/v1/projects/library/databases", "403"),
            ] {
                let body = path.hasSuffix(":runQuery") ? #"{"structuredQuery":{"from":[{"collectionId":"books"}]}}"# : "{}"
                let answer = await console.ask(verb, path, body: verb == "GET" || verb == "DELETE" ? "" : body)
                #expect(answer.status == status, "\(verb) \(path)")
                if status == "403" { #expect(answer.body.contains("PERMISSION_DENIED") && answer.body.contains("read-only")) }
            }
            let source = #"{"name":"collection","args":[{"referenceValue":"/books"}]}"#
            for (stages, status) in [(source, "200"), (source + #",{"name":"delete"}"#, "403")] {
                let body = #"{"structuredPipeline":{"pipeline":{"stages":[\#(stages)]}}}"#
                #expect(await console.ask("POST", "\(root):executePipeline", body: body).status == status)
            }
            #expect(await console.ask("PATCH", "\(root)/books/a", headers: ["hearth-console-as: anonymous"], body: "{}").status == "403")
            #expect(await console.ask("GET", "/console/api/server").json?["readOnly"]?.text() == "true")
        }
    }

    @Test func `a token that crossed a network is not taken`() async throws {
        try await ConsoleFixture.run(change: { $0.isProtected = { _ in false } }) { console in
            #expect(await console.ask("GET", "/console/api/server").status == "401")
            #expect(await console.ask("GET", "\(ConsoleFixture.root)/books/a").status == "401")
        }
    }

    @Test func `a server without a console has none of it`() async throws {
        let server = ServerFixture()
        for path in ["/console", "/console/", "/console/main.js", "/console/api/server"] {
            #expect(await server.http("GET", path, headers: [("authorization", "Bearer \(Self.token)")]).status == 404, "\(path)")
        }
        #expect(await server.http("GET", "/", headers: [("accept", "text/html")]).text == "Ok\n")
        #expect(await server.http("GET", "\(ConsoleFixture.root)/books/a", headers: [("authorization", "Bearer \(Self.token)")]).status == 401)
    }

    // MARK: What it reports about the server

    @Test func `the server lists its databases, closed ones as well`() async throws {
        let folder = try ScratchFolder()
        let other = #"/v1/projects/my%20project/databases/reports/documents/a/b"#
        try await ConsoleFixture.run(storage: .directory(folder.path)) { console in
            #expect(await console.set("books/a", 1) == "200")
            #expect(await console.ask("PATCH", other, token: "owner", body: "{}").status == "200")
        }
        _ = try folder.write("".utf8, to: "library/notes.txt")
        // Without this file, all databases are opened to find out when their documents expire.
        _ = try folder.write(#"{"expiry": []}"#.utf8, to: "hearth.timers")
        let change: (inout ConsoleSettings) -> Void = { settings in
            settings.project = "library"
            settings.serverSettings = .object([("durability", .string("relaxed"))])
        }
        try await ConsoleFixture.run(storage: .directory(folder.path), change: change) { console in
            let server = try #require(await console.ask("GET", "/console/api/server").json)
            #expect(server["version"]?.text() == "\"\(LibraryVersion.text)\"" && server["address"]?.text() == "\"\(console.address)\"" && server["data"]?.text() == "\"\(folder.path)\"")
            #expect(server["project"]?.text() == "\"library\"" && server["settings"]?.text() == #"{"durability":"relaxed"}"# && server["development"]?.text() == "true" && server["requestValues"]?.text() == "false")
            guard case .string(let start)? = server["startTime"] else { Issue.record("no start time"); return }
            #expect(TimestampValue(text: start) != nil)
            #expect(await console.set("books/b", 1) == "200")
            let answer = await console.ask("GET", "/console/api/databases")
            guard case .array(let databases)? = answer.json?["databases"] else { Issue.record("\(answer.body)"); return }
            #expect(databases.map { $0["name"]?.text() } == ["\"projects/library/databases/(default)\"", "\"projects/my project/databases/reports\""])
            #expect(databases.map { $0["open"]?.text() } == ["true", "false"])
            for database in databases {
                let bytes = try JSONNode(database).required("bytes").integer()
                #expect(bytes > 1_000)
            }
        }
    }

    @Test func `rules and indexes are reported, and rules of a read-only console only checked`() async throws {
        try await ConsoleFixture.run(rules: "match /books/{id} { allow read; }", change: { $0.isReadOnly = true }) { console in
            let query = "?database=\(ConsoleFixture.database)"
            let rules = await console.ask("GET", "/console/api/rules\(query)")
            #expect(rules.status == "200" && rules.json?["canSet"]?.text() == "false", "\(rules.body)")
            let put = #"{"content":"service cloud.firestore { }"}"#
            #expect(await console.ask("PUT", "/console/api/rules\(query)", body: put).status == "403")
            #expect(await console.ask("GET", "/console/api/indexes\(query)").status == "200")
            #expect(await console.ask("POST", "/console/api/decisions", body: "{}").status == "400")
        }
    }

    @Test func `the list of databases contains databases in memory`() async throws {
        try await ConsoleFixture.run { console in
            let first = await console.ask("GET", "/console/api/databases")
            #expect(first.body == #"{"databases":[{"name":"projects/library/databases/(default)","open":false}]}"#)
            #expect(await console.ask("GET", "/console/api/server").json?["data"] == nil)
            #expect(await console.ask("PUT", "/console/api/databases").status == "405")
        }
    }

    @Test func `metrics exclude the console's own calls`() async throws {
        try await ConsoleFixture.run { console in
            #expect(await console.set("books/a", 1) == "200")
            #expect(await console.ask("GET", "\(ConsoleFixture.root)/books/none", token: "owner").status == "404")
            // The console's own calls do not count, those in the name of others do.
            for headers in [[], [], ["hearth-console-as: anonymous"]] { #expect(await console.ask("GET", "\(ConsoleFixture.root)/books/a", headers: headers).status == "200") }
            #expect(await console.ask("GET", "/v1/projects/library/databases").status == "200")
            let answer = await console.ask("GET", "/console/api/metrics")
            let samples = try JSONNode(try #require(answer.json)).elements("samples")
            #expect(samples.count >= 1)
            // The next sample is taken after these calls.
            let stream = console.live(#"{"topics":["metrics"]}"#)
            let node = JSONNode(try #require(try await stream.next("metrics")))
            let figures = try ["calls", "errors", "reads", "writes", "deletes", "listeners"].map { try node.required($0).integer() }
            #expect(figures == [3, 1, 1, 1, 0, 0])
            let (connections, time) = (try node.required("connections").integer(), try node.required("time").string())
            #expect(connections >= 1 && TimestampValue(text: time) != nil)
            #expect(node.json["bytes"] == nil)
            stream.cut()
        }
    }
}
