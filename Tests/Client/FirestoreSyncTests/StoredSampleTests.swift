// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import FirestoreWire
import Foundation
import GRDBSQLite
import TestSupport
import Testing

@testable import FirestoreSync

/// A cache file that an earlier build has written, and what every later one must find in it (SY-D10). `Samples/README.md` says how a
/// sample is made.
@Suite struct StoredSampleTests {
    private static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Samples")
    private static let newest = "cache-2.sqlite"
    private static let server = "sample.example_443"

    private static let alice = SyncUser(uid: "alice")
    private static let bob = SyncUser(uid: "bob")

    private func copy(_ name: String = newest) throws -> (folder: ScratchFolder, file: String) {
        let folder = try ScratchFolder()
        let file = folder.file()
        try FileManager.default.copyItem(atPath: Self.samples.appendingPathComponent(name).path, toPath: file)
        return (folder, file)
    }

    // MARK: What is in it

    private func fill(_ file: String) throws {
        let cache = try CacheFixture(file: file, user: Self.alice, server: Self.server)
        let target = try cache.listen("trails")
        try cache.hear(
            .found("trails/ridge", 5, ("name", .string("Ridge")), ("metres", .integer(1_200))),
            .found("trails/creek", 6, ("name", .string("Creek")), ("metres", .integer(300))), .missing("trails/gone", 6),
            at: 7, target: target, token: "token-7")
        // Acknowledged, and not yet reported.
        try cache.write(.update("trails/creek", "metres", .integer(310)))
        try cache.acknowledge(at: 8)
        try cache.write(.update("trails/missing", "metres", .integer(1)))
        try cache.reject(.notFound)
        _ = try cache.store.write([[.increment("trails/ridge", "metres", by: 50)]], options: [ConflictRule.requireUnchanged(nil)])
        try cache.write(.set("trails/new", ("name", .string("New"))), .delete("trails/creek"))
        try cache.store.noteSent(upTo: 3, token: ByteSlice([1, 2, 3]))
        _ = try cache.store.changeUser(to: Self.bob)
        try cache.write(.set("trails/bob", ("name", .string("Bob's"))))
        try cache.store.saveBundle(id: "tour", createTime: DocumentVersion(microseconds: 4))
        _ = try cache.store.changeUser(to: Self.alice)
        try cache.store.close()
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["HEARTH_WRITE_SAMPLE"] != nil))
    func `makes the sample of this version`() throws {
        let folder = try ScratchFolder()
        try fill(folder.file())
        let sample = Self.samples.appendingPathComponent(Self.newest)
        try? FileManager.default.removeItem(at: sample)
        try FileManager.default.copyItem(atPath: folder.file(), toPath: sample.path)
    }

    /// In caches of version 1, no write requires that its documents are unchanged.
    @Test(arguments: ["cache-1.sqlite", newest])
    func `a sample opens with its view, its queue and its failed write`(sample: String) throws {
        let (folder, file) = try copy(sample)
        defer { withExtendedLifetime(folder) {} }
        let inspector = try CacheInspector(file)
        #expect(try inspector.pending().map(\.id) == [3, 4, 5] && inspector.check() == [])
        inspector.close()
        let cache = try CacheFixture(file: file, user: Self.alice, server: Self.server)
        #expect(try cache.look("trails/ridge") == "{metres: 1250, name: Ridge}*")
        #expect(try cache.look("trails/creek") == "-*")
        #expect(try cache.look("trails/new") == "{name: New}*")
        #expect(try cache.look("trails/gone") == "-")
        #expect(try cache.look("trails/bob") == "")
        #expect(try cache.paths(.collection("trails")) == ["trails/new", "trails/ridge"])
        #expect(try cache.store.pendingBatches().map(\.id) == [3, 4])
        let bases = try cache.store.nextBatch(after: nil)?.bases?.mapValues(\.version.microseconds)
        #expect(bases == (sample == Self.newest ? [DocumentKey(trusted: "trails/ridge"): 5] : nil))
        #expect(try cache.store.failedBatches().map(\.id) == [2])
        #expect(try cache.store.failedBatches().map { $0.error?.code } == [.notFound])
        #expect(try cache.store.lastSnapshotVersion().microseconds == 7)
        // The first version had no mark of what was sent.
        #expect(try cache.store.writeStream() == (ByteSlice([1, 2, 3]), sample == Self.newest ? 3 : 0))
        #expect(try cache.store.hasBundle(id: "tour", createTime: DocumentVersion(microseconds: 4)))
        let target = try cache.store.allocate(.query(.collection("trails")))
        #expect(target.targetID == 2)
        #expect(target.resumeToken == ByteSlice([UInt8]("token-7".utf8)))
        #expect(try cache.store.check() == [])

        // It continues from there.
        try cache.acknowledge(at: 9, results: [[.integer(1_250)]])
        #expect(try cache.look("trails/ridge") == "{metres: 1250, name: Ridge}+")
        _ = try cache.store.changeUser(to: Self.bob)
        #expect(try cache.store.pendingBatches().map(\.id) == [5])
        #expect(try cache.look("trails/bob") == "{name: Bob's}*")
        #expect(try cache.look("trails/creek") == "{metres: 310, name: Creek}+")
        #expect(try cache.write(.set("trails/more")).id == 6)
        #expect(try cache.store.check() == [])
        try cache.store.close()
    }

    @Test(arguments: ["PRAGMA user_version = 1000", "UPDATE meta SET format_version = 1000"])
    func `a sample of a newer version is refused and left as it is`(change: String) throws {
        let (folder, file) = try copy()
        try execute(change, file)
        let before = try folder.bytes(of: "test.db")
        expectImmediateError(.failedPrecondition, mentioning: "1000", "newer Hearth") {
            try CacheFixture(file: file, user: Self.alice, server: Self.server)
        }
        #expect(try folder.bytes(of: "test.db") == before)
    }

    private func execute(_ statement: String, _ file: String) throws {
        var database: OpaquePointer?
        try #require(sqlite3_open_v2(file, &database, SQLITE_OPEN_READWRITE, CheckedFiles.name) == SQLITE_OK)
        defer { sqlite3_close(database) }
        try #require(sqlite3_exec(database, statement, nil, nil, nil) == SQLITE_OK)
        try #require(sqlite3_exec(database, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil) == SQLITE_OK)
    }
}
