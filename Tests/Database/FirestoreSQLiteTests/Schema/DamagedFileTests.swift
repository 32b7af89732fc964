// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDB
import GRDBSQLite
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

@Suite struct DamagedFileTests {
    /// A closed database of some 400 documents.
    private func makeFile(_ directory: ScratchFolder) throws -> String {
        let store = try SQLiteStore.open(file: directory.file())
        try store.put((0..<400).map { ("c/doc\($0)", FieldMap([("text", .string(String(repeating: "x", count: 900)))])) })
        try store.checkAndClose()
        return directory.file()
    }

    private func everything(_ file: String) throws {
        let store = try SQLiteStore.open(file: file)
        defer { try? store.close() }
        _ = try store.paths(in: .collection(CollectionPath(trusted: "c")))
        let findings = try store.check()
        if !findings.isEmpty { throw FirestoreError(.dataLoss, findings[0], at: file) }
    }

    @Test("a file that is not a database is rejected")
    func notADatabase() throws {
        let directory = try ScratchFolder()
        try Data(repeating: 0x41, count: 20_000).write(to: URL(fileURLWithPath: directory.file()))
        expectImmediateError(.dataLoss, mentioning: "test.db", "not a database") { try SQLiteStore.open(file: directory.file()) }
    }

    @Test("a directory at the path of the file is rejected")
    func directoryInPlace() throws {
        let directory = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: directory.file(), withIntermediateDirectories: true)
        expectImmediateError(.permissionDenied, mentioning: "test.db") { try SQLiteStore.open(file: directory.file()) }
    }

    @Test("another application's SQLite file is rejected and left alone")
    func foreign() throws {
        let directory = try ScratchFolder()
        let queue = try DatabaseQueue(path: directory.file())
        try queue.write { try $0.execute(sql: "CREATE TABLE mine(x)") }
        try queue.close()
        expectImmediateError(.failedPrecondition, mentioning: "not a Hearth database") { try SQLiteStore.open(file: directory.file()) }
    }

    @Test("a truncated file is reported", arguments: [4_096, 8_192, 100_000, 200_001])
    func truncated(length: Int) throws {
        let directory = try ScratchFolder()
        let file = try makeFile(directory)
        #expect(truncate(file, length) == 0)
        expectImmediateError(.dataLoss, mentioning: "test.db") { try everything(file) }
    }

    @Test("flipped bytes anywhere never end the process", arguments: 0..<30)
    func flipped(seed: Int) throws {
        let directory = try ScratchFolder()
        let file = try makeFile(directory)
        var data = try Data(contentsOf: URL(fileURLWithPath: file))
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<50 {
            data[Int.random(in: 100..<data.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        try data.write(to: URL(fileURLWithPath: file))
        do { try everything(file) } catch let error as FirestoreError { #expect(error.code == .dataLoss, "\(error)") }
    }

    @Test("a damaged row is an error that names the document")
    func damagedRow() throws {
        let store = try SQLiteStore.memory()
        try store.put(["c/good", "c/bad"])
        let id = "x'02" + "bad".utf8.map { String($0, radix: 16) }.joined() + "'"
        for damage in ["x'12FF'", "x'00'", "'text'", "x'120A0A016112048A01024869'"] {
            try store.execute("UPDATE documents SET fields = \(damage) WHERE id = \(id)")
            expectImmediateError(.dataLoss, mentioning: "c/bad") { try store.get("c/bad") }
            expectImmediateError(.dataLoss, mentioning: "c/bad") {
                try store.paths(in: .collection(CollectionPath(trusted: "c")))
            }
            #expect(try store.get("c/good") != nil)
            #expect(try store.check().contains { $0.contains("c/bad") })
        }
        try store.close()
    }

    @Test("the check finds impossible states")
    func findings() throws {
        let cases = [
            "UPDATE meta SET last_commit_time = 0": "later than the last commit",
            "UPDATE documents SET create_time = 99": "times are impossible",
            "DELETE FROM changes": "missing in the change log",
            "UPDATE documents SET id = x'09'": "damaged key",
            "UPDATE collections SET id = x'41'": "another id",
            "UPDATE collections SET path = x'412F42'": "no valid path",
            "DELETE FROM collections": "damaged key",
            "UPDATE changes SET previous_create_time = 5": "history",
            // {b: null, a: null}: out of order.
            "UPDATE documents SET fields = x'12070A01621202580012070A016112025800'": "not canonical",
        ]
        for (sql, finding) in cases {
            let store = try SQLiteStore.memory()
            try store.put(["c/a"])
            #expect(try store.check() == [])
            try store.execute(sql)
            #expect(try store.check().contains { $0.contains(finding) }, "\(sql)")
            try store.close()
        }
    }

    @Test("a newer format is rejected with both versions")
    func newer() throws {
        let directory = try ScratchFolder()
        let file = try makeFile(directory)
        let store = try SQLiteStore.open(file: file)
        try store.execute("UPDATE meta SET format_version = 99")
        try store.close()
        expectImmediateError(.failedPrecondition, mentioning: "99", "\(StoreSchema.formatVersion)", "newer Hearth") {
            try SQLiteStore.open(file: file)
        }
    }

    @Test("a file stores the name of its database")
    func name() throws {
        let directory = try ScratchFolder()
        let file = try makeFile(directory)
        expectImmediateError(.failedPrecondition, mentioning: "project test", "project other") {
            try SQLiteStore.open(file: file, databaseID: DatabaseID(projectID: "other"))
        }
        try SQLiteStore.open(file: file).checkAndClose()
    }

    @Test("errors of SQLite have their codes")
    func translation() {
        let errors = StoreErrors(file: "/data/x.db")
        let table: [(Int32, FirestoreError.Code)] = [
            (SQLITE_FULL, .resourceExhausted), (SQLITE_READONLY, .permissionDenied), (SQLITE_PERM, .permissionDenied),
            (SQLITE_READONLY | (3 << 8), .failedPrecondition), (SQLITE_READONLY | (1 << 8), .permissionDenied), (SQLITE_CANTOPEN, .permissionDenied),
            (SQLITE_NOTADB, .dataLoss), (SQLITE_CORRUPT, .dataLoss), (SQLITE_CORRUPT | (1 << 8), .dataLoss),
            (SQLITE_BUSY, .unavailable), (SQLITE_IOERR | (19 << 8), .resourceExhausted), (SQLITE_IOERR, .unavailable),
            (SQLITE_TOOBIG, .invalidArgument), (SQLITE_NOMEM, .resourceExhausted), (SQLITE_MISUSE, .failedPrecondition),
            (SQLITE_CONSTRAINT, .internal),
        ]
        for (code, expected) in table {
            let error = errors.error(code: code, message: "m")
            #expect(error.code == expected, "\(code)")
            #expect(error.description.contains("/data/x.db"))
        }
        // A damaged description of the tables may still be SQL.
        for (message, expected) in [
            ("no such column: database_id", FirestoreError.Code.dataLoss), ("no such table: meta", .dataLoss),
            ("table facts has no column named value", .dataLoss), ("table facts already exists", .internal),
        ] { #expect(errors.error(code: SQLITE_ERROR, message: message).code == expected, "\(message)") }
    }

    @Test("a read-only database is rejected with advice")
    func readOnly() throws {
        let directory = try ScratchFolder()
        let file = try makeFile(directory)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: directory.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path) }
        guard access(directory.path, W_OK) != 0 else {
            print("skipped: this process is root, whom permissions do not bind; the translation is tested above")
            return
        }
        expectImmediateError(.permissionDenied, mentioning: "writable") { try SQLiteStore.open(file: file) }
    }
}
