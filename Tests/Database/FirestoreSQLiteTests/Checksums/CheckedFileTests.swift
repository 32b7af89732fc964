// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDB
import GRDBSQLite
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

/// Database files with checksums, damaged in every way that the layer is for.
@Suite struct CheckedFileTests {
    private static let pageSize = SQLiteSettings.pageSize
    private static let scope = QueryScope.collection(CollectionPath(trusted: "c"))

    /// A closed database with long documents, too.
    private func makeFile(_ folder: ScratchFolder, documents: Int = 120) throws -> String {
        let store = try SQLiteStore.open(file: folder.file())
        try store.put(
            (0..<documents).map { ("c/doc\($0)", FieldMap([("text", .string(String(repeating: "x", count: $0 % 10 == 0 ? 20_000 : 900)))])) })
        try store.checkAndClose()
        return folder.file()
    }

    private func change(_ file: String, _ body: (inout Data) throws -> Void) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: file))
        try body(&data)
        try data.write(to: URL(fileURLWithPath: file))
    }

    /// Everything that can be read: the bytes of each document, by name and in a scan.
    private func everything(_ store: SQLiteStore) throws -> [String] {
        var lines: [String] = []
        try store.read { (view: ReadTransaction) throws(FirestoreError) in
            try view.scan(Self.scope, range: .all, descending: false) { row in
                lines.append("\(row.key.path) \(row.document().fields.bytes.count)")
                return .next
            }
        }
        for line in lines { _ = try store.get(String(line.split(separator: " ")[0])) }
        return lines
    }

    private func everything(_ file: String) throws -> [String] {
        let store = try SQLiteStore.open(file: file)
        defer { try? store.close() }
        return try everything(store)
    }

    @Test func `a new file has checksums, and its copies have them`() throws {
        let folder = try ScratchFolder()
        let file = try makeFile(folder)
        let store = try SQLiteStore.open(file: file)
        let copy = try store.beginCopy(to: folder.file("copy.db"))
        while try !store.step(copy) {}
        try store.close()
        let memory = try SQLiteStore.memory()
        try memory.put(["c/a"])
        let ofMemory = try memory.beginCopy(to: folder.file("memory.db"))
        while try !memory.step(ofMemory) {}
        try memory.close()
        for name in ["test.db", "copy.db", "memory.db"] {
            let bytes = try folder.bytes(of: name)
            #expect(bytes.count % Self.pageSize == 0 && !bytes.isEmpty)
            #expect(bytes[20] == UInt8(PageChecksum.size))
            for number in 0..<bytes.count / Self.pageSize {
                let page = Array(bytes[number * Self.pageSize..<(number + 1) * Self.pageSize])
                let isRight = page.withUnsafeBytes { PageChecksum.isRight($0, number: UInt32(number + 1)) }
                #expect(isRight, "\(name), page \(number + 1)")
            }
        }
        #expect(try StoreInspector(copy: folder.file("copy.db")).inspectConsistency().isSound)
    }

    @Test func `a page of zeros, an exchanged page and a lost end are errors that say where`() throws {
        let folder = try ScratchFolder()
        let file = try makeFile(folder)
        let original = try Data(contentsOf: URL(fileURLWithPath: file))
        let count = original.count / Self.pageSize
        let damages: [(String, (inout Data) -> Void)] = [
            ("zeros", { data in for page in 12..<20 { data.resetBytes(in: page * Self.pageSize..<(page + 1) * Self.pageSize) } }),
            (
                "exchanged",
                { data in
                    for page in stride(from: 10, to: count - 1, by: 2) {
                        let (first, second) = (page * Self.pageSize, (page + 1) * Self.pageSize)
                        data.replaceSubrange(first..<second, with: original[second..<second + Self.pageSize])
                        data.replaceSubrange(second..<second + Self.pageSize, with: original[first..<second])
                    }
                }
            ), ("cut", { data in data.removeLast(3 * Self.pageSize) }), ("cut in a page", { data in data.removeLast(5_000) }),
        ]
        for (name, damage) in damages {
            try change(file) { data in
                data = original
                damage(&data)
            }
            expectImmediateError(.dataLoss, mentioning: "test.db") { try everything(file) }
            let inspection = Result { try StoreInspector(file) }
            if case .success(let inspector) = inspection {
                #expect(try !inspector.inspectConsistency().isSound, "\(name)")
                inspector.close()
            }
        }
        try change(file) { data in
            data = original
            for page in 8..<count { data[page * Self.pageSize + 4_000] ^= 1 }
        }
        expectImmediateError(.dataLoss, mentioning: "the 8192 bytes at ", "are not what was written there", "hearth check") {
            try everything(file)
        }
    }

    @Test func `damage to the header of the file never turns the checks off`() throws {
        let folder = try ScratchFolder()
        let file = try makeFile(folder)
        let original = try Data(contentsOf: URL(fileURLWithPath: file))
        let right = try everything(file)
        for place in Array(0..<100) + [8_184, 8_191] {
            try change(file) { data in
                data = original
                data[place] = data[place] == 0 ? 4 : 0
            }
            do {
                #expect(try everything(file) == right, "byte \(place)")
                Issue.record("byte \(place) was not noticed")
            } catch let error as FirestoreError {
                #expect(error.code == .dataLoss, "byte \(place): \(error)")
            }
        }
        // The same beside other damage: size of pages, reserved bytes and the number of the application.
        try change(file) { data in
            data = original
            for place in [16, 17, 20, 68, 5_000, 3 * 8_192 + 5_000] { data[place] ^= 0x10 }
        }
        expectImmediateError(.dataLoss) { try everything(file) }
    }

    @Test func `another program can read a file and not write to it`() throws {
        let folder = try ScratchFolder()
        let file = try makeFile(folder)
        let before = try folder.bytes(of: "test.db")
        let other = try DatabaseQueue(path: file)
        try other.writeWithoutTransaction { database in
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM documents") == 120)
            #expect(try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok")
            do {
                try database.execute(sql: "DELETE FROM changes")
                Issue.record("another program has written to the file")
            } catch let error as DatabaseError {
                #expect(error.resultCode == .SQLITE_READONLY)
            }
        }
        try other.close()
        // An earlier version of Hearth opens it with a pool, which begins with a write.
        #expect((try? DatabasePool(path: file)) == nil)
        #expect(try folder.bytes(of: "test.db") == before)
        #expect(try everything(file).count == 120)
    }

    /// As `sqlite3` does when it closes a database whose process was killed.
    @Test func `pages that another program has written are rejected`() throws {
        let source = try ScratchFolder()
        let folder = try ScratchFolder()
        let store = try SQLiteStore.open(file: source.file())
        try store.put((0..<50).map { ("c/doc\($0)", FieldMap([("text", .string(String(repeating: "x", count: 900)))])) })
        for name in ["test.db", "test.db-wal"] { _ = try folder.write(try source.bytes(of: name), to: name) }
        try store.close()
        let other = try DatabaseQueue(path: folder.file())
        let count = try other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM documents") }
        #expect(count == 50)
        try other.close()
        #expect(folder.names == ["test.db"])
        expectImmediateError(.dataLoss, mentioning: "another program", "at ") { try everything(folder.file()) }
    }

    /// The number, from 0, of a page that has nothing but a long document's text.
    private static func pageOfText(_ bytes: [UInt8]) -> Int? {
        for number in 1..<bytes.count / pageSize {
            let text = bytes[number * pageSize + 4..<number * pageSize + 8_000]
            if text.allSatisfy({ $0 == 0x78 }) { return number }
        }
        return nil
    }

    @Test func `a page that is damaged fails the reads and writes that need it, and no others`() throws {
        let folder = try ScratchFolder()
        let file = try makeFile(folder)
        // A page of a long document's text.
        let page = try #require(Self.pageOfText(try folder.bytes(of: "test.db")))
        try change(file) { $0[page * Self.pageSize + 777] = UInt8(ascii: "y") }
        let store = try SQLiteStore.open(file: file)
        let failing = (0..<120).filter { number in (try? store.get("c/doc\(number)")) == nil }
        #expect(failing.count == 1 && failing[0] % 10 == 0)
        expectImmediateError(.dataLoss, mentioning: "at \(page * Self.pageSize)") { try everything(store) }
        try store.put(["c/doc3", "c/new"])
        #expect(try store.get("c/new") != nil)
        #expect(try !store.check().isEmpty)
        try store.close()
        // With an empty log, every page of the file is looked at.
        let inspector = try StoreInspector(file)
        let findings = try inspector.inspectConsistency().findings.map(\.description)
        inspector.close()
        let expected = "page \(page + 1) (8192 bytes at \(page * Self.pageSize))"
        #expect(findings.contains { $0.contains(expected) }, "\(findings)")
    }

    @Test func `a page of the log that is damaged while the database is open is an error`() throws {
        let folder = try ScratchFolder()
        let file = folder.file()
        let store = try SQLiteStore.open(file: file)
        try store.put((0..<60).map { ("c/doc\($0)", FieldMap([("text", .string(String(repeating: "x", count: 900)))])) })
        #expect(try everything(SQLiteStore.openBeside(StorePath(preparing: file), databaseID: testDatabase)).count == 60)
        let log = try FileHandle(forUpdating: URL(fileURLWithPath: file + "-wal"))
        let content = try #require(try log.readToEnd())
        for start in stride(from: 32 + 24, to: content.count, by: Self.pageSize + 24) {
            try log.seek(toOffset: UInt64(start + 6_000))
            try log.write(contentsOf: [content[start + 6_000] ^ 1])
        }
        try log.close()
        expectImmediateError(.dataLoss, mentioning: "its log") {
            try everything(SQLiteStore.openBeside(StorePath(preparing: file), databaseID: testDatabase))
        }
        // Nothing of it reaches the file.
        expectImmediateError(.dataLoss) { try store.checkpoint() }
        try? store.close()
    }

    @Test func `a transaction larger than the cache reads what it has written, also pages that it wrote twice`() throws {
        let folder = try ScratchFolder()
        let store = try SQLiteStore.open(file: folder.file())
        try store.execute("PRAGMA cache_size = 5")
        func fields(_ round: Int) -> FieldMap {
            FieldMap([("n", .integer(Int64(round))), ("text", .string(String(repeating: "x", count: 3_000)))])
        }
        for rounds in [1...3, 4...5] {
            try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
                let time = DocumentVersion(microseconds: transaction.lastCommitTime.microseconds + 1)
                for round in rounds {
                    for number in 0..<150 {
                        let key = DocumentKey(trusted: "c/\(number)")
                        let old = try transaction.document(key)
                        if let old, round > rounds.lowerBound { #expect(old.fields == FieldBytes(fields(round - 1))) }
                        let new = Document(key: key, createTime: old?.createTime ?? time, updateTime: time, fields: FieldBytes(fields(round)))
                        if round == rounds.lowerBound {
                            try transaction.store(CommittedChange(key: key, old: old, new: new), at: time)
                        } else {
                            let row = try transaction.statement("UPDATE documents SET fields = ?1 WHERE id = ?2")
                            row.bind(1, copying: [UInt8](new.fields.bytes.buffer))
                            row.bind(2, copying: [UInt8](DocumentIDEncoding.encode(key.id)))
                            _ = try row.step()
                            row.reset()
                        }
                    }
                }
                try transaction.setLastCommitTime(time)
            }
        }
        #expect(try store.get("c/7")?.fields == FieldBytes(fields(5)))
        let beside = try SQLiteStore.openBeside(StorePath(preparing: folder.file()), databaseID: testDatabase)
        #expect(try everything(beside).count == 150)
        try beside.close()
        try store.checkAndClose()
        #expect(try everything(folder.file()).count == 150)
    }

    @Test func `the memory of a large page, of sixty-four kilobytes, is checked, too`() throws {
        let folder = try ScratchFolder()
        let file = folder.file("large.db")
        let queue = try DatabaseQueue(path: CheckedFiles.uri(file), configuration: SQLiteSettings.configuration())
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA page_size = 65536; CREATE TABLE t(x); INSERT INTO t VALUES(zeroblob(300000))")
            #expect(CheckedFiles.hasChecksums(database.sqliteConnection))
        }
        try queue.close()
        func length() throws -> Int? {
            let queue = try DatabaseQueue(path: CheckedFiles.uri(file), configuration: SQLiteSettings.configuration())
            defer { try? queue.close() }
            return try queue.read { try Int.fetchOne($0, sql: "SELECT length(hex(x)) FROM t") }
        }
        #expect(try length() == 600_000)
        try change(file) { $0[200_000] = 1 }
        #expect(throws: DatabaseError.self) { try length() }
    }

    @Test func `files of others are opened as they are`() throws {
        let folder = try ScratchFolder()
        for (name, reserve) in [("plain", 0), ("reserved", 8)] {
            let file = folder.file(name)
            let queue = try DatabaseQueue(path: file)
            try queue.writeWithoutTransaction { database in
                var size = Int32(reserve)
                sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_RESERVE_BYTES, &size)
                try database.execute(sql: "CREATE TABLE mine(x); INSERT INTO mine VALUES(7)")
            }
            try queue.close()
            let checked = try DatabaseQueue(path: CheckedFiles.uri(file), configuration: SQLiteSettings.configuration())
            try checked.writeWithoutTransaction { database in
                #expect(!CheckedFiles.hasChecksums(database.sqliteConnection))
                #expect(try Int.fetchOne(database, sql: "SELECT x FROM mine") == 7)
                try database.execute(sql: "INSERT INTO mine VALUES(8)")
            }
            try checked.close()
            expectImmediateError(.failedPrecondition, mentioning: "not a Hearth database") { try SQLiteStore.open(file: file) }
        }
    }

    @Test func `names with special characters are names of files`() throws {
        let folder = try ScratchFolder()
        for name in ["a b", "100%", "q?x=1", "#1", "ü", "a&vfs=unix", "%41"] {
            let store = try SQLiteStore.open(file: folder.file(name))
            try store.put(["c/a"])
            try store.close()
            #expect(folder.names.contains(name), "\(folder.names)")
            #expect(try everything(folder.file(name)).count == 1, "\(name)")
        }
    }
}
