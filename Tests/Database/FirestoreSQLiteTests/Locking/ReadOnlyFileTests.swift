// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDB
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

/// Files that are opened without writing anything, at the level where that happens: `ReadOnlyMediumTests` has the file systems.
struct ReadOnlyFileTests {
    private let folder: ScratchFolder
    init() throws { folder = try ScratchFolder() }

    private func file(_ name: String = "a?b#c%20é.db") throws -> StorePath {
        let path = try StorePath(preparing: folder.file(name))
        let store = try SQLiteStore.open(path, durability: .full, databaseID: testDatabase)
        try store.put(["a/1", "a/2"])
        try store.close()
        return path
    }

    private var names: [String] { folder.names }

    @Test func `an unwritable file is read without making anything beside it, whatever its name`() throws {
        let path = try file()
        for suffix in [".lock", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path.path + suffix) }
        let before = names
        let connection = try ReadOnlyFile.unwritableConnection(to: path)
        #expect(try connection.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM documents") } == 2)
        #expect(throws: DatabaseError.self) { try connection.write { try $0.execute(sql: "DELETE FROM documents") } }
        #expect(names == before && before.count == 1)
        try connection.close()
    }

    @Test func `a log with commits is read, not passed over`() throws {
        let path = try StorePath(preparing: folder.file("d.db"))
        let store = try SQLiteStore.open(path, durability: .full, databaseID: testDatabase)
        try store.put(["a/1", "a/2"])
        let copy = try StorePath(preparing: folder.file("copy.db"))
        for suffix in ["", "-wal", "-shm"] { try FileManager.default.copyItem(atPath: path.path + suffix, toPath: copy.path + suffix) }
        try store.close()
        let connection = try ReadOnlyFile.unwritableConnection(to: copy)
        #expect(try connection.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM documents") } == 2)
        try connection.close()
    }

    @Test func `a store for reading reads, rejects writes, and checks the name`() throws {
        let path = try file()
        let store = try SQLiteStore.openReadOnly(path, databaseID: testDatabase)
        #expect(try store.get("a/1") != nil)
        #expect(!store.traits.hasSeveralReaders)
        let error = try #require(throws: FirestoreError.self) { try store.put(["a/3"]) }
        #expect(error.code == .permissionDenied && error.message.contains("make the file and its directory writable"), "\(error)")
        // It holds the lock like any other.
        #expect(throws: FirestoreError.self) { try FileLock(for: path) }
        try store.close()
        let other = try #require(throws: FirestoreError.self) { try SQLiteStore.openReadOnly(path, databaseID: DatabaseID(projectID: "other")) }
        #expect(other.message.contains("holds database"), "\(other)")
    }

    @Test func `readers share the lock and exclude writers`() throws {
        let path = try file()
        do {
            let locks = [try FileLock(sharing: path), try FileLock(sharing: path)]
            #expect(locks.allSatisfy { $0 != nil })
            #expect(throws: FirestoreError.self) { try FileLock(for: path) }
        }
        do {
            let lock = try FileLock(for: path)
            let error = try #require(throws: FirestoreError.self) { try FileLock(sharing: path) }
            #expect(error.message.contains("open in another process (pid \(getpid()))"), "\(error)")
            withExtendedLifetime(lock) {}
        }
        #expect(try FileLock(sharing: StorePath(preparing: folder.file("none"))) == nil)
        let missing = try StorePath(preparing: folder.file("none"))
        #expect(!ReadOnlyFile.isNecessary(for: path) && !ReadOnlyFile.isNecessary(for: missing))
    }

    @Test func `only a database that never had a document is removed`() throws {
        let filled = try file("filled.db")
        let path = try StorePath(preparing: folder.file("empty.db"))
        try SQLiteStore.open(path, durability: .full, databaseID: testDatabase).close()
        let other = try folder.file("other.db", "no database")
        for file in [filled.path, path.path, other, folder.file("none.db")] { StoreInspector.removeIfEmpty(file, besides: "") }
        #expect(names.filter { $0.hasPrefix("empty") || $0.hasPrefix("none") }.isEmpty, "\(names)")
        #expect(names.contains("filled.db") && names.contains("other.db"))
    }
}
