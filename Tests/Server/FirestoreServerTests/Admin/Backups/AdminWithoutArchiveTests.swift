// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreWire
import ServerFixtures
import SharedStores
import TestSupport
import Testing

@testable import FirestoreServer

/// A server without an archive (OP-60).
struct AdminWithoutArchiveTests {
    @Test(arguments: [
        (.listBackups, #"{"parent":"projects/library/locations/-"}"#),
        (.getBackup, #"{"name":"projects/library/locations/local/backups/b"}"#),
        (.deleteBackup, #"{"name":"projects/library/locations/local/backups/b"}"#),
        (.restoreDatabase, #"{"parent":"projects/library","databaseId":"other","backup":"projects/library/locations/local/backups/b"}"#),
        (
            .cloneDatabase,
            #"{"parent":"projects/library","databaseId":"other","pitrSnapshot":{"database":"projects/library/databases/(default)","snapshotTime":"2026-11-26T10:00:00Z"}}"#
        ),
        (
            .createBackupSchedule,
            #"{"parent":"projects/library/databases/(default)","backupSchedule":{"dailyRecurrence":{},"retention":"604800s"}}"#
        ),
    ] as [(AdminMethod, String)])
    func `what needs an archive is refused with the reason`(method: AdminMethod, request: String) async throws {
        let fixture = try AdminFixture()
        let error = await #expect(throws: FirestoreError.self) { try await fixture.call(method, request) }
        #expect(error?.code == .failedPrecondition)
        #expect(error?.message.contains("archive") == true)
        await fixture.stop()
    }

    @Test func `of databases on a PostgreSQL server the refusal says that its own tools do it`() async throws {
        let server = ServerFixture(DatabaseOpening(storage: .cluster(SharedCluster().node())))
        let request = JSON.object([("parent", .string("projects/library/locations/-"))])
        let error = await #expect(throws: FirestoreError.self) { try await server.admin.answer(.listBackups, request, .embedded) }
        #expect(error?.code == .failedPrecondition)
        #expect(error?.message.contains("PostgreSQL") == true)
        await server.service.databases.close()
    }

    @Test func `schedules that an earlier server had are listed, and can be deleted`() async throws {
        let fixture = try AdminFixture()
        let service = try await fixture.server.service.databases.open(ServerFixture.database)
        let facts = try #require(service.facts)
        try await BackupSchedule(id: "old", .daily, retention: 60, now: fixture.clock.now()).store(in: facts)
        let listed = try await fixture.call(.listBackupSchedules, #"{"parent":"\#(AdminFixture.database)"}"#)
        #expect(listed.elements("backupSchedules").map { $0.text("name") } == ["\(AdminFixture.database)/backupSchedules/old"])
        let name = #"{"name":"\#(AdminFixture.database)/backupSchedules/old"}"#
        _ = try await fixture.call(.deleteBackupSchedule, name)
        #expect(await fixture.code(.getBackupSchedule, name) == .notFound)
        #expect(await fixture.code(.deleteBackupSchedule, name) == .notFound)
        await fixture.stop()
    }
}
