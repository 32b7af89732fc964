// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire

/// Backups: listed, shown, deleted.
extension AdminService {
    func getBackup(_ request: JSON) async throws(FirestoreError) -> JSON {
        try await backup(named: request.text("name")).message
    }

    func listBackups(_ request: JSON) async throws(FirestoreError) -> JSON {
        let (project, place) = try AdminName.place(request.text("parent"))
        let uid = try BackupFilter.uid(request.text("filter"))
        let found = try await requiredBackups().backups(ofProject: project).filter { backup in
            (place == "-" || equalUTF8(backup.place, place)) && (uid.map { equalUTF8(backup.uid, $0) } ?? true)
        }.sorted { ($0.moment, $0.id) > ($1.moment, $1.id) }
        return .members([("backups", found.isEmpty ? nil : .array(found.map(\.message)))])
    }

    func deleteBackup(_ request: JSON) async throws(FirestoreError) -> JSON {
        let backup = try await backup(named: request.text("name"))
        guard backup.content != nil else {
            throw FirestoreError(.failedPrecondition, "the backup is being made; delete it when it is ready", at: request.text("name"))
        }
        try await requiredBackups().delete(backup)
        return .empty
    }

    func backup(named name: String) async throws(FirestoreError) -> DatabaseBackup {
        let (project, place, id) = try AdminName.backup(name)
        let found = try await requiredBackups().backups(ofProject: project).first { backup in
            equalUTF8(backup.id, id) && (place == "-" || equalUTF8(backup.place, place))
        }
        guard let found else {
            throw FirestoreError(.notFound, "no backup has this name; it was deleted, or has expired", at: String(name.prefix(1_000)))
        }
        return found
    }

    // MARK: The archive

    func requiredBackups() throws(FirestoreError) -> any DatabaseBackups {
        guard case .directory = databases.opening.storage, let backups else { throw withoutBackups }
        return backups
    }

    /// Why there are no backups.
    var withoutBackups: FirestoreError {
        if case .cluster = databases.opening.storage {
            return FirestoreError(
                .failedPrecondition,
                "databases on a PostgreSQL server are backed up, and restored to a point in time, with that server's own tools")
        }
        return FirestoreError(
            .failedPrecondition,
            "backups, clones and recovery to a point in time need an archive, and there is none\(databases.advice(.archive))")
    }
}

extension DatabaseBackup {
    var name: String { "projects/\(database.projectID)/locations/\(place)/backups/\(id)" }

    /// The message `Backup`.
    var message: JSON {
        let stats = content.map { content in
            JSON.object([
                ("sizeBytes", .string("\(content.bytes)")), ("documentCount", .string("\(content.documents)")),
                ("indexCount", .string("\(content.indexEntries)")),
            ])
        }
        return .members([
            ("name", .string(name)), ("database", .string(database.resourceName)), ("databaseUid", .string(uid)),
            ("snapshotTime", .time(moment)), ("expireTime", .time(expiry)), ("stats", stats),
            ("state", .string(content == nil ? "CREATING" : "READY")),
        ])
    }
}

/// The filter that lists of backups have: `database_uid="…"`.
enum BackupFilter {
    /// nil for an empty filter.
    static func uid(_ text: String) throws(FirestoreError) -> String? {
        guard !text.allSatisfy(\.isWhitespace) else { return nil }
        let parts = text.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace } }
        guard parts.count == 2, ["database_uid", "databaseuid"].contains(parts[0].lowercased()) else {
            throw .invalidArgument("lists of backups are filtered by database_uid=\"…\"", at: "filter")
        }
        let value = parts[1]
        return value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"") ? String(value.dropFirst().dropLast()) : value
    }
}
