// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

/// A log that a process has left, damaged where commits follow.
@Suite struct LogGapTests {
    private static let frameSize = SQLiteSettings.pageSize + 24

    /// The files of a process that was killed after six commits; returns the length of the log after each.
    private func makeFiles(_ folder: ScratchFolder) throws -> [Int] {
        let source = try ScratchFolder()
        let store = try SQLiteStore.open(file: source.file(), durability: .full)
        var lengths: [Int] = []
        for number in 0..<6 {
            try store.put(["c/\(number)"])
            lengths.append(try source.bytes(of: "test.db-wal").count)
        }
        for name in ["test.db", "test.db-wal"] { _ = try folder.write(try source.bytes(of: name), to: name) }
        try store.close()
        return lengths
    }

    private func flip(_ folder: ScratchFolder, _ place: Int) throws {
        var bytes = try folder.bytes(of: "test.db-wal")
        bytes[place] ^= 1
        _ = try folder.write(bytes, to: "test.db-wal")
    }

    private func paths(_ folder: ScratchFolder) throws -> [String] {
        let store = try SQLiteStore.open(file: folder.file(), durability: .full)
        defer { try? store.close() }
        return try store.paths(in: .collection(CollectionPath(trusted: "c")))
    }

    @Test func `a log that is whole is opened with all its commits`() throws {
        let folder = try ScratchFolder()
        _ = try makeFiles(folder)
        #expect(LogGap.find(in: folder.file("test.db-wal")) == nil)
        #expect(try paths(folder).count == 6)
    }

    /// A byte of the page, of the number of the page, of the salt, of the checksum.
    @Test(arguments: [24 + 5_000, 2, 9, 17]) func `a log that is damaged before other commits is not opened without them`(byte: Int) throws {
        let folder = try ScratchFolder()
        let lengths = try makeFiles(folder)
        let offset = lengths[1]
        try flip(folder, offset + byte)
        let before = try folder.bytes(of: "test.db-wal")
        let gap = LogGap.find(in: folder.file("test.db-wal"))
        #expect(gap?.offset == Int64(offset) && (gap?.commits ?? 0) >= 3)
        expectImmediateError(.dataLoss, mentioning: "damaged at byte \(offset)", "truncate -s \(offset)", "test.db-wal") { try paths(folder) }
        expectImmediateError(.dataLoss, mentioning: "damaged at byte \(offset)") { try StoreInspector(folder.file()) }
        #expect(try folder.bytes(of: "test.db-wal") == before)
        // What the message says helps.
        #expect(truncate(folder.file("test.db-wal"), off_t(offset)) == 0)
        #expect(try paths(folder) == ["c/0", "c/1"])
    }

    @Test func `the salts of a commit with one behind it are missed, too`() throws {
        let folder = try ScratchFolder()
        let lengths = try makeFiles(folder)
        try flip(folder, lengths[4] - Self.frameSize + 9)
        expectImmediateError(.dataLoss, mentioning: "2 commits behind") { try paths(folder) }
    }

    @Test func `a process that does not wait for the disk, that only reads, or that copies the file does not lose the commits behind a gap either`() throws {
        let folder = try ScratchFolder()
        let lengths = try makeFiles(folder)
        try flip(folder, lengths[1] + 17)
        let before = try folder.bytes(of: "test.db-wal")
        var opening = StoreOpening()
        opening.logMayHaveGaps = false
        let path = try StorePath(preparing: folder.file())
        expectImmediateError(.dataLoss, mentioning: "commits behind") {
            try SQLiteStore.open(path, durability: .relaxed, databaseID: DatabaseID(projectID: "test"), opening: opening)
        }
        expectImmediateError(.dataLoss, mentioning: "commits behind") { try SQLiteStore.openReadOnly(path, databaseID: DatabaseID(projectID: "test")) }
        let replacement = try StoreReplacement(folder.file("other.db"))
        expectImmediateError(.dataLoss, mentioning: "commits behind") { try replacement.copy(folder.file()) }
        replacement.discard()
        #expect(try folder.bytes(of: "test.db-wal") == before)
    }

    @Test(arguments: [1, 10, 20, 30]) func `a damaged header hides no log`(byte: Int) throws {
        let folder = try ScratchFolder()
        _ = try makeFiles(folder)
        try flip(folder, byte)
        expectImmediateError(.dataLoss, mentioning: "damaged at byte 0") { try paths(folder) }
    }

    @Test func `a log that ends in its last commit is opened without it, as after a failure of the machine`() throws {
        let folder = try ScratchFolder()
        let lengths = try makeFiles(folder)
        try flip(folder, lengths[4] + 100)
        #expect(try paths(folder).count == 5)
        let shorter = try ScratchFolder()
        let others = try makeFiles(shorter)
        #expect(truncate(shorter.file("test.db-wal"), off_t(others[3] + 40)) == 0)
        #expect(try paths(shorter).count == 4)
    }
}
