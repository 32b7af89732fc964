// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreServer
import FirestoreWire
import Logging
import ServerFixtures
import TestSupport
import Testing

@testable import FirestoreArchive

/// A server with an archive in memory, whose admin API is called as an administrator. The clock stands until a test moves it.
final class ArchivedServer: Sendable {
    static let database = "projects/library/databases/(default)"
    /// The 26th of November 2026, a Thursday, 10:00:30 UTC.
    static let start: Int64 = 1_795_687_230_000_000

    let folder: ScratchFolder
    let store: any ArchiveStore
    let clock: ManualClock
    let archive: ArchiveCompanion
    let server: ServerFixture

    init(
        _ store: any ArchiveStore = MemoryArchive(), folders: (any DocumentFolders)? = nil, advice: OperatorAdvice = .none,
        keep: Duration = .seconds(7 * 86_400)
    ) throws {
        folder = try ScratchFolder()
        self.store = store
        clock = ManualClock(microseconds: Self.start)
        var policy = ArchivePolicy()
        policy.interval = .milliseconds(5)
        policy.keep = keep
        policy.objectsPerSecond = 1_000_000
        archive = ArchiveCompanion(
            store, policy: policy, clock: clock, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        var opening = DatabaseOpening(
            storage: .directory(folder.path), durability: .relaxed, createsDatabases: false, projects: ["library"], clock: clock)
        opening.advice = advice
        server = ServerFixture(opening, clock: clock, folders: folders, companions: [archive], backups: archive)
        server.service.databases.started()
    }

    func call(_ method: AdminMethod, _ text: String) async throws -> JSON {
        try await server.admin.answer(method, try method.request.checked(try JSON(text.utf8)), .embedded)
    }

    func code(_ method: AdminMethod, _ text: String) async -> FirestoreError.Code {
        await ServerFixtures.code { _ = try await call(method, text) }
    }

    /// An operation when it is over.
    func ended(_ method: AdminMethod, _ text: String) async throws -> JSON {
        let operation = try await call(method, text)
        let done = try await call(.waitOperation, #"{"name":"\#(operation.text("name"))"}"#)
        #expect(done.flag("done"))
        return done
    }

    func commit(_ writes: Write..., into database: DatabaseID = ServerFixture.database) async throws {
        _ = try await server.service.databases.open(database).commit(writes, context: .embedded)
    }

    func documents(_ collection: String, of id: String) async throws -> [Document] {
        let service = try await server.service.databases.openExisting(DatabaseID(projectID: "library", databaseID: id))
        return try await service.run(.all(collection), context: .embedded).documents
    }

    /// A schedule, by its members.
    func schedule(_ members: String) async throws -> JSON {
        try await call(.createBackupSchedule, #"{"parent":"\#(Self.database)","backupSchedule":{\#(members)}}"#)
    }

    /// Makes the backups that are due, and lists all.
    func backups(_ place: String = "-") async throws -> [JSON] {
        // While others are made, the call would return without making those that have become due.
        await eventually("no backup is being made") { await !archive.scheduled.isMaking }
        await archive.makeDueBackups(server.service.databases)
        return try await call(.listBackups, #"{"parent":"projects/library/locations/\#(place)"}"#).elements("backups")
    }

    /// The first backup, when it is ready: the schedule's creation has begun it.
    func firstBackup() async throws -> JSON {
        var first: JSON?
        try await eventually("a backup is ready") {
            first = try await backups().first { $0.text("state") == "READY" }
            return first != nil
        }
        return try #require(first)
    }

    /// Returns when the archive has a copy of the database. The first one is made soon after the database was opened.
    func waitForCopy(of database: DatabaseID = ServerFixture.database) async throws {
        await eventually("the archive has a copy") {
            await archive.statuses().contains { $0.database == database && $0.status.lastBase != nil }
        }
    }

    /// Returns when the archive of the default database has every commit.
    func waitUntilArchived() async throws {
        let archiver = try #require(archive.archiver(of: ServerFixture.database))
        try await archiver.reach(DocumentVersion(microseconds: clock.now() + 1_000_000))
    }

    func stop() async {
        await server.admin.stop()
        await server.service.databases.close()
    }
}
