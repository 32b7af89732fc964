// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import FirestoreEngine
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
            try Store.open(StorePath(preparing: folder.file("cache")), durability: .relaxed, databaseID: id)
        }
        try Store.open(StorePath(preparing: folder.file("database")), durability: .relaxed, databaseID: id).close()
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
            let store = try Store.open(StorePath(preparing: folder.file()), durability: .relaxed, databaseID: id, cache: tables)
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

    private func mode(_ path: String) throws -> Int {
        var status = stat()
        try #require(stat(path, &status) == 0, "\(path)")
        return Int(status.st_mode & 0o777)
    }
}
