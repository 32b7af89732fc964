// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreWire
import Foundation

/// Deleted databases, which can be brought back for a day. Their files are in a folder beside those of the projects.
package struct DatabaseTrash: Sendable {
    /// Its name cannot be that of a project's directory, in which a dot is percent-encoded.
    package static let folderName = "hearth.deleted"
    /// A day, in microseconds.
    static let lifetime: Int64 = 86_400_000_000
    private static let note = "database.json"

    package struct Entry: Sendable {
        /// The name that it had.
        package let database: DatabaseID
        package let deleted: Int64
        /// As `ListDatabases` shows it.
        package let message: JSON
        fileprivate let folder: String
    }

    private let directory: String

    init(of directory: String) { self.directory = directory + "/" + Self.folderName }

    /// Moves the files of a closed database here.
    func add(_ database: DatabaseID, files path: String, message: JSON, now: Int64) throws(FirestoreError) {
        let folder = directory + "/" + message.text("uid")
        var message = message
        message.setMember("deleteTime", .time(now))
        message.setMember("previousId", .string(database.databaseID))
        let note = JSON.object([
            ("project", .string(database.projectID)), ("database", .string(database.databaseID)), ("message", message),
        ])
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            // Before the files, which it describes.
            try Data(note.bytes(.indented)).write(to: URL(fileURLWithPath: folder + "/" + Self.note), options: .atomic)
            for file in Self.files(of: path) { try FileManager.default.moveItem(atPath: file, toPath: folder + "/" + Self.name(of: file)) }
        } catch {
            throw FirestoreError(.unavailable, "the files of the database cannot be moved", at: folder, cause: error)
        }
    }

    /// What can be brought back, the oldest first. Removes what is older than a day.
    package func entries(now: Int64) -> [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let all = names.compactMap { entry(in: directory + "/" + $0) }
        for entry in all where entry.deleted + Self.lifetime <= now { try? FileManager.default.removeItem(atPath: entry.folder) }
        return all.filter { $0.deleted + Self.lifetime > now }
            .sorted { ($0.deleted, $0.folder) < ($1.deleted, $1.folder) }
    }

    private func entry(in folder: String) -> Entry? {
        guard let data = FileManager.default.contents(atPath: folder + "/" + Self.note), let json = try? JSON(data),
            var message = json["message"], let deleted = TimestampValue(text: message.text("deleteTime"))
        else { return nil }
        let database = DatabaseID(projectID: json.text("project"), databaseID: json.text("database"))
        // The name that it had can be another database's by now.
        message.setMember("name", .string("projects/\(database.projectID)/databases/\(message.text("uid"))"))
        return Entry(database: database, deleted: deleted.microsecondsSince1970, message: message, folder: folder)
    }

    /// Moves a database back, and returns its name.
    ///
    /// - Parameters:
    ///   - name: The name that it had, of which the last one deleted is meant, or the one that it has among the deleted ones.
    ///   - isTaken: Whether there is another database of that name.
    func restore(
        _ name: DatabaseID, now: Int64, isTaken: (DatabaseID) async -> Bool
    ) async throws(FirestoreError) -> DatabaseID {
        let found = entries(now: now).filter { entry in
            equalUTF8(entry.database.projectID, name.projectID)
                && (equalUTF8(entry.database.databaseID, name.databaseID) || equalUTF8(entry.message.text("uid"), name.databaseID))
        }.max { $0.deleted < $1.deleted }
        guard let found else {
            throw FirestoreError(.notFound, "no database of this name was deleted within the last day", at: name.resourceName)
        }
        guard await !isTaken(found.database) else {
            throw FirestoreError(
                .alreadyExists, "there is another database of this name by now; delete that one first", at: found.database.resourceName)
        }
        let path = URL(fileURLWithPath: directory).deletingLastPathComponent().path + "/" + DatabaseRules.relativePath(of: found.database)
        let project = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
            for name in try FileManager.default.contentsOfDirectory(atPath: found.folder) where name != Self.note {
                try? FileManager.default.removeItem(atPath: project + "/" + name)
                try FileManager.default.moveItem(atPath: found.folder + "/" + name, toPath: project + "/" + name)
            }
            try FileManager.default.removeItem(atPath: found.folder)
        } catch {
            throw FirestoreError(.unavailable, "the files of the database cannot be moved back", at: path, cause: error)
        }
        return found.database
    }

    /// A database and what stands beside it, the database last: without it there is none.
    private static func files(of path: String) -> [String] {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let name = name(of: path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        // `X.sqlite-wal`, `X.sqlite.lock`; a copy that was made before an upgrade stays where it is.
        let beside = ["-wal", "-shm", ".lock"].map { name + $0 }
        return names.filter(beside.contains).map { folder + "/" + $0 } + [path]
    }

    private static func name(of path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }
}
