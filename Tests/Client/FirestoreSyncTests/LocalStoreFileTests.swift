// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import FirestoreEngine
import FirestoreSQLite
import FirestoreStorage
import Foundation
import TestSupport
import Testing

@testable import FirestoreSync

@Suite struct LocalStoreFileTests {
    private let alice = SyncUser(uid: "alice")
    private let bob = SyncUser(uid: "bob")

    // MARK: Restart (SY-79)

    @Test func `a restart finds the queue, the local view and the targets`() throws {
        let folder = try ScratchFolder()
        var cache = try CacheFixture(file: folder.file())
        let target = try cache.listen("c")
        try cache.hear(.found("c/a", 5, ("n", .integer(1))), .missing("c/m", 5), at: 5, target: target, token: "t")
        try cache.write(.update("c/a", "n", .integer(2)))
        try cache.write(.increment("c/a"))
        let id = cache.store.cacheID
        try cache.store.close()
        cache = try CacheFixture(file: folder.file())
        #expect(cache.store.cacheID == id)
        #expect(!cache.store.isFromOtherMachine)
        #expect(try cache.look("c/a") == "{n: 3}*")
        #expect(try cache.look("c/m") == "-")
        #expect(try cache.store.lastSnapshotVersion().microseconds == 5)
        let batch = try #require(try cache.store.nextBatch(after: 1))
        #expect(batch.id == 2)
        #expect(batch.baseWrites.count == 1)
        #expect(try cache.store.nextBatch(after: 2) == nil)
        try cache.reject()
        #expect(try cache.look("c/a") == "{n: 3}*")
        try cache.acknowledge(at: 9, results: [[.integer(2)]])
        #expect(try cache.look("c/a") == "{n: 2}+")
        #expect(try cache.write(.set("c/b")).id == 3)
        #expect(try cache.listen("d") == 4)
        #expect(try cache.store.check() == [])
        try cache.store.close()
    }

    // MARK: Users (SY-77, SY-D12)

    @Test func `a change of user hides one queue and shows the other`() throws {
        let cache = try CacheFixture(user: alice)
        try cache.hear(.found("c/a", 5, ("n", .integer(1))), at: 5)
        try cache.write(.update("c/a", "n", .integer(2)))
        try cache.write(.set("c/new"))
        try cache.store.setStreamToken(ByteSlice([7]))
        let changes = try cache.store.changeUser(to: bob)
        #expect(changes.map(\.key.path) == ["c/a", "c/new"])
        #expect(try cache.look("c/a") == "{n: 1}")
        #expect(try cache.look("c/new") == "")
        #expect(try cache.store.nextBatch(after: nil) == nil)
        #expect(try cache.store.highestBatchID() == nil)
        #expect(try cache.store.writeStream().token == .empty)
        #expect(try cache.write(.update("c/a", "m", .integer(3))).id == 3)
        try cache.hear(.found("c/a", 6, ("n", .integer(6))), at: 6)
        #expect(try cache.store.changeUser(to: alice).count == 2)
        #expect(try cache.look("c/a") == "{n: 2}*")
        #expect(try cache.store.writeStream().token == ByteSlice([7]))
        #expect(try cache.store.nextBatch(after: nil)?.id == 1)
        #expect(try cache.store.check() == [])
    }

    @Test func `a cache shows the user it is opened for`() throws {
        let folder = try ScratchFolder()
        var cache = try CacheFixture(file: folder.file(), user: alice)
        try cache.write(.set("c/a"))
        try cache.store.close()
        cache = try CacheFixture(file: folder.file(), user: bob)
        #expect(try cache.look("c/a") == "")
        try cache.store.close()
        cache = try CacheFixture(file: folder.file(), user: alice)
        #expect(try cache.look("c/a") == "{}*")
        try cache.store.close()
    }

    // MARK: Refused files

    @Test func `a cache is not opened as a database, nor a database as a cache`() throws {
        let folder = try ScratchFolder()
        try CacheFixture(file: folder.file("cache")).store.close()
        let id = DatabaseID(projectID: "demo")
        expectImmediateError(.failedPrecondition, mentioning: "offline cache") {
            try SQLiteStore.open(StorePath(preparing: folder.file("cache")), durability: .relaxed, databaseID: id)
        }
        try SQLiteStore.open(StorePath(preparing: folder.file("database")), durability: .relaxed, databaseID: id).close()
        expectImmediateError(.failedPrecondition, mentioning: "Hearth database") { try CacheFixture(file: folder.file("database")) }
    }

    @Test func `the cache of another server is refused and left alone`() throws {
        let folder = try ScratchFolder()
        let cache = try CacheFixture(file: folder.file(), server: "a.example:443")
        try cache.write(.set("c/a"))
        try cache.store.close()
        let before = try folder.bytes(of: "test.db")
        expectImmediateError(.failedPrecondition, mentioning: "a.example:443", "b.example:443") {
            try CacheFixture(file: folder.file(), server: "b.example:443")
        }
        #expect(try folder.bytes(of: "test.db") == before)
    }

    @Test func `an older schema is migrated, and a newer one refused and left alone`() throws {
        let folder = try ScratchFolder()
        let id = DatabaseID(projectID: "demo")
        func open(_ version: Int64) throws {
            let tables = CacheTables(
                version: version, create: "CREATE TABLE one(x);",
                migrations: Array(["CREATE TABLE two(x);", "CREATE TABLE three(x);"].prefix(Int(version) - 1)), server: "s")
            let store = try SQLiteStore.open(StorePath(preparing: folder.file()), durability: .relaxed, databaseID: id, cache: tables)
            defer { try? store.close() }
            guard version > 1 else { return }
            try store.write { (sql: WriteTransaction) throws(FirestoreError) in
                try sql.statement("INSERT INTO \(version == 2 ? "two" : "three") VALUES(1)").run()
            }
        }
        try open(1)
        try open(2)
        try open(3)
        let before = try folder.bytes(of: "test.db")
        expectImmediateError(.failedPrecondition, mentioning: "version 3", "newer Hearth") { try open(2) }
        #expect(try folder.bytes(of: "test.db") == before)
    }

    @Test func `the tables are not changed under a process of an older version`() throws {
        let folder = try ScratchFolder()
        func open(_ version: Int64) throws -> SQLiteStore {
            let tables = CacheTables(
                version: version, create: "CREATE TABLE one(x);",
                migrations: Array(["CREATE TABLE two(x);"].prefix(Int(version) - 1)), server: "s")
            return try SQLiteStore.open(
                StorePath(preparing: folder.file()), durability: .relaxed, databaseID: DatabaseID(projectID: "demo"), cache: tables,
                isShared: true)
        }
        let (old, other) = (try open(1), try open(1))
        expectImmediateError(.failedPrecondition, mentioning: "older version", "end the") { try open(2) }
        try old.close()
        expectImmediateError(.failedPrecondition, mentioning: "older version") { try open(2) }
        try other.close()
        // Alone it changes them, and lets others in again.
        let (new, newer) = (try open(2), try open(2))
        expectImmediateError(.failedPrecondition, mentioning: "version 2") { try open(1) }
        try new.close()
        try newer.close()
    }

    @Test func `the file shrinks when documents are collected`() throws {
        let folder = try ScratchFolder()
        let cache = try CacheFixture(file: folder.file())
        let target = try cache.listen("c")
        let text = Value.string(String(repeating: "x", count: 4_000))
        try cache.hear((0..<1_000).map { .found("c/d\($0)", 5, ("text", text)) }, at: 5, target: target)
        try cache.store.release(target)
        let full = try cache.store.byteCount()
        #expect(full > 4_000_000)
        let collected = try cache.store.collectGarbage(threshold: 1_000_000, percentile: 100)
        #expect(collected == CollectedGarbage(hasRun: true, targets: 1, documents: 1_000))
        #expect(try cache.store.byteCount() < 1_000_000)
        try cache.store.close()
        #expect(try folder.bytes(of: "test.db").count < 1_000_000)
    }

    // MARK: Permissions

    @Test func `only the owner can read the files, whatever the umask`() throws {
        let folder = try ScratchFolder()
        for mask: mode_t in [0, 0o022, 0o077] {
            let before = umask(mask)
            let path = folder.path + "/\(mask)/deep/cache.sqlite"
            let cache = try CacheFixture(file: path)
            try cache.write(.set("c/a"))
            umask(before)
            for name in ["", "-wal", "-shm", ".lock"] { #expect(try mode(path + name) == 0o600, "\(name) with umask \(mask)") }
            for name in ["", "/deep"] { #expect(try mode(folder.path + "/\(mask)" + name) == 0o700) }
            try cache.store.close()
        }
    }

    @Test func `files that others can read are closed when the cache is opened`() throws {
        let folder = try ScratchFolder()
        let path = folder.file("cache.sqlite")
        let first = try CacheFixture(file: path)
        try first.write(.set("c/a"))
        #expect(chmod(path + "-wal", 0o644) == 0)
        // As if the process had been killed.
        let names = ["", "-wal", "-shm"]
        for name in names { try FileManager.default.copyItem(atPath: path + name, toPath: folder.file("copy.sqlite" + name)) }
        try first.store.close()
        let copy = folder.file("copy.sqlite")
        try Data().write(to: URL(fileURLWithPath: copy + ".leader"))
        for name in names + [".leader"] { #expect(chmod(copy + name, 0o644) == 0) }
        let second = try CacheFixture(file: copy)
        #expect(try second.look("c/a") == "{}*")
        for name in names + [".leader"] { #expect(try mode(copy + name) == 0o600, "\(name)") }
        try second.store.close()
    }

    // MARK: Another machine (SY-160)

    private func moveElsewhere(_ store: LocalStore) throws {
        try store.transact { (cache) throws(FirestoreError) in
            let row = try cache.sql.statement("UPDATE sync_meta SET machine_id = ?1")
            row.bind(1, copying: [1, 2, 3])
            try row.run()
        }
    }

    @Test func `a copy on another machine gives its stream up once nothing waits`() throws {
        let folder = try ScratchFolder()
        var cache = try CacheFixture(file: folder.file(), user: alice)
        try cache.write(.increment("c/a"))
        try cache.store.setStreamToken(ByteSlice([7]))
        _ = try cache.store.changeUser(to: bob)
        try cache.store.setStreamToken(ByteSlice([8]))
        try moveElsewhere(cache.store)
        try cache.store.close()
        // What waits may wait in the other copy, too: the stream shows the server that it is the same.
        cache = try CacheFixture(file: folder.file(), user: alice)
        let id = cache.store.cacheID
        #expect(cache.store.isFromOtherMachine)
        #expect(try cache.store.streamToken() == ByteSlice([7]))
        _ = try cache.store.changeUser(to: bob)
        #expect(try cache.store.streamToken() == .empty)
        _ = try cache.store.changeUser(to: alice)
        try cache.acknowledge(at: 5, results: [[.integer(1)]])
        try cache.store.close()
        cache = try CacheFixture(file: folder.file(), user: alice)
        #expect(!cache.store.isFromOtherMachine && cache.store.cacheID == id)
        #expect(try cache.store.streamToken() == .empty)
        try cache.store.close()
        cache = try CacheFixture(file: folder.file(), user: alice)
        #expect(!cache.store.isFromOtherMachine)
        try cache.store.close()
    }

    // MARK: Dropping

    @Test func `batches are dropped together, or none, and not if they may have been sent`() throws {
        let cache = try CacheFixture()
        try cache.write(.set("c/rejected"))
        try cache.reject()
        for name in ["a", "b"] { try cache.write(.set("c/\(name)")) }
        expectImmediateError(.notFound, mentioning: "9") { try cache.store.drop(pending: [2, 9], failed: [1], isForced: false) }
        expectImmediateError(.notFound, mentioning: "2") { try cache.store.drop(pending: [], failed: [1, 2], isForced: false) }
        #expect(try cache.store.pendingBatches().map(\.id) == [2, 3] && cache.store.failedBatches().map(\.id) == [1])
        try cache.store.drop(pending: [3], failed: [1], isForced: false)
        #expect(try cache.store.pendingBatches().map(\.id) == [2] && cache.store.failedBatches().isEmpty)
        #expect(try cache.look("c/b") == "")
        // With a stream that a client would resume.
        let id = WriteStreamResumption.makeStreamID()
        let stream = try #require(WriteStreamResumption(streamID: id, token: WriteStreamToken(number: 4).bytes(of: id)))
        try cache.store.setStreamToken(stream.stored)
        expectImmediateError(.failedPrecondition, mentioning: "--force") { try cache.store.drop(pending: [2], failed: [], isForced: false) }
        #expect(try cache.look("c/a") == "{}*")
        try cache.store.drop(pending: [2], failed: [], isForced: true)
        #expect(try cache.look("c/a") == "")
        let left = try cache.store.streamToken()
        #expect(left != stream.stored && !left.isEmpty && !left.array.starts(with: Array(id.utf8)))
        #expect(try cache.store.check() == [])
        guard case nil = try cache.store.receiptState(of: 2) else { Issue.record("dropped"); return }
    }

    // MARK: Failed writes (S18)

    @Test func `failed writes are found by their indexes`() throws {
        let folder = try ScratchFolder()
        // An index is added to a cache that lacks it.
        let cache = try CacheFixture(file: folder.file())
        try cache.store.transact { (cache) throws(FirestoreError) in
            try cache.sql.statement("DROP INDEX failed_batches_by_user").run()
        }
        try cache.store.close()
        let again = try CacheFixture(file: folder.file())
        func plan(_ query: String) throws -> String {
            try again.store.transact { (cache) throws(FirestoreError) in
                let row = try cache.sql.statement("EXPLAIN QUERY PLAN " + query)
                defer { row.reset() }
                return try row.step() ? row.text(3) ?? "" : ""
            }
        }
        #expect(try plan("SELECT id FROM failed_batches WHERE user = x'00' AND dismissed = 0 ORDER BY id").contains("failed_batches_by_user"))
        #expect(try plan("\(CacheTransaction.forgetting) WHERE failed_at < 5 AND dismissed <> 1").contains("failed_batches_by_time"))
        try again.store.close()
    }

    private func mode(_ path: String) throws -> Int {
        var status = stat()
        try #require(stat(path, &status) == 0, "\(path)")
        return Int(status.st_mode & 0o777)
    }
}
