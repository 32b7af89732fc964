// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreArchive

/// The accounts of a project in an archive.
@Suite struct FileSetArchiverTests {
    private static func clock() -> ManualClock { ManualClock(microseconds: 1_700_000_000_000_000) }

    @Test("files are copied when they have changed, at most once a minute, and once more at the end")
    func schedule() async throws {
        let (store, clock) = (MemoryArchive(), Self.clock())
        let files = try ArchivedFiles(store, clock: clock)
        try files.write("accounts.sqlite", "ann")
        await files.step(after: 0)
        #expect(try await files.catalog().copies.count == 1)
        await files.step()
        #expect(try await files.catalog().copies.count == 1, "nothing has changed")
        try files.write("accounts.sqlite", "ann, bob")
        await files.step(after: 59)
        #expect(try await files.catalog().copies.count == 1, "a minute has not passed since the last look")
        await files.step(after: 1)
        #expect(try await files.catalog().copies.count == 2)
        try files.write("accounts.sqlite", "ann, bob, cy")
        await files.step(after: 1, isLast: true)
        #expect(try await ArchivedFiles.restored(store) == ["accounts.sqlite": "ann, bob, cy"])
        #expect(try await files.findings() == [])
    }

    @Test("files whose changes cannot be counted are compared, and many bytes are copied once an hour")
    func comparison() async throws {
        let (store, clock) = (MemoryArchive(), Self.clock())
        let files = try ArchivedFiles(store, clock: clock, partBytes: 16 << 20)
        files.changes.value = nil
        try files.write("accounts.sqlite", String(repeating: "a", count: Int(FileSetArchiver.largeBytes)))
        await files.step()
        await files.step()
        #expect(try await files.catalog().copies.count == 1)
        try files.write("accounts.sqlite", "few")
        await files.step(after: 3_539)
        #expect(try await files.catalog().copies.count == 1)
        await files.step(after: 60)
        #expect(try await files.catalog().copies.count == 2)
        #expect(try await ArchivedFiles.restored(store) == ["accounts.sqlite": "few"])
    }

    @Test("a moment restores the copy before it, of every file, and files that are there stay")
    func moments() async throws {
        let (store, clock) = (MemoryArchive(), Self.clock())
        let files = try ArchivedFiles(store, clock: clock)
        try files.write("accounts.sqlite", String(repeating: "one ", count: 100))
        try files.write("signing-key.pem", "key")
        await files.step()
        let first = DocumentVersion(microseconds: clock.now())
        try files.write("accounts.sqlite", "two")
        await files.step()
        let old = ["accounts.sqlite": String(repeating: "one ", count: 100), "signing-key.pem": "key"]
        #expect(try await ArchivedFiles.restored(store, at: first) == old)
        #expect(try await ArchivedFiles.restored(store, at: DocumentVersion.none) == old, "better than none")
        #expect(try await ArchivedFiles.restored(store)["accounts.sqlite"] == "two")
        let present = try await FileSetRestore(from: store, of: ArchivedFiles.set, into: files.folder.path).run()
        #expect(present == .present)
    }

    /// OT-17
    @Test("of two servers the earlier one stops, also after a restart, and what it stored is older")
    func twoServers() async throws {
        let (store, clock) = (MemoryArchive(), Self.clock())
        let old = try ArchivedFiles(store, clock: clock)
        try old.write("accounts.sqlite", "before")
        await old.step()
        let new = try ArchivedFiles(store, clock: clock)
        try new.write("accounts.sqlite", "before")
        await new.step()
        #expect(try await old.catalog().copies.map(\.lease) == [1, 2], "who takes over stores a copy")
        try old.write("accounts.sqlite", "lost")
        await old.step()
        let again = try ArchivedFiles(store, clock: clock, in: old.folder)
        await again.step()
        #expect(try await ArchivedFiles.restored(store) == ["accounts.sqlite": "before"])
        try new.write("accounts.sqlite", "after")
        await new.step()
        #expect(try await ArchivedFiles.restored(store) == ["accounts.sqlite": "after"])
        #expect(try await new.findings() == [])
    }

    @Test("a server that ended while it took its lease, and one that is started again, continue")
    func restarts() async throws {
        let clock = Self.clock()
        let memory = MemoryArchive()
        let store = FaultyArchive(memory)
        let files = try ArchivedFiles(store, clock: clock)
        try files.write("accounts.sqlite", "ann")
        store.setSchedule { $0.kind == .put ? .answerLost : nil }
        await files.step()
        #expect(try await files.catalog().copies.isEmpty)
        store.setSchedule { _ in nil }
        let again = try ArchivedFiles(store, clock: clock, in: files.folder)
        await again.step()
        #expect(try await files.catalog().copies.count == 1)
        let third = try ArchivedFiles(store, clock: clock, in: files.folder)
        await third.step()
        #expect(try await files.catalog().copies.count == 1, "the files are those of the last copy")
    }

    /// OT-22
    @Test("every object of a copy that is damaged is found")
    func damage() async throws {
        let store = MemoryArchive()
        let files = try ArchivedFiles(store, clock: Self.clock())
        try files.write("accounts.sqlite", (0..<200).map { "\($0 * 7_919 % 1_000)" }.joined())
        await files.step()
        let names = store.names
        #expect(names.filter { $0.contains("/part-") }.count > 1)
        for name in names {
            let whole = try #require(store[name])
            for damaged in [Array(whole.dropLast()), whole.enumerated().map { $0 == whole.count / 2 ? $1 ^ 1 : $1 }] {
                store[name] = damaged
                #expect(try await !files.findings().isEmpty, "\(name)")
            }
            store[name] = whole
        }
        #expect(try await files.findings() == [])
        store["+accounts/test/stray"] = [1]
        #expect(try await files.findings().count == 1)
    }

    @Test("a copy that the archive has lost is stored again, although nothing has changed", arguments: ["", "/done", "/leases/"])
    func lost(kind: String) async throws {
        let store = MemoryArchive()
        let files = try ArchivedFiles(store, clock: Self.clock())
        for text in ["ann", "ann, bob"] {
            try files.write("accounts.sqlite", text)
            await files.step()
        }
        let names = store.names.filter { $0.contains(kind) }
        for name in kind.isEmpty ? names : Array(names.suffix(1)) { store[name] = nil }
        await files.step()
        #expect(try await files.findings() == [])
        #expect(try await ArchivedFiles.restored(store) == ["accounts.sqlite": "ann, bob"])
        try files.write("accounts.sqlite", "ann, bob, cy")
        await files.step()
        #expect(try await ArchivedFiles.restored(store) == ["accounts.sqlite": "ann, bob, cy"])
        #expect(try await files.findings() == [])
    }

    @Test("file sets are found beside databases, and none is taken for a database")
    func contents() async throws {
        let store = MemoryArchive()
        let files = try ArchivedFiles(store, clock: Self.clock())
        try files.write("accounts.sqlite", "ann")
        await files.step()
        store["a%2Fb/%28default%29/leases/00000001"] = [1]
        // Not as we write it.
        store["a%2Fb/(default)/leases/00000001"] = [1]
        store["+accounts/a%2Fb/leases/00000001"] = [1]
        store["+configuration/leases/00000001"] = [1]
        #expect(try await ArchivedFileSet.all(in: store) == [.accounts(project: "a/b"), .accounts(project: "test"), .configuration])
        #expect(try await ArchiveContents.databases(in: store) == [DatabaseID(projectID: "a/b")])
    }

    /// OT-23
    @Test("a follower has the files of the newest copy, and leaves those alone that are not its own")
    func following() async throws {
        let store = MemoryArchive()
        let files = try ArchivedFiles(store, clock: Self.clock())
        let standby = try ScratchFolder()
        let follower = FileSetFollower(ArchivedFiles.set, in: store, directory: standby.path)
        #expect(try await follower.step() == nil)
        let copied = ArchivedFiles.set.folder(in: standby.path) + "/accounts.sqlite"
        for text in ["ann", "ann, bob"] {
            try files.write("accounts.sqlite", text)
            await files.step()
            let time = try await follower.step()
            #expect(try await time == files.catalog().copies.last?.time)
            #expect(try String(contentsOfFile: copied, encoding: .utf8) == text)
        }
        StandbyDirectory.keepFiles(in: standby.path)
        await #expect(throws: FirestoreError.self) { try await follower.step() }
    }
}
