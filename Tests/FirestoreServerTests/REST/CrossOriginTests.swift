import FirestoreRPC
import Testing

@testable import FirestoreServer

/// Pages in browsers (CORS).
struct CrossOriginTests {
    private let server = ServerFixture()
    private static let path = "/v1/projects/library/databases/(default)/documents/books/dune"

    private func ask(_ method: String, from origin: String) async -> FakeExchange.Response {
        await server.http(
            method, Self.path, headers: [("origin", origin), ("access-control-request-headers", "authorization,content-type")])
    }

    @Test(arguments: ["http://localhost:5173", "http://localhost", "https://app.localhost", "http://127.0.0.1:3000", "http://[::1]:8000"])
    func `a page of this machine may ask and read, errors too`(origin: String) async {
        let asked = await ask("OPTIONS", from: origin)
        #expect(asked.status == 200 && asked.body.isEmpty)
        #expect(asked.headers["access-control-allow-origin"] == origin)
        #expect(asked.headers["access-control-allow-methods"] == "GET, POST, PATCH, DELETE")
        #expect(asked.headers["access-control-allow-headers"] == "authorization,content-type")
        let read = await ask("GET", from: origin)
        #expect(read.status == 404 && !read.body.isEmpty)
        #expect(read.headers["access-control-allow-origin"] == origin && read.headers["vary"] == "origin")
    }

    @Test(arguments: [
        "https://example.com", "http://localhost.example.com", "http://evil-localhost", "null", "", "localhost", "file://localhost",
        "http://127.0.0.1.example.com", "http://.localhost.", "http://localhost:", "http://localhost:80a",
    ])
    func `a page from elsewhere may not`(origin: String) async {
        let asked = await ask("OPTIONS", from: origin)
        #expect(asked.status == 403)
        #expect(asked.headers["access-control-allow-origin"] == nil && asked.headers["access-control-allow-methods"] == nil)
        let read = await ask("GET", from: origin)
        #expect(read.headers["access-control-allow-origin"] == nil && read.headers["vary"] == "origin")
    }

    @Test func `answers in pieces say it too, and who is no page hears nothing of it`() async {
        let body = #"{"structuredQuery":{"from":[{"collectionId":"books"}]}}"#
        let path = "/v1/projects/library/databases/(default)/documents:runQuery"
        let answer = await server.http("POST", path, headers: [("origin", "http://localhost:1")], body: body)
        #expect(answer.status == 200 && answer.headers["access-control-allow-origin"] == "http://localhost:1")
        let plain = await server.http("POST", path, body: body)
        #expect(plain.status == 200 && plain.headers["vary"] == nil)
        #expect(await server.http("OPTIONS", path).status == 404)
    }
}
