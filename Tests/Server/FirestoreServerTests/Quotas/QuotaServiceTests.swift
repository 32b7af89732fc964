// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import Logging
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreServer

/// Quotas in front of the methods of a server (OP-101, OP-102, OT-54).
struct QuotaServiceTests {
    private static let start: Int64 = 20_000 * 86_400_000_000

    private struct Bench {
        let clock = ManualClock(microseconds: QuotaServiceTests.start)
        let quotas: Quotas
        let server: ServerFixture

        init(directory: String? = nil, _ change: (inout QuotaLimits) -> Void) {
            var limits = QuotaLimits()
            change(&limits)
            quotas = Quotas(limits, directory: directory, clock: clock, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            var opening = DatabaseOpening(storage: .memory)
            opening.quotas = quotas
            server = ServerFixture(opening, fronts: [quotas]) { call in call.metadata["x-address"] ?? "" }
        }

        func write(_ count: Int = 1, as caller: Ruled.Header, text: String = "") async -> RPCStatus? {
            let writes = (0..<count).map { Write.set("c/\($0)", [("text", .string(text))]) }
            let request = CommitRequest(database: ServerFixture.database, writes: writes)
            do throws(RPCStatus) {
                _ = try await server.unary(.commit, request, metadata: caller, as: CommitMessage.self)
                return nil
            } catch {
                return error
            }
        }

        func get(_ id: String = "0", as caller: Ruled.Header) async -> RPCStatus? {
            let request = GetDocumentRequest(database: ServerFixture.database, key: DocumentKey(trusted: "c/\(id)"))
            do throws(RPCStatus) {
                _ = try await server.unary(.getDocument, request, metadata: caller, as: DocumentResponse.self)
                return nil
            } catch {
                return error
            }
        }

        func fill(_ count: Int) async throws {
            _ = try await server.open().commit((0..<count).map { .set("c/\($0)") }, context: .embedded)
        }
    }

    private static func from(_ address: String) -> Ruled.Header { [("x-address", address)] }

    @Test func `writes beyond the quota are refused with the time to come back, and admitted then`() async throws {
        let bench = Bench { $0.user.writes.minute = 3 }
        #expect(await bench.write(2, as: Ruled.ada) == nil)
        #expect(await bench.write(as: Ruled.ada) == nil)
        let refusal = await bench.write(as: Ruled.ada)
        #expect(refusal?.code == .resourceExhausted)
        #expect(refusal?.message == "the quota of writes of this user is used up; try again in 20 s")
        // google.rpc.RetryInfo, with 20 seconds.
        let details = try #require(refusal?.details)
        #expect(details.array.contains(20))
        #expect(String(decoding: details.array, as: UTF8.self).contains("type.googleapis.com/google.rpc.RetryInfo"))
        #expect(await bench.write(as: Ruled.bob) == nil)
        bench.clock.advance(microseconds: 20_000_000)
        #expect(await bench.write(as: Ruled.ada) == nil)
        #expect(await bench.write(as: Ruled.ada)?.code == .resourceExhausted)
    }

    @Test func `a refused write changes nothing, and keeps its place among the answers`() async throws {
        let bench = Bench { $0.user.writes.minute = 1 }
        let request = { (id: String) in CommitRequest(database: ServerFixture.database, writes: [.set("c/\(id)")]) }
        _ = try await bench.server.open()
        let calls = ["a", "b", "c"].map { bench.server.call(.commit, request($0), metadata: Ruled.ada) }
        bench.server.start(.commit, calls)
        var outcomes: [Bool] = []
        for call in calls { outcomes.append((try? await call.result().get()) != nil) }
        #expect(outcomes == [true, false, false])
        #expect(try await bench.server.open().paths(.collection("c")) == ["c/a"])
    }

    @Test func `administrators are not counted`() async throws {
        let bench = Bench { limits in
            limits.user.writes.minute = 1
            limits.anonymous.writes.minute = 1
            limits.database.writes.minute = 1
            limits.database.reads.minute = 1
        }
        for _ in 0..<5 {
            #expect(await bench.write(as: Ruled.admin) == nil)
            #expect(await bench.get(as: Ruled.admin) == nil)
        }
        #expect(await bench.write(as: Ruled.ada) == nil)
    }

    @Test func `callers without credentials are counted by address`() async throws {
        let bench = Bench { $0.anonymous.writes.minute = 1 }
        #expect(await bench.write(as: Self.from("192.0.2.1")) == nil)
        #expect(await bench.write(as: Self.from("192.0.2.1"))?.code == .resourceExhausted)
        #expect(await bench.write(as: Self.from("192.0.2.2")) == nil)
        #expect(await bench.write(as: Ruled.ada) == nil)
    }

    @Test func `bytes are counted, and a database has a quota of all its callers`() async throws {
        let bench = Bench { limits in
            limits.user.writtenBytes.minute = 1_000
            limits.database.writes.minute = 3
        }
        #expect(await bench.write(as: Ruled.ada, text: String(repeating: "x", count: 900)) == nil)
        #expect(await bench.write(as: Ruled.ada, text: String(repeating: "x", count: 200))?.message.contains("written bytes of this user") == true)
        #expect(await bench.write(2, as: Ruled.bob) == nil)
        #expect(await bench.write(as: Ruled.bob)?.message.contains("writes of this database") == true)
    }

    @Test func `reads of documents are exact at the edge, however many come together`() async throws {
        let bench = Bench { $0.user.reads.minute = 10 }
        try await bench.fill(1)
        let request = GetDocumentRequest(database: ServerFixture.database, key: DocumentKey(trusted: "c/0"))
        let calls = (0..<25).map { _ in bench.server.call(.getDocument, request, metadata: Ruled.ada) }
        bench.server.start(.getDocument, calls)
        var admitted = 0
        for call in calls {
            if (try? await call.result().get()) != nil { admitted += 1 }
        }
        #expect(admitted == 10)
        let batch = BatchGetDocumentsRequest(database: ServerFixture.database, keys: [DocumentKey(trusted: "c/0")])
        let (call, handler) = try bench.server.open(.batchGetDocuments, metadata: Ruled.ada)
        handler.receive(ByteSlice(batch.encoded()))
        handler.halfClosed()
        await #expect(throws: RPCStatus.self) { try await call.outcome() }
    }

    @Test func `a query costs what it returns, and the next one pays for what was too much`() async throws {
        let bench = Bench { $0.user.reads.minute = 10 }
        try await bench.fill(14)
        func query(_ limit: Int) async throws -> Int {
            var query = StructuredQuery.collection("c")
            query.limit = limit
            let (call, handler) = try bench.server.open(.runQuery, metadata: Ruled.ada)
            handler.receive(ByteSlice(RunQueryRequest(database: ServerFixture.database, query: query).encoded()))
            handler.halfClosed()
            return try await call.outcome().count
        }
        #expect(try await query(5) == 5)
        #expect(try await query(14) == 14)
        // Nine too many, and one for the next: ten times six seconds.
        let error = await #expect(throws: RPCStatus.self) { try await query(1) }
        #expect(error?.message.hasSuffix("try again in 60 s") == true)
        bench.clock.advance(microseconds: 60_000_000)
        #expect(try await query(1) == 1)
        await #expect(throws: RPCStatus.self) { try await query(1) }
    }

    @Test func `a page of a list is counted once`() async throws {
        let bench = Bench { $0.user.reads.minute = 10 }
        try await bench.fill(4)
        func list() async throws {
            let request = ListDocumentsRequest(database: ServerFixture.database, parent: nil, collectionID: "c", pageSize: 100)
            _ = try await bench.server.unary(.listDocuments, request, metadata: Ruled.ada, as: ListDocumentsResponse.self)
        }
        try await list()
        try await list()
        #expect(await bench.get(as: Ruled.ada) == nil)
        #expect(await bench.get(as: Ruled.ada) == nil)
        await #expect(throws: RPCStatus.self) { try await list() }
    }

    @Test func `listeners beyond the quota fail, and ended ones make room`() async throws {
        let bench = Bench { $0.anonymous.listeners = 1 }
        let ruled = try #require(try await bench.server.open() as? any JudgedService)
        let front = bench.quotas.service(inFrontOf: ruled, of: ServerFixture.database)
        let caller = RequestContext(caller: .anonymous)
        let sinks = (0..<3).map { _ in RecordingSink() }
        let session = try front.session()
        let first = session.watch(.query(.collection("c")), context: caller, sink: sinks[0])
        await eventually("the first listener has begun") { sinks[0].batches.count == 1 }
        _ = front.watch(.query(.collection("c")), context: caller, sink: sinks[1])
        await eventually("the second one has failed") { sinks[1].errors.map(\.code) == [.resourceExhausted] }
        first.cancel()
        first.cancel()
        let third = front.watch(.query(.collection("c")), context: caller, sink: sinks[2])
        await eventually("the third one has begun") { sinks[2].batches.count == 1 }
        withExtendedLifetime(session) { third.cancel() }
    }

    @Test func `daily sums survive a restart, and end with the day`() async throws {
        let folder = try ScratchFolder()
        let limits = { (limits: inout QuotaLimits) in limits.user.writes.day = 2 }
        var bench = Bench(directory: folder.path, limits)
        bench.quotas.start()
        #expect(await bench.write(2, as: Ruled.ada) == nil)
        bench.quotas.stop()
        bench = Bench(directory: folder.path, limits)
        bench.quotas.start()
        #expect(await bench.write(as: Ruled.ada)?.message.hasSuffix("try again in 86400 s") == true)
        #expect(await bench.write(as: Ruled.bob) == nil)
        bench.quotas.stop()
        bench = Bench(directory: folder.path, limits)
        bench.clock.advance(microseconds: 86_400_000_000)
        bench.quotas.start()
        #expect(await bench.write(as: Ruled.ada) == nil)
        bench.quotas.stop()
    }

    @Test(arguments: ["9223372036854775807", "-1", "1e30"])
    func `a damaged file of daily sums is not read, and the server begins anew`(sum: String) async throws {
        let folder = try ScratchFolder()
        let day = Self.start / 86_400_000_000
        _ = try folder.write(
            #"{"day": \#(day), "sums": [{"project": "\#(ServerFixture.database.projectID)", "user": "ada", "writes": \#(sum)}]}"#.utf8, to: "hearth.quotas")
        #expect(QuotaSums.read(in: folder.path) == nil)
        let bench = Bench(directory: folder.path) { $0.user.writes.day = 2 }
        bench.quotas.start()
        #expect(await bench.write(2, as: Ruled.ada) == nil)
        bench.quotas.stop()
    }

    @Test func `a database that is too large can only shrink`() async throws {
        let folder = try ScratchFolder()
        let quotas = Quotas(
            { () -> QuotaLimits in
                var limits = QuotaLimits()
                limits.databaseBytes = 1_000_000
                return limits
            }(), directory: nil, clock: SystemClock(), log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let server = ServerFixture(DatabaseOpening(storage: .directory(folder.file("data")), durability: .relaxed), fronts: [quotas])
        func write(_ write: Write) async -> RPCStatus? {
            do throws(RPCStatus) {
                let request = CommitRequest(database: ServerFixture.database, writes: [write])
                _ = try await server.unary(.commit, request, metadata: Ruled.ada, as: CommitMessage.self)
                return nil
            } catch {
                return error
            }
        }
        _ = try await server.open().commit((0..<4).map { .set("c/\($0)", [("text", .string(String(repeating: "x", count: 500_000)))]) }, context: .embedded)
        await eventually("its size is known") { await write(.set("c/a"))?.code == .resourceExhausted }
        #expect(await write(.delete("c/0", precondition: nil)) == nil)
        await server.service.databases.close()
    }

    @Test func `a project has so many databases that callers create`() async throws {
        let bench = Bench { $0.databasesPerProject = 1 }
        #expect(await bench.write(as: Ruled.ada) == nil)
        let folder = try ScratchFolder()
        var opening = DatabaseOpening(storage: .directory(folder.file("data")), durability: .relaxed)
        opening.quotas = bench.quotas
        let server = ServerFixture(opening, fronts: [bench.quotas])
        func write(_ id: String, as caller: Ruled.Header) async -> FirestoreError.Code? {
            do throws(RPCStatus) {
                let request = CommitRequest(database: DatabaseID(projectID: "library", databaseID: id), writes: [.set("c/a")])
                _ = try await server.unary(.commit, request, metadata: caller, as: CommitMessage.self)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(await write("first", as: Ruled.ada) == nil)
        #expect(await write("second", as: Ruled.ada) == .resourceExhausted)
        #expect(await write("first", as: Ruled.ada) == nil)
        #expect(await write("third", as: Ruled.admin) == nil)
        #expect(await write("third", as: Ruled.ada) == nil)
        await server.service.databases.close()
    }
}
