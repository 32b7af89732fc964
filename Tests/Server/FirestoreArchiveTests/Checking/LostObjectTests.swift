// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreCore
import FirestoreEngine
import TestSupport
import Testing

@testable import FirestoreArchive

/// Archives in which one object is missing, cut off, empty, or another one's.
@Suite(.timeLimit(.minutes(5))) struct LostObjectTests {
    private static let hour: Int64 = 3_600_000_000

    /// Two histories with several leases and copies, a backup, pieces of the journal, and gathered ones, those as well that they replace.
    private static func archive(_ store: MemoryArchive, seed: UInt64) async throws -> ArchivedDatabase {
        var generator = SeededGenerator(seed: seed)
        let first = try ArchivedDatabase(store)
        for round in 0..<3 {
            for _ in 0..<3 {
                try await first.commitRandomly(&generator)
                try await first.archiver.archiveCommits()
            }
            await first.archiver.copy()
            if round == 0 { first.clock.advance(microseconds: hour) }
            if round == 1 { try await first.restart() }
        }
        await first.close()
        let folder = try ScratchFolder()
        var restore = ArchiveRestore(from: store, of: ArchivedDatabase.id, to: folder.file("db.sqlite"))
        (restore.keepsTimes, restore.clock) = (true, first.clock)
        _ = try await restore.run()
        let database = try ArchivedDatabase(store, clock: first.clock, in: folder)
        try await database.adopt()
        for round in 0..<4 {
            for _ in 0..<3 {
                try await database.commitRandomly(&generator)
                try await database.archiver.archiveCommits()
            }
            await database.archiver.copyFinished()
            if round == 1 {
                let now = database.clock.now()
                _ = try await database.archiver.keep(
                    KeptBase(id: "backup", history: "", base: "", until: now + 24 * hour, created: now))
                database.clock.advance(microseconds: 3 * hour)
            }
            if round == 2 { try await database.restart() }
        }
        let tidying = ArchiveTidying(
            store: store, layout: ArchiveLayout(ArchivedDatabase.id), policy: ArchivePolicy(),
            traffic: ArchiveTraffic(objectsPerSecond: 1_000_000), now: database.clock.now())
        try await tidying.run(try #require(database.engine.history?.number))
        await database.close()
        return database
    }

    @Test(
        "whatever happens to one object, a check finds it, or everything is restored all the same",
        arguments: 0..<TestScale.pick(quick: 1 as UInt64, full: 30))
    func anyObject(seed: UInt64) async throws {
        let store = MemoryArchive()
        let database = try await Self.archive(store, seed: seed &+ 40)
        #expect(try await database.findings() == [])
        #expect(try await database.restored(at: nil) == database.state)
        let names = store.names
        for folder in ["as-of", "bases", "journal", "leases", "kept"] { #expect(names.contains { $0.contains("/\(folder)/") }) }
        var generator = SeededGenerator(seed: seed)
        for name in names {
            let bytes = try #require(store[name])
            let other = try #require(names.filter { $0 != name && store[$0] != bytes }.randomElement(using: &generator))
            for (what, change) in Self.changes(store, name, bytes, other: other) {
                change()
                if try await database.findings().isEmpty {
                    let restored = try? await database.restored(at: nil)
                    #expect(restored == database.state, "\(name) \(what)")
                }
                if what == "exchanged" { store[other] = store[name] }
                store[name] = bytes
            }
        }
        #expect(try await database.findings() == [])
    }

    private static func changes(
        _ store: MemoryArchive, _ name: String, _ bytes: [UInt8], other: String
    ) -> [(String, () -> Void)] {
        [
            ("removed", { store[name] = nil }), ("emptied", { store[name] = [] }),
            ("cut off", { store[name] = Array(bytes.prefix(bytes.count / 2)) }), ("cut off at its end", { store[name] = bytes.dropLast() }),
            ("replaced by \(other)", { store[name] = store[other] }),
            ("exchanged", { (store[name], store[other]) = (store[other], bytes) }),
        ]
    }

    @Test("whatever happens to one object of accounts, a check finds it, or the newest copy is restored all the same")
    func anyObjectOfFiles() async throws {
        let store = MemoryArchive()
        let clock = ManualClock(microseconds: 1_700_000_000_000_000)
        let files = try ArchivedFiles(store, clock: clock)
        for round in 0..<4 {
            try files.write("accounts.sqlite", (0..<200).map { "\(($0 + round) * 7_919 % 1_000)" }.joined())
            try files.write("signing-key.pem", "key \(round)")
            await files.step()
        }
        let end = try await ArchivedFiles.restored(store)
        #expect(try await files.findings() == [] && end.count == 2)
        let names = store.names
        var generator = SeededGenerator(seed: 2)
        for name in names {
            let bytes = try #require(store[name])
            let other = try #require(names.filter { $0 != name && store[$0] != bytes }.randomElement(using: &generator))
            for (what, change) in Self.changes(store, name, bytes, other: other) {
                change()
                if try await files.findings().isEmpty {
                    let restored = try? await ArchivedFiles.restored(store)
                    #expect(restored == end, "\(name) \(what)")
                }
                if what == "exchanged" { store[other] = store[name] }
                store[name] = bytes
            }
        }
        // The newest copy alone is missed, too, and an earlier one is restored only on request.
        let done = try #require(names.last { $0.hasSuffix("/done") })
        store[done] = nil
        await #expect(throws: FirestoreError.self) { _ = try await ArchivedFiles.restored(store) }
        let folder = try ScratchFolder()
        var restore = FileSetRestore(from: store, of: ArchivedFiles.set, into: folder.path)
        restore.isUpToGap = true
        guard case .restored = try await restore.run() else { return #expect(Bool(false)) }
        let follower = FileSetFollower(ArchivedFiles.set, in: store, directory: try ScratchFolder().path)
        await #expect(throws: FirestoreError.self) { _ = try await follower.step() }
    }

    @Test("a missing piece of the journal is named, a restore refuses or stops before it, and a standby says that it stays there")
    func gap() async throws {
        var generator = SeededGenerator(seed: 12)
        let store = MemoryArchive()
        let database = try ArchivedDatabase(store)
        for number in 0..<8 {
            try await database.commitRandomly(&generator)
            try await database.archiver.archiveCommits()
            if number == 1 { await database.archiver.copy() }
        }
        await database.archiver.copyFinished()
        let journal = store.names.filter { $0.contains("/journal/") }
        let lost = try #require(SegmentName(journal[5].split(separator: "/").last!))
        store[journal[5]] = nil
        let between = "the commits between \(lost.after.timestamp.text) and \(lost.through.timestamp.text) are missing"
        #expect(try await database.findings().contains { $0.contains(between) })
        let refusal = await #expect(throws: FirestoreError.self) { _ = try await database.restored(at: nil) }
        #expect(refusal?.message.contains(between) == true && refusal?.archiveGap?.after == lost.after)
        let end = try #require(database.moments.last)
        await #expect(throws: FirestoreError.self) { _ = try await database.restored(at: end.time) }
        for time in [nil, end.time] {
            #expect(try await database.restored(at: time) { $0.isUpToGap = true } == database.expected(at: lost.after))
        }
        let folder = try ScratchFolder()
        let follower = ArchiveFollower(ArchivedDatabase.id, in: store, to: folder.file("standby.sqlite"), clock: database.clock)
        for _ in 0..<2 {
            let warning = await #expect(throws: FirestoreError.self) { _ = try await follower.step() }
            #expect(warning?.archiveGap?.after == lost.after)
        }
        // A new copy begins behind the gap.
        await database.archiver.copy()
        #expect(try await follower.step() == end.time)
        #expect(try await database.restored(at: nil) == database.state)
        await follower.close()
        await database.close()
    }

    @Test("a damaged piece of the journal stops a restore, or ends it with what is before it")
    func damagedPiece() async throws {
        var generator = SeededGenerator(seed: 13)
        let store = MemoryArchive()
        let database = try ArchivedDatabase(store)
        for _ in 0..<6 {
            try await database.commitRandomly(&generator)
            try await database.archiver.archiveCommits()
            await database.archiver.copyFinished()
        }
        let journal = store.names.filter { $0.contains("/journal/") }
        let damaged = try #require(SegmentName(journal[4].split(separator: "/").last!))
        store[journal[4]]?.removeLast()
        await #expect(throws: FirestoreError.self) { _ = try await database.restored(at: nil) }
        #expect(try await database.restored(at: nil) { $0.isUpToGap = true } == database.expected(at: damaged.after))
        await database.close()
    }

    @Test("how far an archive reaches is noted once a minute and at its end, and then the last piece of the journal is missed")
    func reach() async throws {
        let store = MemoryArchive()
        let database = try ArchivedDatabase(store)
        func reaches() -> [String] { store.names.filter { $0.contains("/as-of/") } }
        func commit() async throws {
            database.clock.advance(microseconds: 1_000_000)
            try await database.commit([.set("c/1", ("n", .integer(database.clock.now())))])
            try await database.archiver.archiveCommits()
        }
        try await commit()
        #expect(reaches().isEmpty, "no complete copy leads there yet")
        await database.archiver.copyFinished()
        await database.archiver.noteReach()
        let first = reaches()
        #expect(first.count == 1)
        try await commit()
        #expect(reaches() == first)
        let last = try #require(store.names.last { $0.contains("/journal/") })
        let bytes = store[last]
        store[last] = nil
        #expect(try await database.findings() == [], "not noted yet")
        store[last] = bytes
        // Nothing is committed any more.
        database.clock.advance(microseconds: 60_000_000)
        await database.archiver.noteReach()
        #expect(reaches().count == 1 && reaches() != first)
        store[last] = nil
        #expect(try await database.findings().contains { $0.contains("are missing: the archive had those until") })
        await #expect(throws: FirestoreError.self) { _ = try await database.restored(at: nil) }
        store[last] = bytes
        try await commit()
        await database.close()
        #expect(try await database.findings() == [])
        let end = try #require(store.names.last { $0.contains("/journal/") })
        store[end] = nil
        #expect(try await database.findings() != [])
        // An archive of an earlier version does not say how far it reaches.
        store[end] = nil
        for name in reaches() { store[name] = nil }
        #expect(try await database.findings() == [])
        #expect(try await database.restored(at: nil).count == 1)
    }

    @Test("what a server archived that has left no complete copy is missed")
    func withoutCopy() async throws {
        var generator = SeededGenerator(seed: 14)
        let store = MemoryArchive()
        let first = try ArchivedDatabase(store)
        try await first.commitRandomly(&generator)
        try await first.archiver.archiveCommits()
        #expect(try await first.findings() != [], "no copy is complete")
        await first.archiver.copyFinished()
        await first.close()
        #expect(try await first.findings() == [])
        let folder = try ScratchFolder()
        var restore = ArchiveRestore(from: store, of: ArchivedDatabase.id, to: folder.file("db.sqlite"))
        (restore.keepsTimes, restore.clock) = (true, first.clock)
        _ = try await restore.run()
        let second = try ArchivedDatabase(store, clock: first.clock, in: folder)
        try await second.adopt()
        try await second.commitRandomly(&generator)
        try await second.archiver.archiveCommits()
        await second.archiver.copyFinished()
        let done = try #require(store.names.last { $0.hasSuffix("/done") && store[$0] != nil && $0.contains(second.historyFolder) })
        store[done] = nil
        #expect(try await second.findings().contains { $0.contains("has left no complete copy") })
        let refusal = await #expect(throws: FirestoreError.self) { _ = try await second.restored(at: nil) }
        #expect(refusal?.archiveGap?.isWithoutCopy == true)
        #expect(try await second.restored(at: nil) { $0.isUpToGap = true } == first.state)
        await second.close()
    }
}
