// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreArchive
import FirestoreCore
import FirestoreEnforcement
import FirestoreServer
import FirestoreWire
import ServerFixtures
import TestSupport
import Testing

/// Backups of schedules, and databases out of them (OP-60, OT-20, OT-21).
struct BackupTests {
    private static let day: Int64 = 86_400_000_000
    private static let daily = #""dailyRecurrence":{},"retention":"604800s""#

    private func restore(_ backup: JSON, _ id: String) -> String {
        #"{"parent":"projects/library","databaseId":"\#(id)","backup":"\#(backup.text("name"))"}"#
    }

    @Test func `a schedule makes a backup each day, which says what it has`() async throws {
        let server = try ArchivedServer()
        try await server.commit(.set("books/a", [("n", .integer(1))]), .set("books/b"))
        let schedule = try await server.schedule(Self.daily)
        #expect(schedule.text("name").hasPrefix("\(ArchivedServer.database)/backupSchedules/"))
        let backup = try await server.firstBackup()
        #expect(backup.text("database") == ArchivedServer.database)
        #expect(backup.text("snapshotTime").hasPrefix("2026-11-26T10:00:30"))
        #expect(backup.text("expireTime") == "2026-12-03T10:00:30Z")
        #expect(backup["stats"]?.text("documentCount") == "2")
        let database = try await server.call(.getDatabase, #"{"name":"\#(ArchivedServer.database)"}"#)
        #expect(backup.text("databaseUid") == database.text("uid"))
        #expect(try await server.backups().count == 1)
        server.clock.advance(microseconds: Self.day)
        try await server.commit(.set("books/c"))
        let listed = try await server.backups()
        #expect(listed.map { $0["stats"]?.text("documentCount") } == ["3", "2"])
        #expect(try await server.call(.getBackup, #"{"name":"\#(backup.text("name"))"}"#).text("snapshotTime") == backup.text("snapshotTime"))
        await server.stop()
    }

    @Test func `a backup outlives its database, and becomes a new one without schedules`() async throws {
        let server = try ArchivedServer()
        let reference = Value.reference("\(ArchivedServer.database)/documents/books/b")
        try await server.commit(.set("books/a", [("next", reference)]), .set("books/b"))
        // An event that was not delivered is one of the old database.
        let letter = "hearth/events/dead/hooks/1"
        try await server.server.service.databases.open(ServerFixture.database).facts?.setFact(letter, ByteSlice([1]))
        _ = try await server.schedule(Self.daily)
        let backup = try await server.firstBackup()
        _ = try await server.ended(.deleteDatabase, #"{"name":"\#(ArchivedServer.database)"}"#)
        let done = try await server.ended(.restoreDatabase, restore(backup, "restored"))
        #expect(done["metadata"]?.text("operationState") == "SUCCESSFUL", "\(done.text())")
        let response = try #require(done["response"])
        #expect(response.text("name") == "projects/library/databases/restored")
        #expect(response["sourceInfo"]?["backup"]?.text("backup") == backup.text("name"))
        #expect(response.text("uid") != backup.text("databaseUid"))
        let books = try await server.documents("books", of: "restored")
        #expect(books.map(\.key.id) == ["a", "b"])
        guard case .reference(let next)? = books.first?["next"] else { throw FirestoreError(.dataLoss, "the field is gone") }
        #expect(next == "projects/library/databases/restored/documents/books/b")
        let restored = try await server.server.service.databases.open(DatabaseID(projectID: "library", databaseID: "restored"))
        #expect(try await restored.facts?.fact(letter) == nil)
        let name = "projects/library/databases/restored"
        #expect(try await server.call(.listBackupSchedules, #"{"parent":"\#(name)"}"#).elements("backupSchedules").isEmpty)
        #expect(try await server.call(.listOperations, #"{"name":"\#(name)"}"#).elements("operations").map { $0.text("name") } == [done.text("name")])
        await server.stop()
    }

    @Test func `a backup is restored into an id that is not taken`() async throws {
        let server = try ArchivedServer()
        try await server.commit(.set("books/a"))
        _ = try await server.schedule(Self.daily)
        let backup = try await server.firstBackup()
        #expect(await server.code(.restoreDatabase, restore(backup, "(default)")) == .alreadyExists)
        #expect(await server.code(.restoreDatabase, restore(backup, "No!")) == .invalidArgument)
        let unknown = JSON.object([("name", .string("projects/library/locations/local/backups/none"))])
        #expect(await server.code(.restoreDatabase, restore(unknown, "restored")) == .notFound)
        #expect(await server.code(.getBackup, unknown.text()) == .notFound)
        // The operation of the first one is performed, or over.
        _ = try await server.call(.restoreDatabase, restore(backup, "restored"))
        #expect(await server.code(.restoreDatabase, restore(backup, "restored")) == .alreadyExists)
        await server.stop()
    }

    @Test func `a backup goes when its retention ends, also that of a database that is gone`() async throws {
        let store = MemoryArchive()
        let server = try ArchivedServer(store)
        try await server.commit(.set("books/a"))
        _ = try await server.schedule(Self.daily)
        _ = try await server.firstBackup()
        // A later copy makes the one of the backup superfluous.
        server.clock.advance(microseconds: Self.day)
        try await server.commit(.set("books/b"))
        #expect(try await server.backups().count == 2)
        _ = try await server.ended(.deleteDatabase, #"{"name":"\#(ArchivedServer.database)"}"#)
        #expect(try await server.backups().count == 2)
        let copies = { store.names.filter { $0.hasSuffix("/done") }.count }
        let before = copies()
        server.clock.advance(microseconds: 6 * Self.day)
        #expect(try await server.backups().count == 1)
        server.clock.advance(microseconds: 20 * Self.day)
        #expect(try await server.backups().isEmpty)
        await server.archive.removeExpiredBackups()
        #expect(!store.names.contains { $0.contains("/kept/") })
        #expect(copies() == before - 1)
        await server.stop()
    }

    @Test func `a deleted backup is gone, and its database is not`() async throws {
        let server = try ArchivedServer()
        try await server.commit(.set("books/a"))
        _ = try await server.schedule(Self.daily)
        let backup = try await server.firstBackup()
        let name = #"{"name":"\#(backup.text("name"))"}"#
        _ = try await server.call(.deleteBackup, name)
        #expect(await server.code(.deleteBackup, name) == .notFound)
        #expect(try await server.backups().isEmpty)
        #expect(try await server.documents("books", of: "(default)").count == 1)
        await server.stop()
    }

    @Test func `a database has one daily and one weekly schedule, of which the retention can be changed`() async throws {
        let server = try ArchivedServer()
        try await server.commit(.set("books/a"))
        let weekly = try await server.schedule(#""weeklyRecurrence":{"day":"SUNDAY"},"retention":"8467200s""#)
        _ = try await server.schedule(Self.daily)
        for members in [Self.daily, #""weeklyRecurrence":{"day":"MONDAY"},"retention":"60s""#] {
            let request = #"{"parent":"\#(ArchivedServer.database)","backupSchedule":{\#(members)}}"#
            #expect(await server.code(.createBackupSchedule, request) == .alreadyExists)
        }
        func update(_ members: String, _ mask: String) -> String {
            #"{"backupSchedule":{"name":"\#(weekly.text("name"))",\#(members)},"updateMask":"\#(mask)"}"#
        }
        let changed = try await server.call(.updateBackupSchedule, update(#""retention":"60s""#, "retention"))
        #expect(changed.text("retention") == "60s" && changed["weeklyRecurrence"]?.text("day") == "SUNDAY")
        #expect(await server.code(.updateBackupSchedule, update(#""dailyRecurrence":{}"#, "dailyRecurrence")) == .invalidArgument)
        #expect(await server.code(.updateBackupSchedule, update(#""retention":"8467201s""#, "retention")) == .invalidArgument)
        let listed = try await server.call(.listBackupSchedules, #"{"parent":"\#(ArchivedServer.database)"}"#)
        #expect(listed.elements("backupSchedules").count == 2)
        await server.stop()
    }

    @Test func `lists of backups are of one location or all, and of one database or all`() async throws {
        let server = try ArchivedServer()
        try await server.commit(.set("books/a"))
        _ = try await server.schedule(Self.daily)
        let uid = try await server.firstBackup().text("databaseUid")
        #expect(try await server.backups("local").count == 1)
        #expect(try await server.backups("nam5").isEmpty)
        for (wanted, count) in [(uid, 1), ("another", 0)] {
            let request = #"{"parent":"projects/library/locations/-","filter":"database_uid=\"\#(wanted)\""}"#
            #expect(try await server.call(.listBackups, request).elements("backups").count == count)
        }
        #expect(try await server.call(.listBackups, #"{"parent":"projects/other/locations/-"}"#).elements("backups").isEmpty)
        await server.stop()
    }

    // OT-22
    @Test func `an archive with a backup from before the window is sound, and restores it`() async throws {
        let store = MemoryArchive()
        let server = try ArchivedServer(store)
        try await server.commit(.set("books/a"))
        _ = try await server.schedule(#""dailyRecurrence":{},"retention":"8467200s""#)
        let backup = try await server.firstBackup()
        let first = try #require(store.names.first { $0.hasSuffix("/done") })
        try await server.commit(.set("books/b"))
        try await server.waitUntilArchived()
        let hasJournal = { store.names.contains { $0.contains("/journal/") && $0.contains("-20261126T10") } }
        #expect(hasJournal())
        for _ in 0..<3 {
            server.clock.advance(microseconds: 5 * Self.day)
            try await server.commit(.set("books/c"))
            _ = try await server.backups()
        }
        // The journal behind the first backup goes when the archive is tidied.
        await eventually("the journal is gone") {
            server.clock.advance(microseconds: Self.day / 24)
            try? await server.commit(.set("books/c"))
            try? await server.waitUntilArchived()
            return !hasJournal()
        }
        #expect(store[first] != nil)
        let report = try await ArchiveVerification(ServerFixture.database, in: store, folder: server.folder.path).run()
        #expect(report.findings.isEmpty, "\(report.findings)")
        let done = try await server.ended(.restoreDatabase, restore(backup, "restored"))
        #expect(done["error"] == nil, "\(done.text())")
        #expect(try await server.documents("books", of: "restored").map(\.key.id) == ["a"])
        await server.stop()
    }

    @Test func `a closed database gets its backups`() async throws {
        let server = try ArchivedServer()
        try await server.commit(.set("books/a"))
        _ = try await server.schedule(Self.daily)
        _ = try await server.firstBackup()
        await eventually("the database is closed") {
            server.server.service.databases.passRound()
            return server.server.service.databases.openCount == 0
        }
        server.clock.advance(microseconds: Self.day)
        // Nothing was written since: the copy is that of the first backup.
        #expect(try await server.backups().count == 2)
        await server.stop()
    }
}
