// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

/// The runs of a file: what distinguishes a directory that was put back by hand from one that was only closed.
@Suite struct FileRunsTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func open(_ run: UInt32, begins: Bool = true, now: Int64 = 1_000, in directory: String = "data") throws -> SQLiteStore {
        try FileManager.default.createDirectory(atPath: folder.file(directory), withIntermediateDirectories: true)
        var opening = StoreOpening(clock: ManualClock(microseconds: now), makeHistory: { 5 << 32 })
        opening.beginsRun = begins
        opening.makeRun = { run }
        return try SQLiteStore.open(
            StorePath(preparing: folder.file(directory + "/test.db")), durability: .relaxed, databaseID: testDatabase, opening: opening)
    }

    private func lastCommit(_ store: SQLiteStore) throws -> Int64 {
        try store.read { (view: ReadTransaction) in view.readTime.microseconds }
    }

    private func starts(_ store: SQLiteStore) -> [[Int64]] {
        store.history?.runs?.all.map { [Int64($0.mark), $0.start.microseconds] } ?? []
    }

    @Test func `each opening of a server begins a run, behind the last commit, in the present`() throws {
        var store = try open(1)
        #expect(starts(store) == [[1, 0]])
        #expect(try lastCommit(store) == 0)
        try store.put(["c/a"])
        try store.checkAndClose()
        store = try open(2, now: 500)
        #expect(starts(store) == [[1, 0], [2, 1]])
        // Clients ignore snapshots that are earlier than those they know.
        #expect(try lastCommit(store) == 500)
        #expect(try store.put(["c/b"]).microseconds == 501)
        try store.checkAndClose()
        store = try open(3, now: 100)
        #expect(starts(store) == [[1, 0], [2, 1], [3, 501]])
        #expect(try lastCommit(store) == 501)
        try store.checkAndClose()
    }

    @Test func `a directory that was put back lacks the runs and commits since the copy, although history and lock file fit`() throws {
        var store = try open(1)
        try store.put(["c/a"])
        try store.checkAndClose()
        try FileManager.default.copyItem(atPath: folder.file("data"), toPath: folder.file("copy"))
        store = try open(2)
        let lost = try store.put(["c/b"])
        let history = store.history
        try store.checkAndClose()
        try FileManager.default.removeItem(atPath: folder.file("data"))
        try FileManager.default.moveItem(atPath: folder.file("copy"), toPath: folder.file("data"))
        store = try open(3)
        // The same time again.
        #expect(try store.put(["c/x"]) == lost)
        #expect(store.history?.number == history?.number)
        let mark = try #require(history?.mark)
        #expect(store.history?.includes(mark, run: 2, at: lost) == false)
        #expect(store.history?.includes(mark, run: 1, at: DocumentVersion(microseconds: 1)) == true)
        #expect(store.history?.includes(mark, run: 1, at: lost) == false)
        try store.checkAndClose()
    }

    @Test func `a program that issues no tokens begins its run with its first commit, and none by reading`() throws {
        var store = try open(1, begins: false)
        try store.checkAndClose()
        store = try open(2, begins: false)
        #expect(starts(store) == [])
        try store.put(["c/a"])
        try store.put(["c/b"])
        try store.checkAndClose()
        store = try open(3)
        #expect(starts(store) == [[2, 0], [3, 2]])
        try store.checkAndClose()
    }

    @Test func `a run of which the first commit fails begins with the next one`() throws {
        let store = try open(1, begins: false)
        #expect(throws: FirestoreError.self) {
            try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
                try transaction.setLastCommitTime(DocumentVersion(microseconds: 9))
                throw FirestoreError(.aborted, "no")
            }
        }
        try store.put(["c/a"])
        try store.checkAndClose()
        let next = try open(2)
        #expect(starts(next) == [[1, 0], [2, 1]])
        try next.checkAndClose()
    }

    @Test func `a new history has no earlier runs`() throws {
        var store = try open(1)
        try store.put(["c/a"])
        try store.checkAndClose()
        try FileManager.default.removeItem(atPath: folder.file("data/test.db.lock"))
        store = try open(2, now: 70)
        #expect(starts(store) == [[2, 70]])
        try store.checkAndClose()
    }

    @Test func `stored runs are read as they were written, and other bytes are none`() {
        let runs = DatabaseRuns().appending(1, after: .none).appending(.max, after: DocumentVersion(microseconds: 77))
        #expect(StoredRuns.decode(StoredRuns.encode(runs)) == runs)
        #expect(StoredRuns.decode(StoredRuns.encode(DatabaseRuns(isComplete: false))) == DatabaseRuns(isComplete: false))
        for bytes in [[], [2], [1, 0], [UInt8](repeating: 1, count: 12), [1] + [UInt8](repeating: 255, count: 12)] as [[UInt8]] {
            #expect(StoredRuns.decode(bytes) == nil)
        }
    }

    @Test func `of damaged runs nothing is believed`() throws {
        var store = try open(1)
        try store.put(["c/a"])
        try store.execute("UPDATE facts SET value = x'0707' WHERE key = CAST('hearth/runs' AS BLOB)")
        try store.checkAndClose()
        store = try open(2)
        let one = DocumentVersion(microseconds: 1)
        #expect(store.history?.runs?.includes(1, at: one) == false && store.history?.runs?.includes(nil, at: one) == false)
        #expect(store.history?.runs?.includes(2, at: one) == true)
        try store.checkAndClose()
    }
}
