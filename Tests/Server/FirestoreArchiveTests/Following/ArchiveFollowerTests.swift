// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreArchive
import FirestoreCore
import FirestoreEngine
import TestSupport
import Testing

@Suite struct ArchiveFollowerTests {
    /// OT-23
    @Test("a follower that is ended anywhere, or left behind, ends equal, and takes over once", arguments: 0..<TestScale.pick(quick: 4 as UInt64, full: 100))
    func model(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let store = MemoryArchive()
        let database = try ArchivedDatabase(store)
        let folder = try ScratchFolder()
        let file = folder.file("standby.sqlite")
        func start() -> ArchiveFollower { ArchiveFollower(ArchivedDatabase.id, in: store, to: file, clock: database.clock) }
        var follower = start()
        #expect(try await follower.step() == nil)
        for _ in 0..<40 {
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: try await database.restart()
            case 1:
                await follower.close()
                follower = start()
            case 2: await database.archiver.copy()
            case 3: database.clock.advance(microseconds: 7_200_000_000)
            case 4, 5: _ = try await follower.step()
            case 6: try await database.archiver.archiveCommits()
            default: try await database.commitRandomly(&generator)
            }
        }
        try await database.archiver.archiveCommits()
        await database.archiver.copy()
        await database.close()
        let last = try await follower.step()
        #expect(last == database.moments.last?.time)
        let outcome = try #require(try await follower.takeOver { $0.keepsTimes = true })
        #expect(outcome.time > last ?? .none)
        #expect(try await ArchivedDatabase.content(of: file) == database.state)
        #expect(try await follower.takeOver() == nil)
    }

    @Test func `a step that fails between two pieces of the journal is made up for by the next one`() async throws {
        var generator = SeededGenerator(seed: 8)
        let store = MemoryArchive()
        let database = try ArchivedDatabase(store)
        let archive = FaultyArchive(store)
        let folder = try ScratchFolder()
        let follower = ArchiveFollower(ArchivedDatabase.id, in: archive, to: folder.file("standby.sqlite"), clock: database.clock)
        func archivePieces(_ count: Int) async throws {
            for _ in 0..<count {
                try await database.commitRandomly(&generator)
                try await database.archiver.archiveCommits()
            }
        }
        try await archivePieces(2)
        await database.archiver.copyFinished()
        #expect(try await follower.step() != nil)
        try await archivePieces(1)
        // From here on the follower knows the piece that the next one must follow.
        #expect(try await follower.step() == database.moments.last?.time)
        try await archivePieces(3)
        let last = try #require(store.names.last { $0.contains("/journal/") })
        archive.setSchedule { $0.kind == .get && $0.name == last ? .unavailable : nil }
        await #expect(throws: FirestoreError.self) { _ = try await follower.step() }
        archive.setSchedule { _ in nil }
        #expect(try await follower.step() == database.moments.last?.time)
        await follower.close()
        await database.close()
    }
}
