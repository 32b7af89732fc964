// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// New databases out of backups, and out of the past of others.
extension AdminService {
    func restoreDatabase(_ request: JSON) async throws(FirestoreError) -> JSON {
        let backup = try await backup(named: request.text("backup"))
        guard backup.content != nil else {
            throw FirestoreError(.failedPrecondition, "the backup is being made; restore it when it is ready", at: request.text("backup"))
        }
        return try await begin(
            .backup(backup), request, place: backup.place, origin: [("backup", .object([("backup", .string(backup.name))]))],
            .restoreDatabaseMetadata, [("backup", .string(backup.name))])
    }

    /// The database as it was at a whole minute of its window.
    func cloneDatabase(_ request: JSON) async throws(FirestoreError) -> JSON {
        let snapshot = request["pitrSnapshot"] ?? .empty
        let source = try AdminName.database(snapshot.text("database"))
        _ = try requiredBackups()
        let settings = try await settings(of: source)
        guard let moment = try moment(snapshot.text("snapshotTime"), since: settings.window, at: "pitrSnapshot.snapshotTime") else {
            throw .invalidArgument("the request names no moment", at: "pitrSnapshot.snapshotTime")
        }
        let shown = JSON.object([("database", .string(source.resourceName)), ("snapshotTime", .string(moment.timestamp.text))])
        return try await begin(
            .moment(source, moment), request, place: settings.place, origin: [], .cloneDatabaseMetadata, [("pitrSnapshot", shown)])
    }

    private func begin(
        _ source: DatabaseRestoration.Source, _ request: JSON, place: String, origin: [(name: String, value: JSON)], _ type: AdminMessage,
        _ metadata: [(name: String, value: JSON?)]
    ) async throws(FirestoreError) -> JSON {
        let backups = try requiredBackups()
        let database = DatabaseID(projectID: try AdminName.project(request.text("parent")), databaseID: request.text("databaseId"))
        try DatabaseRules.check(database)
        guard request["encryptionConfig"]?["customerManagedEncryption"] == nil else {
            throw FirestoreError(.unimplemented, "keys of a key management service are not offered here", at: "encryptionConfig")
        }
        let now = clock.now()
        let record = OperationRecord(
            database, type,
            .members(
                [
                    ("startTime", .time(now)), ("operationState", .string("PROCESSING")), ("database", .string(database.resourceName)),
                ] + metadata), now: now, process: transfers.process)
        var settings = AdminDatabase(uid: makeUID(), now: now)
        settings.place = place
        settings.origin = .object(origin + [("operation", .string(record.operation.text("name")))])
        let restoration = try restoration(source, as: database, settings)
        try await reserve(database)
        restores.start(record) { [settings] (report) async throws(FirestoreError) in
            try await self.perform(restoration, backups, report)
            return (.database, await self.message(of: settings, database))
        } store: { (record) async throws(FirestoreError) in
            let (_, facts) = try await self.opened(database)
            _ = try await OperationStore(facts, clock: self.clock).add(record)
        }
        return record.operation
    }

    private func restoration(
        _ source: DatabaseRestoration.Source, as database: DatabaseID, _ settings: AdminDatabase
    ) throws(FirestoreError) -> DatabaseRestoration {
        guard let file = databases.opening.path(of: database) else { throw withoutBackups }
        var restoration = DatabaseRestoration(source, as: database, file: file, scratch: try databases.pathForCopy())
        // Schedules and operations are those of the source.
        restoration.adjust = { facts in
            facts = facts.filter { !$0.key.hasPrefix(BackupSchedule.facts) }
            facts[AdminDatabase.fact] = settings.stored
        }
        return restoration
    }

    /// Takes a name for which there is no database. It is free again when the restore is over.
    private func reserve(_ database: DatabaseID) async throws(FirestoreError) {
        try await turn.run { () async throws(FirestoreError) in
            guard await !databases.isThere(database), databases.reserve(database) else {
                throw FirestoreError(
                    .alreadyExists, "a database is restored under a new id only; choose one that is not taken", at: database.resourceName)
            }
        }
    }

    private func perform(
        _ restoration: DatabaseRestoration, _ backups: any DatabaseBackups, _ report: @escaping @Sendable (Int) -> Void
    ) async throws(FirestoreError) {
        defer { databases.release(restoration.name) }
        var restoration = restoration
        restoration.progress = report
        do throws(FirestoreError) {
            try await backups.restore(restoration)
        } catch {
            throw error.code == .outOfRange ? .beyondArchive(error) : error
        }
    }
}

extension FirestoreError {
    /// Of a moment in the window that the archive does not have.
    static func beyondArchive(_ error: FirestoreError) -> FirestoreError {
        var copy = error
        copy.code = .failedPrecondition
        return copy
    }
}
