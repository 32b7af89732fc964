// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreArchive
import FirestoreCore
import FirestoreEngine
import TestSupport
import Testing

/// One archive, one writer.
@Suite struct LeaseTests {
    /// OT-17
    @Test("of two servers on one archive the earlier one stops, and what it archived afterwards is not restored")
    func twoServers() async throws {
        var generator = SeededGenerator(seed: 1)
        let store = MemoryArchive()
        let old = try ArchivedDatabase(store)
        for _ in 0..<3 { try await old.commitRandomly(&generator) }
        try await old.archiver.archiveCommits()
        await old.archiver.copyFinished()
        // The machine is lost, as it seems.
        let folder = try ScratchFolder()
        var restore = ArchiveRestore(from: store, of: ArchivedDatabase.id, to: folder.file("db.sqlite"))
        (restore.clock, restore.keepsTimes) = (old.clock, true)
        _ = try await restore.run()
        let new = try ArchivedDatabase(store, clock: old.clock, in: folder)
        try await new.adopt()
        try await new.commit([.set("c/new", ("n", .integer(1)))])
        try await new.archiver.archiveCommits()
        await new.archiver.copyFinished()
        try await old.commitRandomly(&generator)
        await #expect(throws: FirestoreError.self) { try await old.archiver.archiveCommits() }
        #expect(await old.archiver.status.isEnded)
        #expect(try await new.restored(at: nil) == new.state)
        // Not after a restart either.
        try await old.restart()
        await #expect(throws: FirestoreError.self) { try await old.archiver.archiveCommits() }
        #expect(try await new.findings() == [])
        await old.close()
        await new.close()
    }

    @Test("a server that ended while it took a lease takes the next one")
    func interrupted() async throws {
        var generator = SeededGenerator(seed: 2)
        let memory = MemoryArchive()
        let store = FaultyArchive(memory)
        let database = try ArchivedDatabase(store)
        store.setSchedule { $0.kind == .put ? .answerLost : nil }
        await #expect(throws: FirestoreError.self) { try await database.archiver.archiveCommits() }
        store.setSchedule { _ in nil }
        try await database.restart()
        try await database.commitRandomly(&generator)
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        #expect(memory.names.filter { $0.contains("/leases/") }.count == 2)
        #expect(try await database.restored(at: nil) == database.state)
        await database.close()
    }

    /// OT-15
    @Test("whatever fails at whatever call, commits are archived once and in order when it works again", arguments: 0..<TestScale.pick(quick: 10 as UInt64, full: 200))
    func faults(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let memory = MemoryArchive()
        let store = FaultyArchive(memory)
        let database = try ArchivedDatabase(store)
        for _ in 0..<30 {
            let (call, kind) = (Int.random(in: 1..<12, using: &generator), Int.random(in: 0..<3, using: &generator))
            let now = store.calls.count
            store.setSchedule { $0.number < now + call ? nil : [.unavailable, .answerLost, .full][kind] }
            try await database.commitRandomly(&generator)
            if Bool.random(using: &generator) { try? await database.archiver.archiveCommits() }
            await database.archiver.copyFinished()
            if Int.random(in: 0..<6, using: &generator) == 0 {
                store.setSchedule { _ in nil }
                try await database.restart()
            }
        }
        store.setSchedule { _ in nil }
        try await database.archiver.archiveCommits()
        await database.archiver.copy()
        #expect(try await database.restored(at: nil) == database.state)
        #expect(try await database.findings() == [])
        await database.close()
    }

    @Test("a database that was used without its archive for too long gets a new copy, and no wrong moments")
    func cutLog() async throws {
        var generator = SeededGenerator(seed: 8)
        let database = try ArchivedDatabase(MemoryArchive())
        try await database.commitRandomly(&generator)
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        let before = try #require(database.moments.last)
        // Longer than the log is kept for anyone.
        for _ in 0..<6 {
            database.clock.advance(microseconds: 86_400_000_000)
            try await database.commitRandomly(&generator)
        }
        let lost = try #require(database.moments.dropLast(3).last)
        await #expect(throws: FirestoreError.self) { try await database.archiver.archiveCommits() }
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        #expect(try await database.restored(at: nil) == database.state)
        #expect(try await database.restored(at: before.time) == before.state)
        await #expect(throws: FirestoreError.self) { _ = try await database.restored(at: lost.time) }
        await database.close()
    }

    @Test("a process that closes and opens a database keeps its lease; another one takes the next")
    func reopened() async throws {
        let store = MemoryArchive()
        let database = try ArchivedDatabase(store)
        for _ in 0..<3 {
            try await database.archiver.archiveCommits()
            await database.archiver.copyFinished()
            try await database.commit([.set("c/1", ("n", .integer(database.clock.now())))])
            try await database.archiver.archiveCommits()
            database.clock.advance(microseconds: 1)
            try await database.restart(asOtherProcess: false)
        }
        #expect(store.names.filter { $0.contains("/leases/") }.count == 1)
        try await database.restart()
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        #expect(store.names.filter { $0.contains("/leases/") }.count == 2)
        #expect(try await database.restored(at: nil) == database.state)
        #expect(try await database.findings() == [])
        await database.close()
    }
}
