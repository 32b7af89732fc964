// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreCore
import FirestoreEnforcement
import FirestoreEngine
import FirestoreServer
import Logging
import TestSupport
import Testing

@testable import FirestoreArchive

/// What an operator sees of an archive.
@Suite(.timeLimit(.minutes(2))) struct ArchiveReportTests {
    private static let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    @Test("a report of a database says how far its archive is, and which moments it restores")
    func open() async throws {
        let folder = try ScratchFolder()
        let archive = ArchiveCompanion(MemoryArchive(), policy: ArchivePolicy(), log: Self.log)
        let opening = DatabaseOpening(storage: .directory(folder.path), durability: .relaxed)
        let registry = DatabaseRegistry(opening, companions: [archive], log: Self.log)
        registry.started()
        let service = try await registry.open(ArchivedDatabase.id)
        _ = try await service.commit([.set("c/1", ("n", .integer(1)))], context: RequestContext(caller: .administrator))
        await eventually("it is archived") { await archive.report(on: ArchivedDatabase.id).windows.count == 1 }
        let report = await archive.report(on: ArchivedDatabase.id)
        #expect(report.problem == nil && report.lastVerified == nil)
        #expect(report.status?.lastBase == report.windows.first?.start)
        let json = report.json(now: SystemClock().now())
        #expect(json["lag"] != nil && json["lastBase"] != nil && json["damage"] == nil && json["problem"] == nil)
        #expect(await archive.report(on: DatabaseID(projectID: "none")).json(now: 0).text() == #"{"windows":[]}"#)
        await registry.close()
        let closed = await archive.report(on: ArchivedDatabase.id)
        #expect(closed.status == nil && closed.windows.count == 1)
    }

    @Test("a place that cannot be read is the problem of a report")
    func unreadable() async throws {
        let store = FaultyArchive(MemoryArchive()) { _ in .fail(FirestoreError(.unavailable, "the place is away")) }
        let archive = ArchiveCompanion(store, policy: ArchivePolicy(), log: Self.log)
        let report = await archive.report(on: ArchivedDatabase.id)
        #expect(report.windows.isEmpty && report.problem?.contains("the place is away") == true)
    }

    // OP-36
    @Test("the weekly check says that an archive is sound, and what is damaged")
    func verification() async throws {
        let store = MemoryArchive()
        let database = try ArchivedDatabase(store)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<3 {
            try await database.commitRandomly(&generator)
            try await database.archiver.archiveCommits()
        }
        await database.archiver.copy()
        let check = ScheduledVerification(store: store, folder: database.folder.path, clock: database.clock, log: Self.log)
        await database.archiver.verified(try #require(await check.run(ArchivedDatabase.id, database.engine)))
        #expect(await database.archiver.status.lastVerified == DocumentVersion(microseconds: database.clock.now()))
        #expect(try await database.engine.lastVerified != nil)
        #expect(await check.run(ArchivedDatabase.id, database.engine) == nil)
        database.clock.advance(microseconds: 8 * 86_400_000_000)
        let name = try #require(store.names.first { $0.contains("/part-") })
        store[name] = [0]
        await database.archiver.verified(try #require(await check.run(ArchivedDatabase.id, database.engine)))
        #expect(await !database.archiver.status.damage.isEmpty)
        await database.close()
    }
}
