// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreConsole

/// What pages that watch calls receive.
@Suite(.timeLimit(.minutes(2)))
struct ConsoleRequestPageTests {
    private final class Count: Sendable {
        private let value = Mutex(0)
        var current: Int { value.withLock { $0 } }
        func add() { value.withLock { $0 += 1 } }
    }

    private let ticker = ConsoleRequestsTests.Ticker()

    private func log(limit: Int = 1 << 20) -> (ConsoleRequests, ServerFixture) {
        var settings = ConsoleRequests.Settings()
        settings.setsTimer = false
        settings.waitingBytes = limit
        settings.now = { [ticker] in ticker.now }
        let requests = ConsoleRequests(settings, authentication: UnprovedAuthentication())
        return (requests, ServerFixture(recorder: requests))
    }

    private func ids(_ page: ConsoleRequestPage) throws -> [Int64] {
        try page.take().flatMap { line in try JSONNode(JSON(line)).elements("requests").map { try $0.required("id").integer() } }
    }

    @Test func `a page gets the recorded calls, then each new one, with one line for all that ended together`() async throws {
        let (requests, server) = log()
        for n in 0..<3 { _ = await code { _ = try await server.get("a/\(n)") } }
        let news = Count()
        let page = requests.watch { news.add() }
        #expect(try ids(page) == [1, 2, 3] && news.current == 1)
        let second = requests.watch(after: 2) {}
        #expect(try ids(second) == [3])
        for n in 0..<2 { _ = await code { _ = try await server.get("b/\(n)") } }
        #expect(news.current == 1)
        requests.tellPages()
        requests.tellPages()
        #expect(news.current == 2)
        let lines = page.take()
        #expect(lines.count == 1)
        // What was taken is gone, and there is nothing new.
        #expect(page.take().isEmpty)
        #expect(try ids(second) == [4, 5])
        page.cancel()
        second.cancel()
        _ = await code { _ = try await server.get("c/c") }
        requests.tellPages()
        #expect(page.take().isEmpty && requests.watcherCount == 0)
    }

    @Test func `a page that does not read loses calls, and learns how many`() async throws {
        let (requests, server) = log(limit: 1_000)
        for n in 0..<20 { _ = await code { _ = try await server.get("a/\(n)") } }
        let page = requests.watch {}
        let kept = try ids(page)
        // The newest of those that were recorded before.
        #expect(kept.count >= 2 && kept.last == 20 && kept.first == 21 - Int64(kept.count))
        for n in 0..<20 { _ = await code { _ = try await server.get("b/\(n)") } }
        requests.tellPages()
        let lines = page.take().map { String(decoding: $0, as: UTF8.self) }
        let told = try #require(lines.first).components(ofID: "\"id\":")
        #expect(lines.count == 2 && lines.last == #"{"dropped":\#(20 - told)}"#, "\(lines)")
        #expect(lines.allSatisfy { $0.utf8.count < 1_100 })
        page.cancel()
    }

    @Test func `a target of a Listen stream is reported when it begins, at most once a second, and when it ends`() async throws {
        let (requests, server) = log()
        let database = try await server.open()
        let page = requests.watch {}
        func entries() throws -> [JSONNode] {
            requests.tellPages()
            return try page.take().flatMap { try JSONNode(JSON($0)).elements("requests") }
        }
        let listener = try server.listen(.query(.all("books")), as: Ruled.admin)
        _ = try await listener.snapshot()
        let begun = try entries()
        #expect(begun.count == 1)
        #expect(try begun[0].required("open").boolean() && begun[0].required("path").string() == "books")
        // Reported again only after a second.
        _ = try await database.commit([.set("books/a", [("n", .integer(1))])], context: .embedded)
        try await listener.document("books/a", "n", 1)
        #expect(try entries().isEmpty)
        ticker.advance(milliseconds: 1_000)
        let later = try entries()
        #expect(later.count == 1)
        #expect(try later[0].required("documents").integer() == 1 && later[0].required("snapshots").integer() >= 1)
        #expect(try later[0].required("id").integer() == begun[0].required("id").integer())
        #expect(try later[0].required("caller").string() == "administrator")
        // The client has gone, which is no failure, whatever the connection says of it.
        listener.handler.ended(RPCStatus(.unavailable, "the connection was lost"))
        let ended = try entries()
        #expect(ended.count == 1)
        #expect(try !ended[0].required("open").boolean() && ended[0].required("code").string() == "CANCELLED")
        #expect(requests.records.count == 1)
        page.cancel()
    }

    @Test func `calls beside busy ones are collected from all threads, and pages come and go`() async throws {
        let (requests, server) = log()
        _ = try await server.open()
        await withTaskGroup { group in
            for n in 0..<4 {
                group.addTask { for m in 0..<50 { _ = await code { _ = try await server.get("a/\(n)-\(m)") } } }
                group.addTask {
                    for _ in 0..<20 {
                        let page = requests.watch {}
                        requests.tellPages()
                        _ = page.take()
                        page.cancel()
                    }
                }
            }
        }
        #expect(requests.records.count == 200 && requests.watcherCount == 0)
        #expect(Set(requests.records.map(\.id)) == Set(1...200))
    }
}

extension String {
    /// How often a part occurs.
    fileprivate func components(ofID part: String) -> Int { ranges(of: part).count }
}
