// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreEngine
import FirestoreWire

/// Databases: created, listed, changed, deleted, brought back.
extension AdminService {
    func createDatabase(_ request: JSON) async throws(FirestoreError) -> JSON {
        let project = try AdminName.project(request.text("parent"))
        let id = request.text("databaseId")
        guard !id.isEmpty else { throw .invalidArgument("the request names no database", at: "databaseId") }
        let database = DatabaseID(projectID: project, databaseID: id)
        try DatabaseRules.check(database)
        var settings = AdminDatabase(uid: makeUID(), now: clock.now())
        try settings.apply(request["database"] ?? .empty, mask: [], isNew: true, withoutRecovery: withoutRecovery)
        return try await turn.run { [settings] () async throws(FirestoreError) -> JSON in
            let exists = FirestoreError(.alreadyExists, "the database \(id) exists already in project \(project)")
            if await databases.isThere(database) { throw exists }
            let service = try await databases.create(database)
            guard let facts = service.facts else { throw FirestoreError(.unimplemented, "the database stores no settings") }
            // Another node may have been faster.
            try await facts.changeFact(AdminDatabase.fact) { (stored) throws(FirestoreError) in
                guard stored == nil else { throw exists }
                return settings.stored
            }
            let message = await message(of: settings, database)
            return try await finished(.createDatabaseMetadata, .empty, answer: (.database, message), in: database, facts)
        }
    }

    func getDatabase(_ request: JSON) async throws(FirestoreError) -> JSON {
        let database = try AdminName.database(request.text("name"))
        return await message(of: try await settings(of: database), database)
    }

    func listDatabases(_ request: JSON) async throws(FirestoreError) -> JSON {
        let project = try AdminName.project(request.text("parent"))
        var messages: [JSON] = []
        for listed in await databases.listed() where equalUTF8(listed.projectID, project) {
            messages.append(await message(of: try await settings(of: listed), listed))
        }
        if request.flag("showDeleted"), let trash = databases.trash {
            messages += trash.entries(now: clock.now()).filter { equalUTF8($0.database.projectID, project) }.map(\.message)
        }
        return .members([("databases", messages.isEmpty ? nil : .array(messages))])
    }

    func updateDatabase(_ request: JSON) async throws(FirestoreError) -> JSON {
        let message = request["database"] ?? .empty
        let database = try AdminName.database(message.text("name"))
        let mask = AdminMask.paths(request.text("updateMask"))
        let (_, facts) = try await opened(database)
        let (now, withoutRecovery) = (clock.now(), withoutRecovery)
        let fresh = AdminDatabase(uid: makeUID(), now: await creation(of: facts))
        let stored = try await facts.changeFact(AdminDatabase.fact) { (stored) throws(FirestoreError) in
            var settings = stored.flatMap { AdminDatabase(stored: $0) } ?? fresh
            try Self.check(message.text("etag"), settings)
            let before = settings
            try settings.apply(message, mask: mask, isNew: false, withoutRecovery: withoutRecovery)
            if settings != before { settings.updated = max(now, settings.updated + 1) }
            return settings.stored
        }
        let settings = stored.flatMap { AdminDatabase(stored: $0) } ?? fresh
        return try await finished(
            .updateDatabaseMetadata, .empty, answer: (.database, await self.message(of: settings, database)), in: database, facts)
    }

    func deleteDatabase(_ request: JSON) async throws(FirestoreError) -> JSON {
        let database = try AdminName.database(request.text("name"))
        let settings = try await settings(of: database)
        try Self.check(request.text("etag"), settings)
        guard !settings.isProtected else {
            throw FirestoreError(
                .failedPrecondition, "the database is protected from deletion; turn its delete protection off first",
                at: database.resourceName)
        }
        // Its transfers would go on without it.
        await transfers.cancelAll(of: database)
        let now = clock.now()
        let message = await message(of: settings, database)
        try await databases.delete(database, message: message, now: now)
        var gone = message
        gone.setMember("deleteTime", .time(now))
        return detached.add(.deleteDatabaseMetadata, answer: (.database, gone), in: database, now: now)
    }

    func undeleteDatabase(_ request: JSON) async throws(FirestoreError) -> JSON {
        let name = try AdminName.database(request.text("name"))
        guard let trash = databases.trash else {
            throw FirestoreError(.unimplemented, "databases that are not in files of this server are deleted for good")
        }
        return try await turn.run { () async throws(FirestoreError) -> JSON in
            let database = try await trash.restore(name, now: clock.now()) { await self.databases.isThere($0) }
            let (_, facts) = try await opened(database)
            let message = await message(of: try await settings(of: database), database)
            return try await finished(.updateDatabaseMetadata, .empty, answer: (.database, message), in: database, facts)
        }
    }

    private static func check(_ etag: String, _ settings: AdminDatabase) throws(FirestoreError) {
        guard etag.isEmpty || equalUTF8(etag, settings.etag) else {
            throw FirestoreError(.failedPrecondition, "the database has changed since the etag was read; read it again", at: "etag")
        }
    }

    /// Why the past of databases cannot be restored; nil if it can.
    private var withoutRecovery: FirestoreError? {
        do throws(FirestoreError) {
            _ = try requiredBackups()
            return nil
        } catch {
            return error
        }
    }

    /// The message `Database`.
    func message(of settings: AdminDatabase, _ database: DatabaseID) async -> JSON {
        let now = clock.now()
        var earliest = max(settings.created, now - RecoveryWindow.usual)
        if settings.recoversPast, let backups {
            let since = DocumentVersion(microseconds: max(settings.created, now - settings.window))
            // Of an archive that cannot be reached nothing is promised.
            let archived = try? await backups.earliestMoment(of: database, since: since)
            earliest = min(earliest, archived?.microseconds ?? earliest)
        }
        return settings.message(database, earliest: earliest)
    }

    /// The settings of a database that exists. One that was created by its use gets them now.
    func settings(of database: DatabaseID) async throws(FirestoreError) -> AdminDatabase {
        let (_, facts) = try await opened(database)
        if let settings = try await facts.fact(AdminDatabase.fact).flatMap({ AdminDatabase(stored: $0) }) { return settings }
        let fresh = AdminDatabase(uid: makeUID(), now: await creation(of: facts))
        let stored = try await facts.changeFact(AdminDatabase.fact) { (stored) throws(FirestoreError) in
            if let stored, AdminDatabase(stored: stored) != nil { return stored }
            return fresh.stored
        }
        return stored.flatMap { AdminDatabase(stored: $0) } ?? fresh
    }

    /// When a database was created that was created by its use. Files of earlier versions do not say: they are at least as old as their
    /// first documents.
    private func creation(of facts: any FactService) async -> Int64 {
        if let time = CreationNote.time((try? await facts.fact(CreationNote.fact)) ?? nil) { return time }
        return min(clock.now(), await (facts as? Engine)?.firstCreation() ?? .max)
    }
}
