// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreCore
import FirestoreEnforcement
import FirestoreEngine
import FirestoreServer
import Foundation
import Logging
import TestSupport
import Testing

@testable import FirestoreArchive

/// An archive that loses what was stored in it while its server runs.
@Suite(.timeLimit(.minutes(2))) struct LostArchiveTests {
    private static let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    private static func archived(_ store: any ArchiveStore) async throws -> ArchivedDatabase {
        var generator = SeededGenerator(seed: 31)
        let database = try ArchivedDatabase(store)
        for number in 0..<6 {
            try await database.commitRandomly(&generator)
            try await database.archiver.archiveCommits()
            await database.archiver.copyFinished()
            if number == 3 { await database.archiver.copy() }
        }
        await database.archiver.look()
        return database
    }

    @Test("an archive that was emptied is seen at the next look, and has a copy again immediately", arguments: [false, true])
    func emptied(isPartly: Bool) async throws {
        let store = MemoryArchive()
        let database = try await Self.archived(store)
        let archiver = database.archiver
        let seen = database.clock.now()
        #expect(await archiver.status.lastSeen == seen)
        database.clock.advance(microseconds: 60_000_000)
        for name in store.names where !isPartly || !name.contains("/journal/") { store[name] = nil }
        await archiver.look()
        var status = await archiver.status
        #expect(status.isLost && status.failures == 1 && status.lag(now: database.clock.now()) == 60)
        try await archiver.archiveCommits()
        await archiver.copyFinished()
        status = await archiver.status
        #expect(!status.isLost && status.lag(now: database.clock.now()) == 0)
        #expect(try await database.restored(at: nil) == database.state)
        #expect(try await database.findings() == [])
        // It continues from there.
        try await database.commit([.set("c/new", ("n", .integer(1)))])
        try await archiver.archiveCommits()
        await archiver.look()
        #expect(await archiver.status.failures == 1)
        #expect(try await database.restored(at: nil) == database.state)
        try await database.restart()
        try await database.archiver.archiveCommits()
        await database.close()
        #expect(try await database.restored(at: nil) == database.state)
        #expect(try await database.findings() == [])
    }

    @Test("a last piece, a last copy and a lease that are gone are made up for", arguments: ["/journal/", "/done", "/leases/"])
    func oneObject(kind: String) async throws {
        let store = MemoryArchive()
        let database = try await Self.archived(store)
        let name = try #require(store.names.last { $0.contains(kind) })
        store[name] = nil
        await database.archiver.look()
        try await database.archiver.archiveCommits()
        await database.archiver.copyFinished()
        #expect(await !database.archiver.status.isLost)
        #expect(try await database.restored(at: nil) == database.state)
        await database.close()
        #expect(try await database.findings() == [])
    }

    @Test("pieces that are gathered and copies that are too old are not lost")
    func tidied() async throws {
        let store = MemoryArchive()
        let database = try await Self.archived(store)
        database.clock.advance(microseconds: 3 * 3_600_000_000)
        for _ in 0..<2 {
            _ = try await ArchiveTidying(
                store: store, layout: ArchiveLayout(ArchivedDatabase.id), policy: ArchivePolicy(),
                traffic: ArchiveTraffic(objectsPerSecond: 1_000_000), now: database.clock.now()
            ).run(try #require(database.engine.history?.number))
        }
        let names = store.names
        await database.archiver.look()
        #expect(await database.archiver.status.failures == 0)
        #expect(await database.archiver.status.lastSeen == database.clock.now())
        #expect(store.names == names)
        await database.close()
    }

    @Test("an archive that cannot be reached by an idle database is behind until it can")
    func unreachable() async throws {
        let store = FaultyArchive(MemoryArchive())
        let database = try await Self.archived(store)
        store.setSchedule { _ in .unavailable }
        database.clock.advance(microseconds: 120_000_000)
        await database.archiver.look()
        var status = await database.archiver.status
        #expect(status.failures == 1 && status.problem != nil && status.lag(now: database.clock.now()) == 120 && !status.isLost)
        store.setSchedule { _ in nil }
        await database.archiver.look()
        status = await database.archiver.status
        #expect(status.problem == nil && status.lag(now: database.clock.now()) == 0)
        await database.close()
    }

    @Test("a missing piece in the middle is seen when the archive is tidied, and a copy begins behind it")
    func middle() async throws {
        let store = MemoryArchive()
        let database = try await Self.archived(store)
        let pieces = store.names.filter { $0.contains("/journal/") }
        store[pieces[pieces.count - 2]] = nil
        await #expect(throws: FirestoreError.self) { _ = try await database.restored(at: nil) }
        database.clock.advance(microseconds: 3_700_000_000)
        for _ in 0..<2 {
            try await database.archiver.archiveCommits()
            await database.archiver.copyFinished()
        }
        #expect(await !database.archiver.status.isLost)
        #expect(try await database.restored(at: nil) == database.state)
        await database.close()
    }

    @Test("the archives of closed databases are looked at, too, and a server that needs its archive is not ready meanwhile")
    func closed() async throws {
        let folder = try ScratchFolder()
        let store = FaultyArchive(MemoryArchive())
        var policy = ArchivePolicy()
        policy.interval = .milliseconds(5)
        let archive = ArchiveCompanion(store, policy: policy, log: Self.log)
        _ = try await ArchiveKeyCheck(store).checkOrLeave()
        let registry = DatabaseRegistry(
            DatabaseOpening(storage: .directory(folder.path), durability: .relaxed), companions: [archive], log: Self.log)
        registry.started()
        let databases = (0..<3).map { DatabaseID(projectID: "test", databaseID: "database-\($0)") }
        for database in databases {
            let service = try await registry.open(database)
            _ = try await service.commit([.set("c/1", ("n", .integer(1)))], context: RequestContext(caller: .administrator))
        }
        await eventually("all are archived") {
            await archive.statuses().count { $0.status.lastBase != nil && $0.status.waitingSince == nil && $0.status.isCurrent } == 3
        }
        await eventually("they are closed") {
            registry.passRound()
            return registry.openCount == 0
        }
        await archive.look(registry)
        #expect(registry.openCount == 0, "nothing is missing")
        for object in try await store.list("", after: nil, limit: .max) { try await store.delete(object.name) }
        await archive.look(registry)
        for database in databases {
            let restored = try ScratchFolder()
            var restore = ArchiveRestore(from: store, of: database, to: restored.file("db.sqlite"))
            restore.keepsTimes = true
            await eventually("it is archived again") {
                await archive.report(on: database).windows.count == 1
            }
            #expect(try await restore.run().restored.documents == 1)
        }
        #expect(archive.isWhole)
        archive.setLost([databases[0]])
        #expect(!archive.isWhole)
        await registry.close()
    }
}
