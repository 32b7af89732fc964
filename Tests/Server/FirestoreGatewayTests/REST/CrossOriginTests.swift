// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC
import FirestoreServer
import ServerFixtures
import Testing

@testable import FirestoreGateway

/// Pages in browsers (CORS). Which of them come this far is tested with `AccessPolicy`, and over a socket in `ForeignRequestTests`.
struct CrossOriginTests {
    private let server = ServerFixture()
    private static let path = "/v1/projects/library/databases/(default)/documents/books/dune"
    private static let page = "http://localhost:5173"

    @Test func `a browser's question is answered for pages that may ask`() async {
        let question = [("origin", Self.page), ("access-control-request-method", "PATCH"), ("access-control-request-headers", "authorization,content-type")]
        let asked = await server.http("OPTIONS", Self.path, headers: question, page: Self.page)
        #expect(asked.status == 200 && asked.body.isEmpty)
        #expect(asked.headers["access-control-allow-origin"] == Self.page && asked.headers["vary"] == "origin")
        #expect(asked.headers["access-control-allow-methods"] == "GET, HEAD, PATCH, DELETE")
        #expect(asked.headers["access-control-allow-headers"] == "authorization,content-type")
        #expect(asked.headers["access-control-max-age"] == "3600")
    }

    @Test(arguments: [
        ("/v1/projects/library/databases/(default)/documents/books", "GET, HEAD, POST"), ("/v1/projects/library/databases/(default)/documents:commit", "POST"),
        ("/google.firestore.v1.Firestore/Listen/channel", "GET, POST"), ("/healthz", "GET, HEAD"), ("/emulator/v1/projects/p:securityRules", "GET, HEAD, PUT"),
        ("/emulator/v1/projects/p/databases/d/documents", "DELETE"),
    ]) func `a preflight request is answered with the methods of the path`(path: String, verbs: String) async {
        let asked = await server.http("OPTIONS", path, headers: [("origin", Self.page), ("access-control-request-method", "PUT")], page: Self.page)
        #expect(asked.status == 200 && asked.headers["access-control-allow-methods"] == verbs)
    }

    @Test func `a browser learns that there is nothing at a path`() async {
        let asked = await server.http("OPTIONS", "/v2/nothing", headers: [("origin", Self.page), ("access-control-request-method", "PUT")], page: Self.page)
        #expect(asked.status == 404 && asked.headers["access-control-allow-origin"] == Self.page && asked.text.contains("NOT_FOUND"))
    }

    @Test(arguments: [("GET", 404), ("PUT", 405), ("PATCH", 400)])
    func `a page may read answers, errors too`(method: String, status: Int) async {
        let read = await server.http(method, Self.path, headers: [("origin", Self.page)], body: "{", page: Self.page)
        #expect(read.status == status && !read.body.isEmpty)
        #expect(read.headers["access-control-allow-origin"] == Self.page && read.headers["vary"] == "origin")
    }

    @Test func `chunked answers carry the header too, and a client that is not a page gets none`() async {
        let body = #"{"structuredQuery":{"from":[{"collectionId":"books"}]}}"#
        let path = "/v1/projects/library/databases/(default)/documents:runQuery"
        let answer = await server.http("POST", path, body: body, page: "http://localhost:1")
        #expect(answer.status == 200 && answer.headers["access-control-allow-origin"] == "http://localhost:1")
        let plain = await server.http("POST", path, body: body)
        #expect(plain.status == 200 && plain.headers["vary"] == nil)
    }

    @Test func `OPTIONS that is not a preflight request answers with the methods of the path`() async {
        for page in [nil, Self.page] {
            let answer = await server.http("OPTIONS", Self.path, page: page)
            #expect(answer.status == 200 && answer.headers["allow"] == "GET, HEAD, PATCH, DELETE, OPTIONS")
            #expect(answer.headers["access-control-allow-methods"] == nil && answer.headers["access-control-allow-origin"] == page)
        }
    }
}
