// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

/// When a new history begins at opening (OP-5, OP-6, OT-4).
@Suite struct FileHistoryTests {
    private let folder: ScratchFolder
    private var file: String { folder.file() }
    private var lockFile: String { file + ".lock" }

    init() throws { folder = try ScratchFolder() }

    private func open(_ number: UInt64 = 0xAAAA_0000_0000_0000, now: Int64 = 1_000) throws -> SQLiteStore {
        try SQLiteStore.open(
            StorePath(preparing: file), durability: .relaxed, databaseID: testDatabase,
            opening: StoreOpening(clock: ManualClock(microseconds: now), makeHistory: { number }))
    }

    /// Makes a file of history 5 whose last commit is at 1.
    private func make() throws {
        let store = try open(5)
        try store.put(["cities/LA"])
        try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
            try transaction.setFact("hearth/write-streams/hearth-1", ByteSlice([1]))
            try transaction.setFact("app/kept", ByteSlice([2]))
        }
        try store.checkAndClose()
    }

    private func lastCommit(_ store: SQLiteStore) throws -> Int64 {
        try store.read { (view: ReadTransaction) in view.readTime.microseconds }
    }

    private func facts(_ store: SQLiteStore) throws -> [Bool] {
        try store.read { (view: ReadTransaction) throws(FirestoreError) in
            [try view.fact("hearth/write-streams/hearth-1") != nil, try view.fact("app/kept") != nil]
        }
    }

    enum LockFile: CaseIterable {
        case untouched, ofBefore, older, newer, ofAnotherHistory, garbage, empty, missing

        static let fitting: Set<LockFile> = [.untouched, .ofBefore, .older]
    }

    @Test(arguments: LockFile.allCases)
    func `a file continues its history if the lock file fits it, and begins another one otherwise`(lock: LockFile) throws {
        try make()
        let note = { (history: UInt64, time: Int64) in
            "1234\n" + HistoryRecord.known(history: history, lastCommit: DocumentVersion(microseconds: time)).note
        }
        switch lock {
        case .untouched: break
        case .ofBefore: try Data("1234\n".utf8).write(to: URL(fileURLWithPath: lockFile))
        case .older: try Data(note(5, 0).utf8).write(to: URL(fileURLWithPath: lockFile))
        case .newer: try Data(note(5, 2_000).utf8).write(to: URL(fileURLWithPath: lockFile))
        case .ofAnotherHistory: try Data(note(6, 1).utf8).write(to: URL(fileURLWithPath: lockFile))
        case .garbage: try Data((0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }).write(to: URL(fileURLWithPath: lockFile))
        case .empty: try Data().write(to: URL(fileURLWithPath: lockFile))
        case .missing: try FileManager.default.removeItem(atPath: lockFile)
        }
        let isFitting = LockFile.fitting.contains(lock)
        // Twice: what was found is not found again.
        for number: UInt64 in [7, 8] {
            let store = try open(number)
            #expect(store.history?.number == (isFitting ? 5 : 7))
            // Times of the new history are later than every time of the old one.
            #expect(try lastCommit(store) == (isFitting ? 1 : lock == .newer ? 2_001 : 1_000))
            #expect(try facts(store) == [isFitting, true])
            try store.checkAndClose()
        }
    }

    @Test func `a copy of an earlier state begins a history, although the lock file exists`() throws {
        try make()
        try FileManager.default.copyItem(atPath: file, toPath: folder.file("copy"))
        var store = try open()
        try store.put(["cities/SF"])
        try store.checkAndClose()
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.moveItem(atPath: folder.file("copy"), toPath: file)
        store = try open(9)
        #expect(store.history?.number == 9)
        try store.checkAndClose()
    }

    @Test func `a time far in the future in the lock file does not become the time of the database`() throws {
        try make()
        let record = HistoryRecord.known(history: 6, lastCommit: DocumentVersion(microseconds: .max))
        try Data(("1\n" + record.note).utf8).write(to: URL(fileURLWithPath: lockFile))
        let store = try open(7)
        #expect(try lastCommit(store) == 1_000)
        try store.checkAndClose()
    }

    @Test func `an inspection does not change the lock file`() throws {
        try make()
        let before = try String(contentsOfFile: lockFile, encoding: .utf8).split(separator: "\n").last
        try StoreInspector(file).close()
        #expect(try String(contentsOfFile: lockFile, encoding: .utf8).split(separator: "\n").last == before)
        try FileManager.default.removeItem(atPath: lockFile)
        try StoreInspector(file).close()
        #expect(try open(9).history?.number == 9)
    }

    @Test func `the lock file is brought up to date every ten seconds, and when the file is closed`() throws {
        let store = try open(5)
        func commit(at time: Int64) throws {
            try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
                try transaction.setLastCommitTime(DocumentVersion(microseconds: time))
            }
        }
        func noted() throws -> Substring? { try String(contentsOfFile: lockFile, encoding: .utf8).split(separator: " ").last }
        #expect(try noted() == "0\n")
        try commit(at: 9_999_999)
        #expect(try noted() == "0\n")
        try commit(at: 10_000_000)
        #expect(try noted() == "10000000\n")
        try commit(at: 10_000_001)
        #expect(try noted() == "10000000\n")
        try store.checkAndClose()
        #expect(try noted() == "10000001\n")
    }

    @Test func `a failed transaction is not noted`() throws {
        let store = try open(5)
        struct Stop: Error {}
        #expect(throws: FirestoreError.self) {
            try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
                try transaction.setLastCommitTime(DocumentVersion(microseconds: 20_000_000))
                throw FirestoreError(.aborted, "no")
            }
        }
        try store.checkAndClose()
        #expect(try String(contentsOfFile: lockFile, encoding: .utf8).hasSuffix(" 0\n"))
    }

    @Test func `every database in memory has a separate history`() throws {
        let (one, two) = (try SQLiteStore.memory(), try SQLiteStore.memory())
        #expect(one.history != nil && one.history != two.history && one.history?.mark != 0)
    }

    @Test func `a file opened for reading has its history unchanged`() throws {
        try make()
        try FileManager.default.removeItem(atPath: lockFile)
        let store = try SQLiteStore.openReadOnly(StorePath(preparing: file), databaseID: testDatabase)
        #expect(store.history?.number == 5)
        try store.close()
        let other = try open(7)
        #expect(other.history?.number == 7)
        try other.checkAndClose()
    }
}
