// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreCore
import FirestoreEnforcement
import FirestoreEngine
import Foundation
import Logging
import TestSupport
import Testing

@testable import FirestoreArchive
@testable import FirestoreServer

/// A data directory that lacks what the archive has: its disk is not mounted, or it is one of another server.
@Suite(.timeLimit(.minutes(2))) struct UnknownDatabaseTests {
    private static let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    private static func archived(_ store: any ArchiveStore) async throws -> ArchivedDatabase {
        var generator = SeededGenerator(seed: 21)
        let database = try ArchivedDatabase(store)
        for _ in 0..<3 {
            try await database.commitRandomly(&generator)
            try await database.archiver.archiveCommits()
            await database.archiver.copyFinished()
        }
        await database.close()
        return database
    }

    @Test("a database that did not come out of the archive does not take it over, unless it is to begin anew")
    func stranger() async throws {
        let store = MemoryArchive()
        let database = try await Self.archived(store)
        let names = store.names
        let stranger = try ArchivedDatabase(store, clock: database.clock)
        try await stranger.commit([.set("c/1", ("n", .integer(1)))])
        let refusal = await #expect(throws: FirestoreError.self) { try await stranger.archiver.archiveCommits() }
        #expect(refusal?.code == .failedPrecondition && refusal?.message.contains("begin anew") == true)
        #expect(await stranger.archiver.status.end == .unknownDatabase)
        #expect(store.names == names)
        // The real one, when it is back.
        try await database.restart()
        try await database.commit([.set("c/2", ("n", .integer(2)))])
        try await database.archiver.archiveCommits()
        #expect(try await database.restored(at: nil) == database.state)
        await database.close()
        await stranger.close()
        database.clock.advance(microseconds: 1_000_000)
        var policy = ArchivePolicy()
        policy.beginsAnew = true
        let new = try ArchivedDatabase(store, clock: database.clock, policy: policy)
        try await new.commit([.set("c/3", ("n", .integer(3)))])
        try await new.archiver.archiveCommits()
        await new.archiver.copyFinished()
        #expect(try await new.restored(at: nil) == new.state)
        #expect(try await new.restored(at: database.moments.last?.time) == database.state)
        await new.close()
    }

    @Test("one whose first lease could not be stored takes it the next time, without the flag")
    func unstoredLease() async throws {
        let store = FaultyArchive(MemoryArchive())
        let database = try await Self.archived(store)
        var policy = ArchivePolicy()
        policy.beginsAnew = true
        let first = try ArchivedDatabase(store, clock: database.clock, policy: policy)
        try await first.commit([.set("c/1", ("n", .integer(1)))])
        let away = FirestoreError(.unavailable, "the archive is away")
        store.setSchedule { $0.kind == .put && $0.name.contains("lease") ? .fail(away) : nil }
        await expectError(.unavailable) { try await first.archiver.archiveCommits() }
        await first.close()
        store.setSchedule { _ in nil }
        let again = try ArchivedDatabase(store, clock: database.clock, in: first.folder)
        try await again.adopt()
        try await again.archiver.archiveCommits()
        await again.archiver.copyFinished()
        #expect(try await again.restored(at: nil) == again.state)
        await again.close()
    }

    @Test("one that comes back to an archive which was emptied, and which another one has taken since, does not take it from that one")
    func returned() async throws {
        let store = MemoryArchive()
        let database = try await Self.archived(store)
        for _ in 0..<3 {
            try await database.restart()
            try await database.commit([.set("c/1", ("n", .integer(1)))])
            try await database.archiver.archiveCommits()
        }
        await database.close()
        for name in store.names { try await store.delete(name) }
        let other = try ArchivedDatabase(store, clock: database.clock)
        try await other.commit([.set("c/2", ("n", .integer(2)))])
        try await other.archiver.archiveCommits()
        await other.archiver.copyFinished()
        try await database.restart()
        try await database.commit([.set("c/3", ("n", .integer(3)))])
        await expectError(.failedPrecondition) { try await database.archiver.archiveCommits() }
        #expect(try await other.restored(at: nil) == other.state)
        await other.close()
        await database.close()
    }

    @Test("a database that was deleted begins anew")
    func deleted() async throws {
        let store = MemoryArchive()
        let database = try await Self.archived(store)
        let layout = ArchiveLayout(ArchivedDatabase.id)
        let last = try #require(try await ArchiveCatalog.load(layout, from: store).leases.last)
        try await ArchivedDeletion.note(of: layout, holder: last.holder, in: store, now: database.clock.now())
        let new = try ArchivedDatabase(store, clock: database.clock)
        try await new.commit([.set("c/3", ("n", .integer(3)))])
        try await new.archiver.archiveCommits()
        await new.archiver.copyFinished()
        #expect(try await new.restored(at: nil) == new.state)
        await new.close()
    }

    /// A server on a directory. Its databases are created when they are used.
    private struct Server {
        let folder: ScratchFolder
        let archive: ArchiveCompanion
        let registry: DatabaseRegistry

        init(_ store: any ArchiveStore, in folder: ScratchFolder, _ change: (inout ArchivePolicy) -> Void = { _ in }) {
            self.folder = folder
            var policy = ArchivePolicy()
            policy.interval = .milliseconds(5)
            change(&policy)
            let archive = ArchiveCompanion(store, policy: policy, log: log)
            var opening = DatabaseOpening(storage: .directory(folder.path), durability: .relaxed)
            opening.creationCheck = { (database) throws(FirestoreError) in try archive.admitCreation(of: database) }
            registry = DatabaseRegistry(opening, companions: [archive], log: log)
            registry.started()
            self.archive = archive
        }

        func write(_ database: DatabaseID) async throws {
            let service = try await registry.open(database)
            _ = try await service.commit([.set("c/1", ("n", .integer(1)))], context: RequestContext(caller: .administrator))
            await eventually("it is archived") {
                await archive.statuses().contains { $0.database == database && $0.status.lastBase != nil && $0.status.waitingSince == nil }
            }
        }
    }

    @Test("a database is not created by use while the archive has it; others are, and so it is when it was deleted")
    func creation() async throws {
        let store = MemoryArchive()
        let (one, two) = (DatabaseID(projectID: "test", databaseID: "first"), DatabaseID(projectID: "test", databaseID: "second"))
        let first = Server(store, in: try ScratchFolder())
        try await first.write(one)
        try await first.write(two)
        try await first.registry.end(two) { (opening) throws(FirestoreError) in
            unlink(opening.path(of: two) ?? "")
        }
        try await first.write(two)
        await first.registry.close()
        // A folder where the disk should be.
        let empty = Server(store, in: try ScratchFolder())
        for database in [one, two] {
            let refusal = await #expect(throws: FirestoreError.self) { try await empty.write(database) }
            #expect(refusal?.code == .failedPrecondition)
        }
        #expect(empty.folder.names.isEmpty)
        try await empty.write(DatabaseID(projectID: "test", databaseID: "third"))
        await empty.registry.close()
        let anew = Server(store, in: try ScratchFolder()) { $0.beginsAnew = true }
        try await anew.write(one)
        await anew.registry.close()
        // What is there is opened.
        let again = Server(store, in: anew.folder)
        try await again.write(one)
        await again.registry.close()
    }

    @Test("if the archive cannot be asked, a database is created unless the archive is required")
    func unreachable() async throws {
        for isRequired in [false, true] {
            let store = FaultyArchive(MemoryArchive()) { _ in .unavailable }
            let server = Server(store, in: try ScratchFolder()) { $0.isRequired = isRequired }
            let code = await code { _ = try await server.registry.open(ArchivedDatabase.id) }
            #expect(code == (isRequired ? .unavailable : nil))
            store.setSchedule { _ in nil }
            await server.registry.close()
        }
    }

    private func code(_ body: () async throws -> Void) async -> FirestoreError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? FirestoreError)?.code
        }
    }

    @Test("a server does not begin on a directory without anything of what the archive has")
    func start() async throws {
        let store = MemoryArchive()
        let folder = try ScratchFolder()
        let check = ArchivedDirectory(folder.path, in: store)
        try await check.check(accountsOf: "test")
        let database = try await Self.archived(store)
        let refusal = await #expect(throws: FirestoreError.self) { try await check.check(accountsOf: nil) }
        #expect(refusal?.message.contains("the archive memory has the database (default) of project test") == true)
        // A standby that takes over, and then the database itself.
        let file = StandbyDirectory.file(of: ArchivedDatabase.id, in: folder.path)
        try FileManager.default.createDirectory(atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        for path in [file + ".following", file] {
            try Data().write(to: URL(fileURLWithPath: path))
            try await check.check(accountsOf: "test")
            try FileManager.default.removeItem(atPath: path)
        }
        try Data().write(to: URL(fileURLWithPath: file))
        let files = try ArchivedFiles(store, clock: database.clock)
        try files.write("accounts.sqlite", "ann")
        await files.step()
        try await check.check(accountsOf: nil)
        await #expect(throws: FirestoreError.self) { try await check.check(accountsOf: "test") }
        _ = try await FileSetRestore(from: store, of: ArchivedFiles.set, into: folder.path).run()
        try await check.check(accountsOf: "test")
        // Everything was deleted.
        try FileManager.default.removeItem(atPath: file)
        let layout = ArchiveLayout(ArchivedDatabase.id)
        let last = try #require(try await ArchiveCatalog.load(layout, from: store).leases.last)
        try await ArchivedDeletion.note(of: layout, holder: last.holder, in: store, now: database.clock.now())
        try await check.check(accountsOf: "test")
    }
}
