// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import HearthBase
import Logging
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreServer

/// Slow calls, calls by shape, hot documents (OP-95, OT-56).
struct SlowCallsTests {
    /// A server whose calls are measured by a clock that takes a step with every look.
    private struct Bench {
        let lines = LogLines()
        let slow: SlowCalls
        let server: ServerFixture

        init(threshold: Duration = .milliseconds(200), step: Duration = .milliseconds(1), mostShapes: Int = 500) {
            let time = Mutex(ContinuousClock.now)
            slow = SlowCalls(
                threshold: threshold, mostShapes: mostShapes, clock: ManualClock(microseconds: 1_700_000_000_000_000),
                now: {
                    time.withLock { time in
                        time += step
                        return time
                    }
                }, log: lines.logger)
            server = ServerFixture(fronts: [slow])
        }

        func rows() throws -> [JSONNode] { try JSONNode(slow.json).required("shapes").elements() }

        func row(_ method: String) throws -> JSONNode? { try rows().first { try $0.required("method").string() == method } }

        func query(_ collection: String, _ value: Int64) async throws {
            var query = StructuredQuery.collection(collection)
            query.filter = .field(FieldPathSegments("n"), .greaterThanOrEqual, ValueBytes(.integer(value)))
            let request = RunQueryRequest(database: ServerFixture.database, query: query)
            _ = try await server.stream(.runQuery, request, as: RunQueryResponse.self)
        }
    }

    @Test func `calls are counted by shape, with what they read and returned`() async throws {
        let bench = Bench()
        try await bench.server.commit((0..<20).map { .set("books/\($0)", [("n", .integer(Int64($0)))]) })
        for value in [15, 16, 17] as [Int64] { try await bench.query("books", value) }
        let row = try #require(try bench.row("RunQuery"))
        #expect(try row.required("shape").string() == "books where n >= …")
        #expect(try row.required("database").string() == "projects/library/databases/(default)")
        #expect(try row.required("count").integer() == 3)
        #expect(try row.required("slow").integer() == 0)
        #expect(try row.required("returned").integer() == 5 + 4 + 3)
        #expect(try row.required("read").integer() >= 5 + 4 + 3)
        #expect(try bench.row("Commit")?.required("shape").string() == "set books/…")
        await bench.slow.finishLog()
        #expect(bench.lines.all.isEmpty)
    }

    @Test func `a slow call is one line without values, with its plan and the index that would help`() async throws {
        let bench = Bench(threshold: .milliseconds(200), step: .milliseconds(300))
        try await bench.server.commit((0..<3).map { .set("books/s3cret\($0)", [("n", .integer(987_654_321))]) })
        try await bench.query("books", 987_654_321)
        await eventually("both calls are logged") {
            await bench.slow.finishLog()
            return bench.lines.all.count == 2
        }
        let line = try #require(bench.lines.all.first { $0.contains("RunQuery") })
        #expect(line.contains("slow call"))
        #expect(line.contains("shape=books where n >= …"))
        #expect(line.contains("milliseconds=300"))
        #expect(line.contains("returned=3"))
        #expect(line.contains("the index books(n) would help"))
        for line in bench.lines.all {
            #expect(!line.contains("s3cret"))
            #expect(!line.contains("987"))
        }
        let row = try #require(try bench.row("RunQuery"))
        #expect(try row.required("slow").integer() == 1)
        #expect(try row.required("lastSlow").string() == "2023-11-14T22:13:20Z")
        #expect(try row.required("index").required("collectionGroup").string() == "books")
    }

    @Test func `reads of documents, aggregates and listeners are measured, and so are failures`() async throws {
        let bench = Bench()
        try await bench.server.commit(.set("books/a"))
        let get = GetDocumentRequest(database: ServerFixture.database, key: DocumentKey(trusted: "books/a"))
        _ = try await bench.server.unary(.getDocument, get, as: DocumentResponse.self)
        let missing = GetDocumentRequest(database: ServerFixture.database, key: DocumentKey(trusted: "books/none"))
        await #expect(throws: RPCStatus.self) { try await bench.server.unary(.getDocument, missing, as: DocumentResponse.self) }
        let count = RunAggregationQueryRequest(
            database: ServerFixture.database, query: .collection("books"), aggregations: [Aggregation(.count(upTo: nil))])
        _ = try await bench.server.stream(.runAggregationQuery, count, as: RunAggregationQueryResponse.self)
        let failing = CommitRequest(database: ServerFixture.database, writes: [.delete("books/b", precondition: .exists(true))])
        await #expect(throws: RPCStatus.self) { try await bench.server.unary(.commit, failing, as: CommitMessage.self) }
        let shapes = try bench.rows().map { try "\($0.required("method").string()) \($0.required("shape").string()) \($0.required("count").integer())" }
        for expected in ["BatchGetDocuments books/… 2", "RunAggregationQuery count of books 1", "Commit set books/… 1", "Commit delete books/… 1"] {
            #expect(shapes.contains(expected), "\(expected) in \(shapes)")
        }
    }

    @Test func `documents that are written most come first, and conflicts count their documents`() async throws {
        let bench = Bench()
        for number in 0..<7 { try await bench.server.commit(.set("counters/likes", [("n", .integer(Int64(number)))]), .set("log/\(number)")) }
        let service = try await bench.server.open()
        let front = bench.slow.service(inFrontOf: try #require(service as? any JudgedService), of: ServerFixture.database)
        let key = DocumentKey(trusted: "counters/likes")
        let transaction = try await front.beginTransaction(.readWrite(retrying: nil), context: .embedded)
        _ = try await front.documents([key], options: .transaction(transaction), context: .embedded)
        try await bench.server.commit(.set("counters/likes"))
        await #expect(throws: FirestoreError.self) { try await front.commit([.set("counters/likes")], in: transaction, context: .embedded) }
        let written = try JSONNode(bench.slow.json).required("written").elements()
        #expect(try written.first?.required("path").string() == "counters/likes")
        #expect(try written.first?.required("count").integer() == 8)
        #expect(written.count == 8)
        let contended = try JSONNode(bench.slow.json).required("contended").elements()
        #expect(try contended.map { try $0.required("path").string() } == ["counters/likes"])
        bench.slow.forget()
        #expect(try JSONNode(bench.slow.json).required("written").elements().isEmpty)
        #expect(try bench.rows().isEmpty)
    }

    @Test func `the shape that was seen longest ago makes room`() async throws {
        let bench = Bench(mostShapes: 2)
        for collection in ["a", "b", "a", "c"] { try await bench.query(collection, 1) }
        let shapes = try bench.rows().map { try $0.required("shape").string() }.sorted()
        #expect(shapes == ["a where n >= …", "c where n >= …"])
    }

    @Test func `a listener is measured until its first state`() async throws {
        let bench = Bench()
        try await bench.server.commit(.set("books/a"), .set("books/b"))
        let service = try await bench.server.open()
        let front = bench.slow.service(inFrontOf: try #require(service as? any JudgedService), of: ServerFixture.database)
        let sink = RecordingSink()
        let session = try front.session()
        let handle = session.watch(.query(.collection("books")), context: .embedded, sink: sink)
        await eventually("the first state is there") { sink.batches.count == 1 }
        try await bench.server.commit(.set("books/c"))
        await eventually("a change is there") { sink.batches.count == 2 }
        withExtendedLifetime(session) { handle.cancel() }
        let row = try #require(try bench.row("Listen"))
        #expect(try row.required("count").integer() == 1)
        #expect(try row.required("returned").integer() == 2)
    }
}

/// The lines of a log, as text.
private final class LogLines: Sendable {
    private struct Handler: LogHandler {
        let lines: LogLines
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let pairs = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
            lines.add(([event.message.description] + pairs).joined(separator: " "))
        }
    }

    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private func add(_ line: String) { lines.withLock { $0.append(line) } }
}
