// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreArchive
import FirestoreCore
import FirestoreServer
import FirestoreWire
import ServerFixtures
import TestSupport
import Testing

/// A restore while it is performed (OT-38).
struct RestoreOperationTests {
    private static let name = "projects/library/databases/restored"

    /// A server whose archive does not return copies, and a restore that waits for one.
    private func waiting() async throws -> (server: ArchivedServer, gate: GatedArchive, operation: JSON, request: String) {
        let gate = GatedArchive()
        let server = try ArchivedServer(gate)
        try await server.commit(.set("books/a"))
        _ = try await server.schedule(#""dailyRecurrence":{},"retention":"604800s""#)
        let backup = try await server.firstBackup()
        gate.close()
        let request = #"{"parent":"projects/library","databaseId":"restored","backup":"\#(backup.text("name"))"}"#
        return (server, gate, try await server.call(.restoreDatabase, request), request)
    }

    @Test func `its operation is that of the new database, which cannot be used yet`() async throws {
        let (server, gate, operation, request) = try await waiting()
        #expect(operation.text("name").hasPrefix("\(Self.name)/operations/"))
        #expect(operation["metadata"]?.text("operationState") == "PROCESSING")
        let listed = try await server.call(.listOperations, #"{"name":"\#(Self.name)"}"#).elements("operations")
        #expect(listed.map { $0.text("name") } == [operation.text("name")])
        #expect(await server.code(.getDatabase, #"{"name":"\#(Self.name)"}"#) == .notFound)
        let create = #"{"parent":"projects/library","databaseId":"restored"}"#
        #expect(await server.code(.createDatabase, create) == .unavailable)
        #expect(await server.code(.restoreDatabase, request) == .alreadyExists)
        #expect(await server.code(.deleteOperation, #"{"name":"\#(operation.text("name"))"}"#) == .failedPrecondition)
        gate.open()
        let done = try await server.call(.waitOperation, #"{"name":"\#(operation.text("name"))"}"#)
        #expect(done["response"]?.text("name") == Self.name, "\(done.text())")
        #expect(done["metadata"]?["progressPercentage"]?.text("completedWork") == "100")
        #expect(try await server.documents("books", of: "restored").count == 1)
        await server.stop()
    }

    @Test func `a cancelled one leaves nothing, and its id is free again`() async throws {
        let (server, gate, operation, request) = try await waiting()
        let name = #"{"name":"\#(operation.text("name"))"}"#
        _ = try await server.call(.cancelOperation, name)
        gate.open()
        let done = try await server.call(.waitOperation, name)
        #expect(done["metadata"]?.text("operationState") == "CANCELLED")
        #expect(done["error"]?.integer("code") == FirestoreError.Code.cancelled.rawValue)
        #expect(await server.code(.getDatabase, #"{"name":"\#(Self.name)"}"#) == .notFound)
        let again = try await server.ended(.restoreDatabase, request)
        #expect(again["response"]?.text("name") == Self.name, "\(again.text())")
        await server.stop()
    }
}

/// An archive that returns the pieces of copies only while it is open.
private final class GatedArchive: ArchiveStore {
    private struct State {
        var isOpen = true
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let archive = MemoryArchive()
    private let state = Mutex(State())

    var description: String { archive.description }

    func close() { state.withLock { $0.isOpen = false } }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func put(_ name: String, _ bytes: [UInt8]) async throws(FirestoreError) -> Bool { try await archive.put(name, bytes) }

    func get(_ name: String) async throws(FirestoreError) -> [UInt8]? {
        if name.contains("/part-") { await pass() }
        return try await archive.get(name)
    }

    private func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func list(_ prefix: String, after: String?, limit: Int) async throws(FirestoreError) -> [ArchiveObject] {
        try await archive.list(prefix, after: after, limit: limit)
    }

    func delete(_ name: String) async throws(FirestoreError) { try await archive.delete(name) }
}
