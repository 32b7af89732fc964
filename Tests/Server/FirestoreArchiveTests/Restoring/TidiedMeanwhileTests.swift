// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreCore
import FirestoreEngine
import TestSupport
import Testing

@testable import FirestoreArchive

/// Readers of an archive whose server removes and gathers objects before any of their calls.
struct TidiedMeanwhileTests {
    private static let hour: Int64 = 3_600_000_000

    /// An archive with two copies and a piece of the journal for each of a dozen commits, which are to be gathered; the first copy is
    /// superfluous.
    private struct Archived {
        let store: MemoryArchive
        let database: ArchivedDatabase
        let history: UInt64

        init() async throws {
            var generator = SeededGenerator(seed: 11)
            store = MemoryArchive()
            database = try ArchivedDatabase(store)
            for round in 0..<4 {
                if round == 1 { database.clock.advance(microseconds: hour) }
                for _ in 0..<4 {
                    try await database.commitRandomly(&generator)
                    try await database.archiver.archiveCommits()
                }
                if round < 2 { await database.archiver.copy() }
            }
            await database.archiver.copyFinished()
            history = try #require(database.engine.history?.number)
            database.clock.advance(microseconds: 3 * hour)
        }

        var layout: ArchiveLayout { ArchiveLayout(ArchivedDatabase.id) }
        var now: Int64 { database.clock.now() }

        /// A copy of the archive, whose server tidies it before call `number`.
        func disturbed(before number: Int) -> FaultyArchive {
            let copy = MemoryArchive()
            for name in store.names { copy[name] = store[name] }
            let (layout, history, now) = (layout, history, now)
            return FaultyArchive(copy) { call in
                guard call.number == number else { return nil }
                return .delay {
                    var policy = ArchivePolicy()
                    policy.keep = .seconds(4 * 3_600 - 60)
                    let tidying = ArchiveTidying(
                        store: copy, layout: layout, policy: policy, traffic: ArchiveTraffic(objectsPerSecond: 1_000_000), now: now)
                    // What is gathered stays until the next round.
                    for _ in 0..<2 {
                        do { try await tidying.run(history) } catch { Issue.record("\(error)") }
                    }
                }
            }
        }

        /// Calls `body` with the archive, tidied before the first of its calls, then before the second, and so on.
        func beforeEachCall(_ body: (any ArchiveStore, String) async throws -> Void) async throws {
            var (number, calls, tidied) = (1, Int.max, 0)
            while number <= calls {
                let archive = disturbed(before: number)
                try await body(archive, "tidied before call \(number)")
                calls = min(calls, archive.calls.count)
                if try await archive.list(layout.root, after: nil, limit: .max).count < store.names.count { tidied += 1 }
                number += 1
            }
            #expect(tidied == number - 1 && tidied > 5)
        }
    }

    @Test func `a restore has every commit`() async throws {
        let archived = try await Archived()
        let database = archived.database
        let moment = try #require(database.moments.dropLast(3).last)
        for time in [nil, moment.time] {
            try await archived.beforeEachCall { archive, when in
                let folder = try ScratchFolder()
                var restore = ArchiveRestore(from: archive, of: ArchivedDatabase.id, to: folder.file("restored.sqlite"))
                (restore.moment, restore.keepsTimes, restore.clock) = (time, true, database.clock)
                let outcome = try await restore.run()
                #expect(!outcome.endsEarly || time == nil, "\(when)")
                let content = try await ArchivedDatabase.content(of: folder.file("restored.sqlite"))
                #expect(content == (time == nil ? database.state : moment.state), "\(when)")
            }
        }
        await database.close()
    }

    @Test func `a check finds nothing wrong`() async throws {
        let archived = try await Archived()
        let folder = try ScratchFolder()
        try await archived.beforeEachCall { archive, when in
            let report = try await ArchiveVerification(ArchivedDatabase.id, in: archive, folder: folder.path).run()
            #expect(report.findings == [], "\(when)")
            #expect(report.last == archived.database.moments.last?.time, "\(when)")
            #expect(report.commits >= 12, "\(when)")
        }
        await archived.database.close()
    }

    @Test func `a standby has every commit`() async throws {
        let archived = try await Archived()
        let database = archived.database
        try await archived.beforeEachCall { archive, when in
            let folder = try ScratchFolder()
            let file = folder.file("standby.sqlite")
            let follower = ArchiveFollower(ArchivedDatabase.id, in: archive, to: file, clock: database.clock)
            #expect(try await follower.step() == database.moments.last?.time, "\(when)")
            _ = try await follower.takeOver { $0.keepsTimes = true }
            #expect(try await ArchivedDatabase.content(of: file) == database.state, "\(when)")
        }
        await database.close()
    }

    /// Two newer copies are made and the newest one from before them is removed, before each call.
    @Test func `copies of files are restored, followed and checked`() async throws {
        func beforeEachCall(_ body: (any ArchiveStore, String) async throws -> Void) async throws {
            var (number, calls, removed) = (1, Int.max, 0)
            while number <= calls {
                let store = MemoryArchive()
                let files = try ArchivedFiles(store, clock: ManualClock(microseconds: 1_700_000_000_000_000 / Self.hour * Self.hour))
                try files.write("accounts.sqlite", String(repeating: "1", count: 250))
                await files.step()
                let before = store.names
                let archive = FaultyArchive(store) { [number] call in
                    guard call.number == number else { return nil }
                    return .delay {
                        for seconds: Int64 in [600, 7_200] {
                            do { try files.write("accounts.sqlite", "\(seconds)") } catch { Issue.record("\(error)") }
                            await files.step(after: seconds)
                        }
                    }
                }
                try await body(archive, "before call \(number)")
                calls = min(calls, archive.calls.count)
                removed += Set(before).isSubset(of: store.names) ? 0 : 1
                number += 1
            }
            #expect(removed == number - 1 && removed > 2)
        }
        try await beforeEachCall { archive, when in
            let restored = try await ArchivedFiles.restored(archive)
            #expect([String(repeating: "1", count: 250), "7200"].contains(restored["accounts.sqlite"]), "\(when)")
        }
        try await beforeEachCall { archive, when in
            let folder = try ScratchFolder()
            let follower = FileSetFollower(ArchivedFiles.set, in: archive, directory: folder.path)
            #expect(try await follower.step() != nil, "\(when)")
        }
        try await beforeEachCall { archive, when in
            let folder = try ScratchFolder()
            #expect(try await FileSetVerification(ArchivedFiles.set, in: archive, folder: folder.path).run().findings == [], "\(when)")
        }
    }

    @Test func `an object that stays missing is lost`() async throws {
        let archived = try await Archived()
        let plan = try await ArchiveRestore(from: archived.store, of: ArchivedDatabase.id, to: "").plan()
        let part = archived.layout.part(1, of: plan.base, plan.history)
        archived.store[part] = nil
        await #expect { _ = try await archived.database.restored(at: nil) } throws: { error in
            "\(error)" == "\(part): the object is missing in the archive"
        }
        #expect(try await archived.database.findings() == ["\(part): the object is missing in the archive"])
        await archived.database.close()
    }

    @Test func `gathered pieces stay until the next round`() async throws {
        let archived = try await Archived()
        let (store, before) = (archived.store, Set(archived.store.names))
        let tidying = ArchiveTidying(
            store: store, layout: archived.layout, policy: ArchivePolicy(), traffic: ArchiveTraffic(objectsPerSecond: 1_000_000),
            now: archived.now)
        try await tidying.run(archived.history)
        let gathered = Set(store.names).subtracting(before)
        #expect(before.isSubset(of: store.names) && gathered.count == 2)
        try await tidying.run(archived.history)
        #expect(Set(store.names.filter { $0.contains("/journal/") }) == gathered)
        #expect(try await archived.database.restored(at: nil) == archived.database.state)
        await archived.database.close()
    }
}
