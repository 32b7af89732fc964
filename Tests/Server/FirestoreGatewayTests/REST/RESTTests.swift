// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreGateway

/// The REST surface, over the same handlers as gRPC (HT-1 … HT-4).
struct RESTTests {
    private let server = ServerFixture()
    private static let root = "/v1/projects/library/databases/(default)/documents"

    private func json(_ response: FakeExchange.Response) throws -> JSON { try JSON(response.body) }

    private func status(_ response: FakeExchange.Response) throws -> String? {
        guard case .string(let status)? = try json(response)["error"]?["status"] else { return nil }
        return status
    }

    @Test func `a document from its making to its end`() async throws {
        let created = await server.http(
            "POST", Self.root + "/books", query: [("documentId", "dune")], body: #"{"fields":{"pages":{"integerValue":"412"}}}"#)
        #expect(created.status == 200)
        #expect(created.headers["content-type"]?.hasPrefix("application/json") == true)
        guard case .string("projects/library/databases/(default)/documents/books/dune")? = try json(created)["name"] else {
            Issue.record("\(created.text)")
            return
        }
        let again = await server.http("POST", Self.root + "/books", query: [("documentId", "dune")], body: #"{"fields":{}}"#)
        #expect(again.status == 409)
        #expect(try status(again) == "ALREADY_EXISTS")
        let updated = await server.http(
            "PATCH", Self.root + "/books/dune", query: [("updateMask.fieldPaths", "title"), ("currentDocument.exists", "true")],
            body: #"{"fields":{"title":{"stringValue":"Dune"}}}"#)
        #expect(updated.status == 200)
        let read = await server.http("GET", Self.root + "/books/dune")
        #expect(read.status == 200)
        let fields = try json(read)["fields"]
        guard case .string("412")? = fields?["pages"]?["integerValue"], case .string("Dune")? = fields?["title"]?["stringValue"] else {
            Issue.record("\(read.text)")
            return
        }
        #expect(await server.http("DELETE", Self.root + "/books/dune").status == 200)
        let gone = await server.http("GET", Self.root + "/books/dune")
        #expect(gone.status == 404)
        #expect(try status(gone) == "NOT_FOUND")
    }

    // DM-9
    @Test func `an odd path lists`() async throws {
        #expect(await server.http("GET", Self.root + "/books").text.filter { !$0.isWhitespace } == "{}")
        try await server.commit(.set("books/a"), .set("books/b"))
        let page = await server.http("GET", Self.root + "/books", query: [("pageSize", "1")])
        guard case .array(let documents)? = try json(page)["documents"], case .string(let token)? = try json(page)["nextPageToken"] else {
            Issue.record("\(page.text)")
            return
        }
        #expect(documents.count == 1)
        let next = await server.http("GET", Self.root + "/books", query: [("pageSize", "1"), ("pageToken", token)])
        #expect(next.text.contains("books/b"))
        #expect(!next.text.contains("nextPageToken"))
    }

    @Test func `many answers are an array, an error before them too`() async throws {
        try await server.commit((0..<3).map { .set("books/\($0)") })
        let query = #"{"structuredQuery":{"from":[{"collectionId":"books"}],"limit":LIMIT}}"#
        let good = await server.http("POST", Self.root + ":runQuery", body: query.replacing("LIMIT", with: "10"))
        #expect(good.status == 200)
        guard case .array(let results) = try json(good) else {
            Issue.record("\(good.text)")
            return
        }
        #expect(results.count == 3)
        #expect(results.allSatisfy { $0["document"] != nil && $0["readTime"] != nil })
        let bad = await server.http("POST", Self.root + ":runQuery", body: query.replacing("LIMIT", with: "-1"))
        #expect(bad.status == 400)
        guard case .array(let errors) = try json(bad), errors.count == 1,
            case .string("INVALID_ARGUMENT")? = errors[0]["error"]?["status"]
        else {
            Issue.record("\(bad.text)")
            return
        }
    }

    @Test func `a transaction commits once, and a malformed token is rejected`() async throws {
        let begun = await server.http("POST", Self.root + ":beginTransaction", body: "{}")
        guard case .string(let transaction)? = try json(begun)["transaction"] else {
            Issue.record("\(begun.text)")
            return
        }
        let body = #"{"transaction":"\#(transaction)","writes":[{"update":{"name":"projects/library/databases/(default)/documents/books/a","fields":{}}}]}"#
        let committed = await server.http("POST", Self.root + ":commit", body: body)
        #expect(committed.status == 200)
        #expect(try json(committed)["commitTime"] != nil)
        let again = await server.http("POST", Self.root + ":commit", body: body)
        #expect(again.status == 409)
        #expect(try status(again) == "ABORTED")
        let nonsense = await server.http("POST", Self.root + ":rollback", body: #"{"transaction":"no base 64!"}"#)
        #expect(nonsense.status == 400)
    }

    @Test(arguments: [("write", 501), ("listen", 501)])
    func `methods without a REST form are unimplemented`(method: String, expected: Int) async {
        #expect(await server.http("POST", Self.root + ":" + method, body: "{}").status == expected)
        // The caller comes first.
        let header = [(name: "authorization", value: "Bearer x")]
        #expect(await server.http("POST", Self.root + ":" + method, headers: header, body: "{}").status == 401)
    }

    @Test(arguments: [
        ("POST", ":commit", "{", 400), ("POST", ":commit", #"{"nothing":1}"#, 400), ("POST", ":batchGet", "[]", 400),
        ("GET", "/books/a/x/y/z/../..", "", 400), ("PATCH", "/books", "{}", 400), ("PUT", "/books/a", "{}", 405), ("GET", ":commit", "", 405), ("TRACE", "/books", "", 405),
        ("POST", ":nothing", "{}", 404),
    ])
    func `requests that are wrong`(verb: String, path: String, body: String, expected: Int) async {
        #expect(await server.http(verb, Self.root + path, body: body).status == expected)
    }

    @Test func `a method that a path does not offer is rejected with the allowed ones`() async throws {
        for (verb, path, allow) in [
            ("PUT", Self.root + "/books/a", "GET, HEAD, PATCH, DELETE, OPTIONS"), ("PUT", Self.root + "/books", "GET, HEAD, POST, OPTIONS"),
            ("GET", Self.root + ":commit", "POST, OPTIONS"), ("POST", "/healthz", "GET, HEAD, OPTIONS"), ("PUT", "/", "GET, HEAD, OPTIONS"),
            ("GET", "/emulator/v1/projects/p/databases/d/documents", "DELETE, OPTIONS"),
        ] {
            let refused = await server.http(verb, path)
            #expect(refused.status == 405 && refused.headers["allow"] == allow, "\(verb) \(path)")
            guard case .number("405")? = try json(refused)["error"]?["code"], case .string("UNIMPLEMENTED")? = try json(refused)["error"]?["status"] else {
                Issue.record("\(refused.text)")
                continue
            }
            let asked = await server.http("OPTIONS", path)
            #expect(asked.status == 200 && asked.headers["allow"] == allow && asked.body.isEmpty)
        }
        #expect(await server.http("OPTIONS", "*").status == 200)
        #expect(await server.http("OPTIONS", Self.root + ":nothing").status == 404)
    }

    @Test func `HEAD is there wherever GET is`() async throws {
        try await server.commit(.set("books/a"))
        for path in [Self.root + "/books/a", Self.root + "/books", "/", "/healthz", "/livez", "/readyz", "/metrics"] {
            #expect(await server.http("HEAD", path).status == 200, "\(path)")
        }
    }

    @Test func `a compressed request is understood`() async throws {
        let body = Array(#"{"structuredQuery":{"from":[{"collectionId":"books"}]}}"#.utf8)
        let compressed = try #require(GzipDeflater.compress(body))
        for coding in ["gzip", "x-gzip", "GZIP", "identity, gzip"] {
            #expect(await server.http("POST", Self.root + ":runQuery", headers: [("content-encoding", coding)], bytes: compressed).status == 200)
        }
        #expect(await server.http("POST", Self.root + ":runQuery", headers: [("content-encoding", "identity")], bytes: body).status == 200)
        // The body of a request that has none.
        #expect(await server.http("GET", Self.root + "/books", headers: [("content-encoding", "gzip")]).status == 200)
    }

    @Test func `a body that cannot be inflated, or becomes too large, is rejected`() async throws {
        let bomb = try #require(GzipDeflater.compress([UInt8](repeating: 32, count: Limits.requestBytes + 1)))
        #expect(bomb.count < 100_000)
        for (coding, bytes, expected) in [
            ("gzip", bomb, 413), ("gzip", Array("{}".utf8), 400), ("gzip", Array(bomb.prefix(1_000)), 400), ("br", Array("{}".utf8), 415), ("gzip, gzip", Array("{}".utf8), 415),
            ("identity", [UInt8](repeating: 32, count: Limits.requestBytes + 1), 413),
        ] {
            let refused = await server.http("POST", Self.root + ":commit", headers: [("content-encoding", coding)], bytes: bytes)
            #expect(refused.status == expected, "\(coding)")
            #expect(try status(refused) == "INVALID_ARGUMENT")
        }
    }

    @Test func `large answers are compressed for clients that ask for it, small ones and other clients' are not`() async throws {
        try await server.commit((0..<50).map { .set("books/\($0)", [("title", .string("always the same"))]) })
        let query = #"{"structuredQuery":{"from":[{"collectionId":"books"}],"limit":LIMIT}}"#
        for (verb, path, body) in [("GET", "/books", ""), ("POST", ":runQuery", query.replacing("LIMIT", with: "50"))] {
            let parameters: [(name: String, value: String)] = verb == "GET" ? [("pageSize", "50")] : []
            let plain = await server.http(verb, Self.root + path, query: parameters, body: body)
            #expect(plain.headers["content-encoding"] == nil)
            for header in ["gzip", "br;q=1, gzip;q=0.5", "*", "deflate,x-gzip"] {
                let answer = await server.http(verb, Self.root + path, query: parameters, headers: [("accept-encoding", header)], body: body)
                #expect(answer.headers["content-encoding"] == "gzip" && answer.headers["vary"] == "accept-encoding")
                #expect(answer.body.count < plain.body.count / 5)
                let inflated = try GzipInflater.inflate(ByteSlice(answer.body), limit: 1 << 20, oversizedCode: .internal)
                guard case .array = try verb == "GET" ? JSON(inflated.array)["documents"] ?? .null : JSON(inflated.array) else {
                    Issue.record("\(verb) is something else inflated")
                    continue
                }
            }
            for header in ["", "br", "gzip;q=0", "*;q=0", "gzip;q=0, *"] {
                let answer = await server.http(verb, Self.root + path, query: parameters, headers: [("accept-encoding", header)], body: body)
                #expect(answer.headers["content-encoding"] == nil, "\(header)")
            }
        }
        let small = await server.http("POST", Self.root + ":runQuery", headers: [("accept-encoding", "gzip")], body: query.replacing("LIMIT", with: "1"))
        #expect(small.status == 200 && small.headers["content-encoding"] == nil && small.text.hasPrefix("["))
    }

    @Test func `the URL says which part of an answer is wanted`() async throws {
        try await server.commit(.set("books/a", [("title", .string("x")), ("pages", .integer(1))]))
        let part = await server.http("GET", Self.root + "/books", query: [("fields", "documents(name,fields/title),nextPageToken"), ("prettyPrint", "false")])
        #expect(part.text == #"{"documents":[{"name":"projects/library/databases/(default)/documents/books/a","fields":{"title":{"stringValue":"x"}}}]}"#)
        let query = #"{"structuredQuery":{"from":[{"collectionId":"books"}]}}"#
        let stream = await server.http("POST", Self.root + ":runQuery", query: [("$fields", "document/fields/pages"), ("pp", "false")], body: query)
        #expect(stream.text == "[" + #"{"document":{"fields":{"pages":{"integerValue":"1"}}}}"# + "]\n")
        // An error is reported in full.
        let missing = await server.http("GET", Self.root + "/books/none", query: [("fields", "name")])
        #expect(try status(missing) == "NOT_FOUND")
    }

    @Test func `a commit with an invalid selection of its answer commits nothing`() async throws {
        let body = #"{"writes":[{"update":{"name":"projects/library/databases/(default)/documents/books/a","fields":{}}}]}"#
        for (name, value) in [("fields", "nosuch"), ("fields", "writeResults("), ("prettyPrint", "perhaps")] {
            let refused = await server.http("POST", Self.root + ":commit", query: [(name, value)], body: body)
            #expect(refused.status == 400)
            #expect(try status(refused) == "INVALID_ARGUMENT")
        }
        #expect(await server.http("GET", Self.root + "/books/a").status == 404)
    }

    @Test func `a malformed token is rejected with 401`() async throws {
        let query = #"{"structuredQuery":{"from":[{"collectionId":"books"}]}}"#
        for (verb, path, body) in [("GET", "/books/a", ""), ("GET", "/books", ""), ("POST", ":runQuery", query), ("POST", ":commit", #"{"writes":[]}"#)] {
            let refused = await server.http(verb, Self.root + path, headers: [("authorization", "Bearer garbage")], body: body)
            #expect(refused.status == 401 && refused.headers["www-authenticate"] == "Bearer", "\(verb) \(path)")
            #expect(refused.text.contains("UNAUTHENTICATED"))
        }
    }

    @Test func `a malformed token is rejected before the request is read`() async throws {
        for (verb, path, body, coding) in [
            ("POST", ":runQuery", "{", "identity"), ("POST", ":batchGet", "[]", "identity"), ("POST", ":commit", "[", "identity"),
            ("GET", "/books/a", "not gzip", "gzip"), ("POST", ":runAggregationQuery", "not gzip", "gzip"),
        ] {
            let headers = [(name: "authorization", value: "Bearer garbage"), (name: "content-encoding", value: coding)]
            let refused = await server.http(verb, Self.root + path, headers: headers, body: body)
            #expect(refused.status == 401 && refused.headers["www-authenticate"] == "Bearer", "\(verb) \(path)")
        }
        // What answers with an array does so here, too.
        let stream = await server.http("POST", Self.root + ":runQuery", headers: [("authorization", "Bearer garbage")], body: "{")
        guard case .array(let errors) = try json(stream), errors.count == 1 else {
            Issue.record("\(stream.text)")
            return
        }
    }

    @Test func `requests that never become calls are counted`() async throws {
        _ = await server.http("PUT", Self.root + "/books/a")
        _ = await server.http("POST", Self.root + ":commit", body: "{")
        _ = await server.http("POST", Self.root + ":commit", headers: [("content-encoding", "br")], body: "{}")
        let text = await server.http("GET", "/metrics").text
        #expect(text.contains(#"hearth_requests_refused_total{transport="rest",code="UNIMPLEMENTED"} 1"#))
        #expect(text.contains(#"hearth_requests_refused_total{transport="rest",code="INVALID_ARGUMENT"} 2"#))
        #expect(!text.contains(#"method="Commit",transport="rest""#))
    }

    @Test func `calls are counted`() async throws {
        _ = await server.http("GET", Self.root + "/books/none")
        _ = await server.http("POST", Self.root + ":runQuery", body: #"{"structuredQuery":{"from":[{"collectionId":"books"}]}}"#)
        let text = await server.http("GET", "/metrics").text
        #expect(text.contains(#"hearth_calls_total{method="GetDocument",transport="rest",code="NOT_FOUND"} 1"#))
        #expect(text.contains(#"hearth_calls_total{method="RunQuery",transport="rest",code="OK"} 1"#))
        #expect(text.contains(#"hearth_calls_open{method="RunQuery"} 0"#))
    }
}
