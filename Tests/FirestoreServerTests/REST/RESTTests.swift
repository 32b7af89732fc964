import FirestoreCore
import FirestoreRPC
import FirestoreWire
import Testing

@testable import FirestoreServer

/// The REST surface, over the same handlers as gRPC (semantics sections 0.4 to 0.6).
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

    @Test func `a transaction`() async throws {
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

    @Test(arguments: [("write", 501), ("listen", 501), ("executePipeline", 501)])
    func `methods that REST does not have`(method: String, expected: Int) async {
        #expect(await server.http("POST", Self.root + ":" + method, body: "{}").status == expected)
    }

    @Test(arguments: [
        ("POST", ":commit", "{", 400), ("POST", ":commit", #"{"nothing":1}"#, 400), ("POST", ":batchGet", "[]", 400),
        ("GET", "/books/a/x/y/z/../..", "", 400), ("PATCH", "/books", "{}", 400), ("PUT", "/books/a", "{}", 404),
        ("POST", ":nothing", "{}", 404),
    ])
    func `requests that are wrong`(verb: String, path: String, body: String, expected: Int) async {
        #expect(await server.http(verb, Self.root + path, body: body).status == expected)
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
