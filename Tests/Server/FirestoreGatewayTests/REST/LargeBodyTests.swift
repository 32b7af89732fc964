// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import ServerFixtures
import Testing

@testable import FirestoreGateway

/// Bodies that take long to decode, and answers that are too large to be held.
struct LargeBodyTests {
    private static let root = "/v1/projects/library/databases/(default)/documents"
    private static let hello = #"{"database":"projects/library/databases/(default)"}"#

    private static func commit(_ id: String, padding: Int = 0) -> String {
        #"{"writes":[{"update":{"name":"projects/library/databases/(default)/documents/books/\#(id)","fields":{}}}]}"#
            + String(repeating: " ", count: padding)
    }

    @Test func `a large body is read as a small one is`() async throws {
        let server = ServerFixture(lane: HeldLane(small: 64).lane)
        #expect(await server.http("POST", Self.root + ":commit", body: Self.commit("a")).status == 200)
        #expect(try await server.get("books/a").key == DocumentKey(trusted: "books/a"))
        let wrong = await server.http("POST", Self.root + ":commit", body: #"{"writes":[{"nothing":1}]}"# + String(repeating: " ", count: 100))
        #expect(wrong.status == 400 && wrong.text.contains("writes[0]"))
        let compressed = try #require(GzipDeflater.compress(Array(Self.commit("b", padding: 5_000).utf8)))
        #expect(await server.http("POST", Self.root + ":commit", headers: [("content-encoding", "gzip")], bytes: compressed).status == 200)
    }

    @Test func `small requests are answered while large ones wait, and requests beyond the limit are rejected`() async throws {
        let held = HeldLane(small: 400, ofCaller: 1_000, inAll: 1_500)
        let server = ServerFixture(lane: held.lane)
        await held.hold(bytes: 900, of: "address test")
        #expect(await server.http("POST", Self.root + ":commit", body: Self.commit("a")).status == 200)
        let own = await server.http("POST", Self.root + ":commit", body: Self.commit("b", padding: 400))
        #expect(own.status == 429 && own.text.contains("RESOURCE_EXHAUSTED") && own.text.contains("of this caller"))
        // A small body that becomes large.
        let bomb = try #require(GzipDeflater.compress([UInt8](repeating: 32, count: 50_000)))
        #expect(bomb.count > 100 && bomb.count <= 400)
        #expect(await server.http("POST", Self.root + ":commit", headers: [("content-encoding", "gzip")], bytes: bomb).status == 429)
        await held.release()
        await held.hold(bytes: 800, of: "address of another")
        fill(held, 500)
        let all = await server.http("POST", Self.root + ":commit", body: Self.commit("b", padding: 400))
        #expect(all.status == 429 && all.text.contains("1500 bytes"))
        await held.release()
        let later = await answerWhenFree(server, held)
        #expect(later.status == 200)
    }

    /// Makes another caller wait with so many bytes.
    private func fill(_ held: HeldLane, _ bytes: Int) {
        #expect(throws: Never.self) { try held.lane.decode(bytes: bytes, of: "address of a third") {} then: { _ in } }
    }

    private func answerWhenFree(_ server: ServerFixture, _ held: HeldLane) async -> FakeExchange.Response {
        // Behind everything that waits.
        await held.hold(bytes: 1, of: "address of a third")
        await held.release()
        return await server.http("POST", Self.root + ":commit", body: Self.commit("b", padding: 400))
    }

    @Test func `messages of web pages are decoded on the lane, in their order`() async throws {
        let held = HeldLane(small: 1, ofCaller: 100_000, inAll: 100_000)
        let server = ServerFixture(lane: held.lane)
        var write = try #require(await PolledChannel(server, "Write", Self.hello))
        guard case .string(let token)? = try JSON(#require(await write.poll().first).utf8)[0]?["streamToken"] else {
            Issue.record("no token")
            return
        }
        let path = "projects/library/databases/(default)/documents/books/a"
        func set(_ number: Int) -> String {
            #"{"streamToken":"\#(token)","writes":[{"update":{"name":"\#(path)","fields":{"n":{"integerValue":"\#(number)"}}}}]}"#
        }
        #expect(await write.post(set(1), set(2), set(3)).status == 200)
        #expect(await write.post(set(4)).status == 200)
        var answers = 0
        for _ in 0..<20 where answers < 4 { answers += await write.poll().count { $0.contains("commitTime") } }
        #expect(try await server.get("books/a").fields == .of([("n", .integer(4))]))
    }

    @Test func `a form beyond the limit is rejected, and the session continues`() async throws {
        let held = HeldLane(small: 400, ofCaller: 2_000, inAll: 2_000)
        let server = ServerFixture(lane: held.lane)
        var listen = try #require(await PolledChannel(server, "Listen", Self.hello.dropLast() + #","removeTarget":1}"#))
        await held.hold(bytes: 1_900, of: "address test")
        let large = Self.hello.dropLast() + #","removeTarget":1}"# + String(repeating: " ", count: 400)
        let refused = await listen.request("POST", [("RID", "2")], body: PolledChannel.form([String(large)], first: 1))
        #expect(refused.status == 429 && refused.text.contains("RESOURCE_EXHAUSTED"))
        await held.release()
        await held.hold(bytes: 1, of: "address of another")
        await held.release()
        #expect(await listen.post(String(large)).status == 200)
    }

    @Test func `a large page of a list is written in pieces, and has the same bytes`() async throws {
        let server = ServerFixture()
        let text = String(repeating: "x", count: 20_000)
        for start in stride(from: 0, to: 100, by: 20) {
            try await server.commit((start..<(start + 20)).map { .set("books/\($0)", [("text", .string(text))]) })
        }
        let exchange = FakeExchange(HTTPRequest(method: "GET", path: Self.root + "/books", query: [("pageSize", "100")], peer: "test"))
        server.front.handle(exchange)
        let answer = await exchange.response()
        #expect(answer.status == 200 && answer.headers["content-length"] == nil && exchange.pieces > 10)
        guard case .array(let documents)? = try JSON(answer.body)["documents"] else {
            Issue.record("no documents")
            return
        }
        #expect(documents.count == 100 && documents.allSatisfy { $0["fields"]?["text"] != nil })
        #expect(server.registry.text.contains(#"hearth_sent_bytes_total{method="ListDocuments"} \#(answer.body.count)"#))
    }
}

extension JSON {
    fileprivate subscript(index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}
