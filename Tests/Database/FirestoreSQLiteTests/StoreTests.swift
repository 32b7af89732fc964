// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDB
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

@Suite struct StoreTests {
    @Test("a document comes back as it went in, also after reopening")
    func roundTrip() throws {
        let directory = try ScratchFolder()
        var store = try SQLiteStore.open(file: directory.file())
        let fields = FieldMap([("n", .integer(-5)), ("ü", .array([.null, .double(.nan)])), ("m", .map(FieldMap()))])
        let time = try store.put([("c/a", fields), ("c/empty", FieldMap())])
        try store.checkAndClose()

        store = try SQLiteStore.open(file: directory.file())
        let document = try #require(try store.get("c/a"))
        #expect(document.fields == FieldBytes(fields))
        #expect((document.createTime, document.updateTime) == (time, time))
        #expect(try store.get("c/empty")?.fields == .empty)
        #expect(try store.get("c/missing") == nil)
        #expect(try store.read { $0.readTime } == time)
        try store.checkAndClose()
    }

    @Test("ids that only look the same are different documents (DM-7)")
    func bytewise() throws {
        let store = try SQLiteStore.memory()
        try store.put(["c/\u{E9}", "c/e\u{301}", "e\u{301}/a", "\u{E9}/a"])
        for path in ["c/\u{E9}", "c/e\u{301}", "e\u{301}/a", "\u{E9}/a"] {
            let text = try store.get(path)?.fields.map["path"]
            guard case .string(let stored)? = text else { Issue.record("no \(path)"); continue }
            #expect([UInt8](stored.utf8) == [UInt8](path.utf8))
        }
        try store.checkAndClose()
    }

    @Test("durability is read back from SQLite after the pool has opened", arguments: [Durability.full, .relaxed])
    func durability(_ durability: Durability) throws {
        let directory = try ScratchFolder()
        let store = try SQLiteStore.open(file: directory.file(), durability: durability)
        #expect(try store.onWriter { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == (durability == .full ? 2 : 1))
        #expect(try store.onWriter { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
        #expect(try store.onWriter { try Int.fetchOne($0, sql: "PRAGMA page_size") } == SQLiteSettings.pageSize)
        // The store limits the log itself.
        #expect(try store.onWriter { try Int.fetchOne($0, sql: "PRAGMA wal_autocheckpoint") } == 0)
        #expect(try store.onWriter { try Int.fetchOne($0, sql: "PRAGMA journal_size_limit") } == SQLiteSettings.journalBytes)
        try store.checkAndClose()
    }

    @Test("a read on the calling thread sees one moment, whatever is committed meanwhile")
    func readNow() throws {
        let directory = try ScratchFolder()
        let store = try SQLiteStore.open(file: directory.file())
        func fields(_ number: Int64) -> FieldMap { FieldMap([("n", .integer(number))]) }
        func read(_ view: ReadTransaction) throws(FirestoreError) -> FieldBytes? { try view.document(DocumentKey(trusted: "c/a"))?.fields }
        try store.put([("c/a", fields(1))])
        // More often than there are connections: each one must have given up its earlier view.
        for round in 1...Int64(2 * SQLiteSettings.pointReaders) {
            let seen = try store.readNow { (view: ReadTransaction) throws(FirestoreError) -> FieldBytes? in
                // Before the view has read the document.
                try store.put([("c/a", fields(round + 1))])
                #expect(view.readTime.microseconds == round)
                return try read(view)
            }
            #expect(seen == FieldBytes(fields(round)))
            #expect(throws: FirestoreError.self) {
                try store.readNow { (_: ReadTransaction) throws(FirestoreError) -> Int? in throw FirestoreError(.aborted, "on purpose") }
            }
            #expect(try store.readNow(read) == FieldBytes(fields(round + 1)))
        }
        try store.checkAndClose()
    }

    @Test("a failed savepoint leaves no trace, a new collection included")
    func savepoint() throws {
        let store = try SQLiteStore.memory()
        try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
            let time = DocumentVersion(microseconds: 7)
            let key = DocumentKey(trusted: "made/up")
            let document = Document(key: key, createTime: time, updateTime: time, fields: .empty)
            do {
                try transaction.savepoint { () throws(FirestoreError) in
                    try transaction.store(CommittedChange(key: key, old: nil, new: document), at: time)
                    throw FirestoreError(.aborted, "on purpose")
                }
            } catch {}
            #expect(try transaction.document(key) == nil)
            try transaction.store(CommittedChange(key: key, old: nil, new: document), at: time)
            try transaction.setLastCommitTime(time)
        }
        #expect(try store.get("made/up") != nil)
        try store.checkAndClose()
    }

    @Test("a failed transaction leaves no trace")
    func rollback() throws {
        let store = try SQLiteStore.memory()
        expectImmediateError(.aborted) {
            try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
                let time = DocumentVersion(microseconds: 7)
                let key = DocumentKey(trusted: "made/up")
                let document = Document(key: key, createTime: time, updateTime: time, fields: .empty)
                try transaction.store(CommittedChange(key: key, old: nil, new: document), at: time)
                throw FirestoreError(.aborted, "on purpose")
            }
        }
        #expect(try store.get("made/up") == nil)
        try store.put(["made/up"])
        #expect(try store.get("made/up") != nil)
        try store.checkAndClose()
    }

    @Test("a full database rejects writes, keeps its data, and accepts writes again when there is space")
    func full() throws {
        let directory = try ScratchFolder()
        let store = try SQLiteStore.open(file: directory.file())
        try store.put(["c/before"])
        try store.limitSize(toPages: 20)
        let large = FieldMap([("blob", .bytes([UInt8](repeating: 7, count: 600_000)))])
        expectImmediateError(.resourceExhausted, mentioning: "test.db", "free some space") { try store.put([("c/large", large)]) }
        #expect(try store.get("c/before") != nil)
        #expect(try store.get("c/large") == nil)
        try store.limitSize(toPages: nil)
        try store.put([("c/large", large)])
        #expect(try store.get("c/large") != nil)
        try store.checkAndClose()
    }

    @Test("a closed store fails with the reason")
    func closed() throws {
        let directory = try ScratchFolder()
        let store = try SQLiteStore.open(file: directory.file())
        try store.checkAndClose()
        expectImmediateError(.failedPrecondition, mentioning: "closed") { try store.get("c/a") }
        expectImmediateError(.failedPrecondition, mentioning: "closed") { try store.put(["c/a"]) }
    }
}
