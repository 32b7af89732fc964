// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreConsole

/// The calls that the console shows.
struct ConsoleRequestsTests {
    /// A monotonic clock that moves only on request, in nanoseconds.
    final class Ticker: Sendable {
        private let time = Mutex<UInt64>(1_000_000_000)
        var now: UInt64 { time.withLock { $0 } }
        func advance(milliseconds: UInt64) { time.withLock { $0 += milliseconds * 1_000_000 } }
    }

    private struct Bench {
        let ticker = Ticker()
        let requests: ConsoleRequests
        let server: ServerFixture

        init(change: (inout ConsoleRequests.Settings) -> Void = { _ in }) {
            var settings = ConsoleRequests.Settings()
            settings.setsTimer = false
            settings.clock = ManualClock(microseconds: 1_700_000_000_000_000)
            settings.now = { [ticker] in ticker.now }
            change(&settings)
            requests = ConsoleRequests(settings, authentication: UnprovedAuthentication()) { info in
                info.metadata["x-console"].map { $0 == "as" ? .consoleAs : .console } ?? .app
            }
            server = ServerFixture(recorder: requests)
        }

        /// What the calls look like to a page: `Method path code documents`.
        var lines: [String] {
            requests.records.map { record in
                let figures = record.figures
                return "\(record.method.rawValue) \(record.outline(showsValues: false).path) \(figures.code.canonicalName) \(figures.documents)"
            }
        }

        /// The entries of all recorded calls.
        func entries() throws -> [JSON] {
            let page = requests.watch {}
            defer { page.cancel() }
            return try Self.entries(page)
        }

        static func entries(_ page: ConsoleRequestPage) throws -> [JSON] {
            var entries: [JSON] = []
            for line in page.take() {
                if case .array(let more)? = try JSON(line)["requests"] { entries += more }
            }
            return entries
        }
    }

    private static let root = "/v1/projects/library/databases/(default)/documents"

    @Test func `each call has one entry, of every kind and transport`() async throws {
        let bench = Bench()
        let server = bench.server
        try await server.commit(.set("books/a"), .set("books/b"), .set("books/c"))
        _ = try await server.get("books/a")
        #expect(await code { _ = try await server.get("books/none") } == .notFound)
        let query = RunQueryRequest(database: ServerFixture.database, query: .all("books"))
        _ = try await server.stream(.runQuery, query, as: RunQueryResponse.self)
        #expect(await server.http("GET", Self.root + "/books/b").status == 200)
        #expect(await server.http("POST", Self.root + ":runQuery", body: #"{"structuredQuery":{"from":[{"collectionId":"books"}]}}"#).status == 200)
        #expect(
            bench.lines == [
                "Commit books/a and 2 more OK 3", "GetDocument books/a OK 1", "GetDocument books/none NOT_FOUND 0", "RunQuery books OK 3",
                "GetDocument books/b OK 1", "RunQuery books OK 3",
            ])
        #expect(bench.requests.records.map(\.transport.rawValue) == ["grpc", "grpc", "grpc", "grpc", "rest", "rest"])
        #expect(bench.requests.records.map(\.id) == [1, 2, 3, 4, 5, 6])
    }

    @Test func `calls over REST that their methods never see`() async throws {
        let bench = Bench()
        #expect(await bench.server.http("PATCH", Self.root + "/books/b", body: "{").status == 400)
        #expect(await bench.server.http("GET", Self.root + "/books/b", headers: [("authorization", "Bearer nonsense")]).status == 401)
        #expect(bench.lines == ["UpdateDocument books/b INVALID_ARGUMENT 0", "GetDocument books/b UNAUTHENTICATED 0"])
    }

    @Test func `of a long message only the beginning is recorded`() async throws {
        let bench = Bench()
        let name = String(repeating: "x", count: 100_000)
        let answer = await bench.server.http("POST", Self.root + ":commit", body: #"{"\#(name)":1}"#)
        #expect(answer.status == 400 && answer.text.utf8.count < 2_000 && answer.text.contains("xxx…"))
        #expect(await bench.server.http("POST", Self.root + ":commit", body: #"{"writes":[{"update":{"fields":{"\#(name)":1}}}]}"#).text.utf8.count < 2_000)
        let record = bench.requests.keep(
            try #require(bench.requests.begin(.write, .grpc, RPCCallInfo(path: "", metadata: RPCMetadata(), peer: "test", isPlain: true))),
            ConsoleRequestRecord.Figures(message: name, isOpen: true), nil, nil)
        #expect(record.figures.message.utf8.count == 2_000)
        #expect(record.end(.internal, name + "\nmore", at: 0) && record.figures.message.utf8.count == 2_000)
    }

    @Test func `a call that begins while pages are notified has no duration yet`() throws {
        let bench = Bench()
        let begin = try #require(bench.requests.begin(.listen, .grpc, RPCCallInfo(path: "", metadata: RPCMetadata(), peer: "test", isPlain: true)))
        let record = bench.requests.keep(begin, ConsoleRequestRecord.Figures(isOpen: true), nil, nil)
        // The clock was read before the call began.
        #expect(!record.refresh(at: bench.ticker.now - 1) && record.figures.duration == 0)
        #expect(record.end(.ok, "", at: bench.ticker.now - 1) && record.figures.duration == 0)
    }

    @Test func `an entry as a page gets it`() async throws {
        let bench = Bench()
        _ = await code { _ = try await bench.server.get("books/none") }
        let entry = try #require(try bench.entries().first)
        #expect(
            entry.text()
                == #"{"id":1,"time":"2023-11-14T22:13:20Z","method":"GetDocument","path":"books/none","#
                + #""database":"projects/library/databases/(default)","caller":"anonymous","transport":"grpc","code":"NOT_FOUND","#
                + #""message":"document \"projects/library/databases/(default)/documents/books/none\" not found","duration":0.000000,"#
                + #""documents":0,"received":\#(bench.requests.records[0].figures.received),"sent":0,"open":false}"#)
    }

    @Test(arguments: [(Ruled.nobody, "anonymous"), (Ruled.admin, "administrator"), (Ruled.ada, "user:ada")] as [(Ruled.Header, String)])
    func `a recorded call names its caller`(header: Ruled.Header, name: String) async throws {
        let bench = Bench()
        let response = await bench.server.http("GET", Self.root + "/books/a", headers: header)
        #expect(response.status == 404)
        guard case .string(name)? = try bench.entries().first?["caller"] else {
            Issue.record("\(try bench.entries())")
            return
        }
    }

    @Test func `a stream that was due for a page that left is reported to the next one`() async throws {
        let bench = Bench()
        let (call, handler) = try bench.server.open(.listen)
        let target = ListenTargetRequest(target: .success(.query(.all("books"))), targetID: 2)
        handler.receive(ByteSlice(ListenRequest(database: ServerFixture.database, change: .add(target)).encoded()))
        let record = try #require(bench.requests.records.first)
        let first = bench.requests.watch {}
        bench.requests.changed(record)
        first.cancel()
        let second = bench.requests.watch {}
        _ = second.take()
        bench.ticker.advance(milliseconds: 5_000)
        bench.requests.changed(record)
        bench.requests.tellPages()
        #expect(try Bench.entries(second).count == 1)
        second.cancel()
        handler.ended(nil)
        _ = call
    }

    @Test func `values are shown only if that is wanted`() async throws {
        for shows in [false, true] {
            let bench = Bench { $0.showsValues = shows }
            var query = StructuredQuery.all("books")
            query.filter = .field(FieldPathSegments("n"), .equal, ValueBytes(.string("secret")))
            _ = try await bench.server.stream(.runQuery, RunQueryRequest(database: ServerFixture.database, query: query), as: RunQueryResponse.self)
            let text = try bench.entries()[0].text()
            #expect(text.contains("secret") == shows)
            let value = shows ? #"\"secret\""# : "…"
            #expect(text.contains(#""path":"books where n == \#(value)""#), "\(text)")
        }
    }

    @Test func `the console's own calls are not shown, those as another caller are`() async throws {
        let bench = Bench()
        for value in ["1", "as"] { _ = await bench.server.http("GET", Self.root + "/books/\(value)", headers: [("x-console", value)]) }
        #expect(bench.lines == ["GetDocument books/as NOT_FOUND 0"])
    }

    @Test func `the latest calls are recorded, and of large requests only an outline`() async throws {
        let bench = Bench {
            $0.kept = 3
            $0.largestRequest = 1_000
        }
        for n in 0..<5 { _ = await code { _ = try await bench.server.get("books/\(n)") } }
        #expect(bench.lines == (2..<5).map { "GetDocument books/\($0) NOT_FOUND 0" })
        #expect(bench.requests.record(3) != nil && bench.requests.record(2) == nil)
        try await bench.server.commit(.set("books/large", [("text", .string(String(repeating: "x", count: 2_000)))]))
        #expect(bench.lines.last == "Commit books/large OK 1")
        #expect(bench.requests.records.last?.request == nil && bench.requests.records.first?.request != nil)
    }

    @Test func `of many simultaneous calls only a bounded number is retained, more while a page watches, and the page learns how many were dropped`() async throws {
        let bench = Bench {
            $0.perSecond = 3
            $0.perSecondWatched = 5
        }
        func get(_ count: Int) async {
            let calls = (0..<count).map { _ in
                bench.server.call(.getDocument, GetDocumentRequest(database: ServerFixture.database, key: DocumentKey(trusted: "books/a")))
            }
            bench.server.start(.getDocument, calls)
            for call in calls { _ = await call.result() }
        }
        _ = try await bench.server.open()
        await get(10)
        #expect(bench.requests.records.count == 3)
        let page = bench.requests.watch {}
        _ = page.take()
        await get(10)
        bench.requests.tellPages()
        let lines = page.take().map { String(decoding: $0, as: UTF8.self) }
        #expect(lines.count == 2 && lines.last == #"{"dropped":5}"#, "\(lines)")
        #expect(bench.requests.records.count == 8)
        page.cancel()
        // A second later there is capacity again, without a page for three.
        bench.ticker.advance(milliseconds: 1_000)
        await get(10)
        #expect(bench.requests.records.count == 11)
    }

    @Test(arguments: [
        (0, 10, 10), (0, 11, 10), (100, 10, 1), (500, 10, 5), (1_000, 20, 10), (100_000, 20, 10),
    ] as [(UInt64, Int, Int)])
    func `a budget of ten a second`(after milliseconds: UInt64, wanted: Int, taken: Int) {
        var budget = ConsoleBudget(10, at: 5)
        if milliseconds > 0 { #expect(budget.take(100, at: 5) == 10) }
        #expect(budget.take(wanted, at: 5 + milliseconds * 1_000_000) == taken)
    }
}
