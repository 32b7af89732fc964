// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDB
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

@Suite struct SchemaUpgradeTests {
    /// The tables of format version 1, as the first release made them. Never to be changed.
    private static let version1 = """
        CREATE TABLE meta(
            one INTEGER PRIMARY KEY CHECK(one = 1),
            format_version INTEGER NOT NULL,
            project_id TEXT NOT NULL,
            database_id TEXT NOT NULL,
            last_commit_time INTEGER NOT NULL,
            log_floor INTEGER NOT NULL);
        CREATE TABLE collections(number INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, id BLOB NOT NULL);
        CREATE INDEX collections_by_id ON collections(id);
        CREATE TABLE documents(
            rowid INTEGER PRIMARY KEY,
            collection INTEGER NOT NULL,
            id BLOB NOT NULL,
            create_time INTEGER NOT NULL,
            update_time INTEGER NOT NULL,
            fields BLOB NOT NULL,
            UNIQUE(collection, id));
        CREATE TABLE changes(
            commit_time INTEGER NOT NULL,
            collection INTEGER NOT NULL,
            id BLOB NOT NULL,
            previous_create_time INTEGER,
            previous_update_time INTEGER,
            previous_fields BLOB,
            PRIMARY KEY(commit_time, collection, id)) WITHOUT ROWID;
        INSERT INTO meta VALUES(1, 1, 'test', '(default)', 7, 2);
        INSERT INTO collections VALUES(3, CAST('cities' AS BLOB), CAST('cities' AS BLOB));
        INSERT INTO documents VALUES(9, 3, x'024C41', 5, 7, x'12070A016112025800');
        INSERT INTO changes VALUES(7, 3, x'024C41', 5, 5, x'');
        PRAGMA application_id = 1213355080;
        """

    private func makeVersion1(_ file: String) throws {
        let queue = try DatabaseQueue(path: file)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL;" + Self.version1) }
        try queue.close()
    }

    private func tables(_ file: String) throws -> [String] {
        let queue = try DatabaseQueue(path: file)
        defer { try? queue.close() }
        return try queue.read { database in
            try String.fetchAll(database, sql: "SELECT coalesce(sql, '') FROM sqlite_master ORDER BY name")
                .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        }
    }

    @Test func `a file of version 1 becomes one of the newest version with everything in it`() throws {
        let directory = try ScratchFolder()
        try makeVersion1(directory.file())
        // Beside the lock file of its version; without one it could be an exchanged file, whose new history has a later time.
        try Data("17\n".utf8).write(to: URL(fileURLWithPath: directory.file() + ".lock"))
        for _ in 0..<2 {
            let store = try SQLiteStore.open(file: directory.file())
            let document = try #require(try store.get("cities/LA"))
            #expect(document.createTime.microseconds == 5 && document.updateTime.microseconds == 7)
            #expect(document.fields == FieldBytes(FieldMap([("a", .null)])))
            try store.read { (view: ReadTransaction) throws(FirestoreError) in
                #expect(view.readTime.microseconds == 7)
                #expect(try view.logFloor().microseconds == 2)
                #expect(try view.catalog().isEmpty)
                var history: [String] = []
                try view.changes(after: .none) { _, key, previous in history.append("\(key) \(previous != nil)") }
                #expect(history == ["cities/LA true"])
            }
            try store.checkAndClose()
        }
        let store = try SQLiteStore.open(file: directory.file())
        try store.put(["cities/SF"])
        #expect(try store.paths(in: .collection(CollectionPath(trusted: "cities"))) == ["cities/LA", "cities/SF"])
        try store.checkAndClose()
    }

    @Test func `an upgraded file has the tables of a new one`() throws {
        let directory = try ScratchFolder()
        try makeVersion1(directory.file("old.db"))
        try SQLiteStore.open(file: directory.file("old.db")).close()
        try SQLiteStore.open(file: directory.file("new.db")).close()
        let (old, new) = (try tables(directory.file("old.db")), try tables(directory.file("new.db")))
        #expect(old.map { $0.filter { $0 != " " } } == new.map { $0.filter { $0 != " " } })
    }

    @Test func `a file of version 1 under another name is left as it is`() throws {
        let directory = try ScratchFolder()
        try makeVersion1(directory.file())
        expectImmediateError(.failedPrecondition, mentioning: "project test") {
            try SQLiteStore.open(file: directory.file(), databaseID: DatabaseID(projectID: "other"))
        }
        #expect(try !tables(directory.file()).contains { $0.contains("index_entries") })
    }

    @Test func `an upgrade that fails leaves version 1`() throws {
        let directory = try ScratchFolder()
        try makeVersion1(directory.file())
        let queue = try DatabaseQueue(path: directory.file())
        // In the way of the last new table.
        try queue.write { try $0.execute(sql: "CREATE TABLE facts(x)") }
        try queue.close()
        expectImmediateError(.internal) { try SQLiteStore.open(file: directory.file()) }
        let left = try tables(directory.file())
        #expect(!left.contains { $0.contains("index_entries") || $0.contains("catalog_version") })
    }
}
