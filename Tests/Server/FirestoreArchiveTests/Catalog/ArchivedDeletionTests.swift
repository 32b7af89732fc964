// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreArchive

/// Databases that were deleted, in an archive.
@Suite struct ArchivedDeletionTests {
    private static let layout = ArchiveLayout(ArchivedDatabase.id)

    private static func catalog(_ store: any ArchiveStore) async throws -> ArchiveCatalog {
        try await ArchiveCatalog.load(layout, from: store)
    }

    @Test("a deleted database is noted as such until the next lease, and can still be restored by its name")
    func deletion() async throws {
        var generator = SeededGenerator(seed: 4)
        let store = MemoryArchive()
        let database = try ArchivedDatabase(store)
        for _ in 0..<3 { try await database.commitRandomly(&generator) }
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        let holder = try #require(try await Self.catalog(store).leases.last?.holder)
        let folder = try ScratchFolder()
        let follower = ArchiveFollower(ArchivedDatabase.id, in: store, to: folder.file("standby.sqlite"), clock: database.clock)
        #expect(try await follower.step() != nil)

        // Another server's is not touched.
        try await ArchivedDeletion.note(of: Self.layout, holder: "another", in: store, now: database.clock.now())
        #expect(try await Self.catalog(store).deletion == nil)
        try await ArchivedDeletion.note(of: Self.layout, holder: holder, in: store, now: database.clock.now())
        #expect(try await Self.catalog(store).deletion?.moment.microseconds == database.clock.now())
        #expect(try await follower.step() == nil)
        #expect(try await follower.takeOver() == nil)
        #expect(try await database.restored(at: nil) == database.state)
        #expect(try await database.findings() == [])

        // Brought back by the server that deleted it.
        try await database.restart(asOtherProcess: false)
        try await database.commitRandomly(&generator)
        try await database.archiver.archiveCommits()
        let catalog = try await Self.catalog(store)
        #expect(catalog.deletion == nil && catalog.leases.count == 2)
        #expect(try await follower.step() != nil)
        // The note is superfluous; the archiver that was started again may have removed it by now.
        let garbage = catalog.superfluous(before: .none, now: database.clock.now())
        #expect(catalog.deletions.isEmpty || garbage.contains(.object(Self.layout.deletion(1))))
        await follower.close()
        await database.close()
    }

    /// OT-22
    @Test("a damaged note of a deletion is found")
    func damage() async throws {
        let store = MemoryArchive()
        let database = try ArchivedDatabase(store)
        try await database.commit([.set("c/1", ("n", .integer(1)))])
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        let holder = try #require(try await Self.catalog(store).leases.last?.holder)
        try await ArchivedDeletion.note(of: Self.layout, holder: holder, in: store, now: database.clock.now())
        let name = Self.layout.deletion(1)
        let whole = try #require(store[name])
        for index in stride(from: 0, to: whole.count, by: 7) {
            store[name] = whole.enumerated().map { $0 == index ? $1 ^ 1 : $1 }
            #expect(try await !database.findings().isEmpty)
        }
        store[name] = nil
        store[Self.layout.deletion(2)] = whole
        #expect(try await !database.findings().isEmpty)
        await database.close()
    }
}
