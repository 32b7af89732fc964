// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreEnforcement
import FirestoreWire
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreServer

struct AdminOperationsTests {
    private func fill(_ fixture: AdminFixture, _ collection: String, _ count: Int) async throws -> RuledService {
        let service = try await fixture.server.service.databases.open(ServerFixture.database)
        for start in stride(from: 0, to: count, by: 400) {
            let writes = (start..<min(start + 400, count)).map { Write.set("\(collection)/\($0)", [("n", .integer(Int64($0)))]) }
            _ = try await service.commit(writes, context: .embedded)
        }
        return service
    }

    private func store(_ service: RuledService, _ fixture: AdminFixture) throws -> OperationStore {
        OperationStore(try #require(service.facts), clock: fixture.clock)
    }

    private func record(_ fixture: AdminFixture, process: String = "another") -> OperationRecord {
        OperationRecord(
            ServerFixture.database, .bulkDeleteDocumentsMetadata, .object([("operationState", .string("PROCESSING"))]),
            now: fixture.clock.now(), process: process)
    }

    // OT-39
    @Test func `a bulk delete takes collections at any depth, and nothing else`() async throws {
        let fixture = try AdminFixture()
        let service = try await fill(fixture, "books", 1_100)
        _ = try await service.commit([.set("shelves/a/books/b"), .set("films/a"), .set("books/0/pages/1")], context: .embedded)
        let operation = try await fixture.call(.bulkDeleteDocuments, #"{"name":"\#(AdminFixture.database)","collectionIds":["books"]}"#)
        let done = try await fixture.call(.waitOperation, #"{"name":"\#(operation.text("name"))"}"#)
        #expect(done["metadata"]?["progressDocuments"]?.text("completedWork") == "1101")
        #expect(done["metadata"]?.text("operationState") == "SUCCESSFUL")
        let keys = [DocumentKey(trusted: "films/a"), DocumentKey(trusted: "books/0/pages/1"), DocumentKey(trusted: "shelves/a/books/b")]
        let rest = try await service.documents(keys, context: .embedded).documents
        #expect(rest[0] != nil && rest[1] != nil && rest[2] == nil)
        await fixture.stop()
    }

    @Test func `what was changed after the start of a bulk delete stays`() async throws {
        let fixture = try AdminFixture()
        let service = try await fill(fixture, "books", 600)
        let deletion = BulkDeletion(service: service, database: ServerFixture.database, context: .embedded, collectionIDs: ["books"])
        let isFirst = Mutex(true)
        let deleted = try await deletion.run { _ in
            // After the first piece in the order of names: 99 is behind it, and so is what is new.
            let isNow = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            guard isNow else { return }
            let done = DispatchSemaphore(value: 0)
            service.submit([.set("books/99", [("n", .integer(-1))]), .set("books/999")], context: .embedded) { _ in done.signal() }
            done.wait()
        }
        #expect(deleted == 599)
        let rest = try await service.run(.all("books"), context: .embedded).documents.map(\.key.id)
        #expect(rest == ["99", "999"])
        await fixture.stop()
    }

    @Test(arguments: [
        #""collectionIds":[]"#, #""collectionIds":["a/b"]"#, #""collectionIds":["__x__"]"#, #""collectionIds":["a"],"namespaceIds":["n"]"#,
    ])
    func `a bulk delete names its collections`(members: String) async throws {
        let fixture = try AdminFixture()
        #expect(await fixture.code(.bulkDeleteDocuments, #"{"name":"\#(AdminFixture.database)",\#(members)}"#) == .invalidArgument)
        await fixture.stop()
    }

    // OT-38
    @Test func `what another process left unfinished ends as aborted, with how far it came`() async throws {
        let folder = try ScratchFolder()
        let first = try AdminFixture(in: folder)
        let service = try await fill(first, "books", 1)
        var left = record(first)
        left.setProgress(documents: 17)
        let id = try await store(service, first).add(left)
        await first.stop()
        let second = try AdminFixture(in: folder, clock: first.clock)
        let found = try await second.call(.getOperation, #"{"name":"\#(AdminFixture.database)/operations/\#(id)"}"#)
        #expect(found["error"]?.integer("code") == FirestoreError.Code.aborted.rawValue)
        #expect(found["error"]?.text("message").contains("17 documents") == true)
        #expect(found["metadata"]?["progressDocuments"]?.text("completedWork") == "17")
        await second.stop()
    }

    @Test func `the build of an index that was interrupted is finished after a restart`() async throws {
        let folder = try ScratchFolder()
        let first = try AdminFixture(in: folder)
        _ = try await fill(first, "books", 3_000)
        let fields = #"{"fieldPath":"m","order":1},{"fieldPath":"n","order":1}"#
        let operation = try await first.call(
            .createIndex, #"{"parent":"\#(AdminFixture.database)/collectionGroups/books","index":{"queryScope":1,"fields":[\#(fields)]}}"#)
        await first.stop()
        let second = try AdminFixture(in: folder, clock: first.clock)
        let done = try await second.call(.waitOperation, #"{"name":"\#(operation.text("name"))"}"#)
        #expect(done["response"]?.text("state") == "READY")
        await second.stop()
    }

    @Test func `a cancelled operation stays cancelled, and what is over does not change`() async throws {
        let fixture = try AdminFixture()
        let service = try await fill(fixture, "books", 1)
        let store = try store(service, fixture)
        let operation = record(fixture, process: fixture.server.admin.transfers.process)
        let gate = AsyncStream<Void>.makeStream()
        let transfers = fixture.server.admin.transfers
        let id = try await transfers.start(operation, in: ServerFixture.database, service, store) { (report) async throws(FirestoreError) in
            report(5, nil)
            for await _ in gate.stream {}
            throw FirestoreError(.cancelled, "the operation was cancelled")
        }
        let name = #"{"name":"\#(AdminFixture.database)/operations/\#(id)"}"#
        #expect(try await !fixture.call(.getOperation, name).flag("done"))
        #expect(await fixture.code(.deleteOperation, name) == .failedPrecondition)
        _ = try await fixture.call(.cancelOperation, name)
        let done = try await fixture.call(.waitOperation, name)
        #expect(done["error"]?.integer("code") == FirestoreError.Code.cancelled.rawValue)
        #expect(done["metadata"]?.text("operationState") == "CANCELLED")
        _ = try await fixture.call(.cancelOperation, name)
        #expect(try await fixture.call(.getOperation, name).text() == done.text())
        await fixture.stop()
    }

    @Test func `a server that stops ends its operations as aborted`() async throws {
        let folder = try ScratchFolder()
        let fixture = try AdminFixture(in: folder)
        let service = try await fill(fixture, "books", 1)
        let store = try store(service, fixture)
        let operation = record(fixture, process: fixture.server.admin.transfers.process)
        let gate = AsyncStream<Void>.makeStream()
        let transfers = fixture.server.admin.transfers
        let id = try await transfers.start(operation, in: ServerFixture.database, service, store) { (report) async throws(FirestoreError) in
            report(5, nil)
            for await _ in gate.stream {}
            throw FirestoreError(.cancelled, "the operation was cancelled")
        }
        await fixture.server.admin.stop()
        let found = try #require(try await store.record(id))
        #expect(found.operation["error"]?.integer("code") == FirestoreError.Code.aborted.rawValue)
        await fixture.stop()
    }

    @Test func `the thousand and first operation takes the place of the oldest that is over`() async throws {
        let fixture = try AdminFixture()
        let service = try await fill(fixture, "books", 1)
        let facts = try #require(service.facts)
        var ids: [String] = []
        for number in 0..<OperationStore.maximum {
            fixture.clock.advance(microseconds: 1)
            var old = record(fixture)
            if number > 0 { old.finish((.bulkDeleteDocumentsResponse, .object([])), now: fixture.clock.now()) }
            try await facts.setFact(OperationRecord.facts + old.id, old.stored)
            ids.append(old.id)
        }
        fixture.clock.advance(microseconds: 1)
        let store = try store(service, fixture)
        let newest = try await store.add(record(fixture))
        let all = try await store.all().map(\.id)
        #expect(all.count == OperationStore.maximum && all.first == newest)
        // The first one is not over.
        #expect(all.last == ids[0] && !all.contains(ids[1]))
        fixture.clock.advance(microseconds: OperationRecord.lifetime)
        _ = try await store.add(record(fixture))
        #expect(try await store.all().count == 3)
        await fixture.stop()
    }

    @Test func `lists come in pages, the newest first`() async throws {
        let fixture = try AdminFixture()
        for _ in 0..<3 {
            fixture.clock.advance(microseconds: 1_000)
            _ = try await fixture.result(.updateDatabase, #"{"database":{"name":"\#(AdminFixture.database)"},"updateMask":"name"}"#)
        }
        let first = try await fixture.call(.listOperations, #"{"name":"\#(AdminFixture.database)","pageSize":2}"#)
        let second = try await fixture.call(
            .listOperations, #"{"name":"\#(AdminFixture.database)","pageSize":2,"pageToken":"\#(first.text("nextPageToken"))"}"#)
        #expect(first.elements("operations").count == 2 && second.elements("operations").count == 1 && second["nextPageToken"] == nil)
        for (members, expected) in [(#""pageToken":"?""#, FirestoreError.Code.invalidArgument), (#""filter":"done""#, .invalidArgument)] {
            #expect(await fixture.code(.listOperations, #"{"name":"\#(AdminFixture.database)",\#(members)}"#) == expected)
        }
        await fixture.stop()
    }
}
