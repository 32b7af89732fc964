// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDB
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

/// A file that is refused is not changed.
@Suite struct FileBeforeOpeningTests {
    private let folder: ScratchFolder
    private var file: String { folder.file() }

    init() throws { folder = try ScratchFolder() }

    /// The bytes of everything in the folder but the lock file, which notes who has tried.
    private func contents() throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for name in folder.names where !name.hasSuffix(".lock") { contents[name] = try folder.bytes(of: name) }
        return contents
    }

    enum Refused: CaseIterable {
        case text, foreign, foreignWithLog, cache, newer, newerInLog, otherName, otherNameBesideDamagedLog, damagedMeta, damagedSchema, damagedIndexes, cut, tiny
    }

    private func make(_ kind: Refused) throws {
        switch kind {
        case .text: _ = try folder.write([UInt8](repeating: 0x41, count: 20_000), to: "test.db")
        case .tiny: _ = try folder.write([1, 2, 3] as [UInt8], to: "test.db")
        case .foreign, .foreignWithLog:
            let queue = try DatabaseQueue(path: file)
            if kind == .foreignWithLog { try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") } }
            try queue.write { try $0.execute(sql: "CREATE TABLE mine(x); INSERT INTO mine VALUES(1)") }
            if kind == .foreignWithLog { try keepLog() }
            try queue.close()
            if kind == .foreignWithLog { try putLogBack() }
        case .cache, .newer, .otherName, .damagedMeta, .damagedSchema, .damagedIndexes, .cut:
            let store = try SQLiteStore.open(file: file)
            try store.put(["c/a"])
            if let sql = Self.sql(kind) { try store.execute(sql) }
            try store.close()
            if kind == .cut { #expect(truncate(file, 20_000) == 0) }
            if kind == .damagedSchema { try overwrite(at: 100, 0xFF, count: 8_000) }
        case .otherNameBesideDamagedLog:
            let store = try SQLiteStore.open(file: file)
            try store.execute("UPDATE meta SET database_id = 'other'")
            try store.checkpoint()
            try store.put(["c/a"])
            try keepLog()
            try store.close()
            try putLogBack()
            var log = try folder.bytes(of: "test.db-wal")
            // The first frame: SQLite finds no commit in the log.
            for place in 32..<60 { log[place] ^= 0xFF }
            _ = try folder.write(log, to: "test.db-wal")
        case .newerInLog:
            let store = try SQLiteStore.open(file: file)
            try store.put(["c/a"])
            try store.checkpoint()
            try store.execute("UPDATE meta SET format_version = 99")
            try keepLog()
            try store.close()
            try putLogBack()
        }
    }

    private static func sql(_ kind: Refused) -> String? {
        switch kind {
        case .cache: "PRAGMA application_id = \(StoreKind.cache.rawValue)"
        case .newer: "UPDATE meta SET format_version = 99"
        case .otherName: "UPDATE meta SET database_id = 'other'"
        case .damagedMeta: "DELETE FROM meta"
        case .damagedIndexes: "INSERT INTO indexes VALUES(1, x'00', 77, 0, NULL, NULL, 0)"
        default: nil
        }
    }

    private func overwrite(at place: Int, _ byte: UInt8, count: Int) throws {
        var bytes = try folder.bytes(of: "test.db")
        for offset in place..<place + count { bytes[offset] = byte }
        _ = try folder.write(bytes, to: "test.db")
    }

    /// The file with its log as they are while it is open: what a killed process leaves.
    private func keepLog() throws {
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: file + suffix, toPath: folder.file("kept") + suffix) }
    }

    private func putLogBack() throws {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
        for suffix in ["", "-wal"] { try FileManager.default.moveItem(atPath: folder.file("kept") + suffix, toPath: file + suffix) }
    }

    @Test(arguments: Refused.allCases)
    func `a file that is refused keeps every byte, and gets no file beside it`(kind: Refused) throws {
        try make(kind)
        let before = try contents()
        #expect(throws: FirestoreError.self) { try SQLiteStore.open(file: file) }
        #expect(try contents() == before)
        #expect(throws: FirestoreError.self) { try SQLiteStore.open(file: file) }
        #expect(try contents() == before)
    }

    @Test(arguments: [false, true])
    func `a missing or empty file beside its log is refused with what to do, and the log remains`(isEmpty: Bool) throws {
        let store = try SQLiteStore.open(file: file)
        try store.put(["c/a"])
        try keepLog()
        try store.close()
        try putLogBack()
        let whole = try folder.bytes(of: "test.db")
        if isEmpty { _ = try folder.write([UInt8](), to: "test.db") } else { try FileManager.default.removeItem(atPath: file) }
        let before = try contents()
        expectImmediateError(.failedPrecondition, mentioning: isEmpty ? "is empty" : "is missing", "test.db-wal", "put the file back") {
            try SQLiteStore.open(file: file)
        }
        #expect(try contents() == before)
        _ = try folder.write(whole, to: "test.db")
        let again = try SQLiteStore.open(file: file)
        #expect(try again.get("c/a") != nil)
        try again.checkAndClose()
    }

    @Test func `a file that a killed process has left is opened with the commits of its log`() throws {
        let store = try SQLiteStore.open(file: file)
        try store.put(["c/a"])
        try keepLog()
        try store.close()
        try putLogBack()
        let again = try SQLiteStore.open(file: file)
        #expect(try again.get("c/a") != nil)
        try again.checkAndClose()
    }

    @Test(arguments: ["", "-wal"])
    func `an empty file without commits beside it begins a database`(suffix: String) throws {
        _ = try folder.write([UInt8](), to: "test.db" + suffix)
        let store = try SQLiteStore.open(file: file)
        try store.put(["c/a"])
        try store.checkAndClose()
    }
}
