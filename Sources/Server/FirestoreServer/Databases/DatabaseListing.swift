// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreEngine
import FirestoreStorage
import Foundation
import HearthBase

/// A database that exists.
package struct ListedDatabase: Sendable {
    package let database: DatabaseID
    /// The size of its files; nil in memory.
    package let bytes: Int64?
    package let isOpen: Bool
}

extension DatabaseOpening {
    /// The databases that are stored. The size is that of files; nil on a cluster.
    package func stored() -> [(database: DatabaseID, bytes: Int64?)] {
        if case .cluster(let cluster) = storage { return ((try? cluster.databases()) ?? []).map { ($0, nil) } }
        guard case .directory(let directory) = storage else { return [] }
        return Self.names(in: directory).flatMap { project -> [(database: DatabaseID, bytes: Int64?)] in
            // Names with a dot are the server's own: dots in project names are percent-encoded.
            guard !project.utf8.contains(UInt8(ascii: ".")), let projectID = PercentEncoding.decode(Substring(project)) else { return [] }
            let folder = directory + "/" + project
            return Self.names(in: folder).compactMap { file in
                guard let databaseID = DatabaseRules.databaseID(ofFile: file) else { return nil }
                let path = folder + "/" + file
                let bytes = ["", "-wal", "-shm"].reduce(0 as Int64) { $0 + Self.size(of: path + $1) }
                return (DatabaseID(projectID: projectID, databaseID: databaseID), bytes)
            }
        }
    }

    /// The databases that may have policies of expiry: all files, of which it cannot be seen.
    func mayExpire() throws(FirestoreError) -> [DatabaseID] {
        if case .cluster(let cluster) = storage { return try cluster.databases(with: ExpirySettings.policies) }
        return stored().map(\.database)
    }

    private static func names(in directory: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    }

    package static func size(of path: String) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }
}

extension DatabaseRegistry {
    /// The projects that the settings of the server name; without any, those of its databases.
    package func projects() async -> [String] {
        let named = opening.projects
        let all = named.isEmpty ? await listed().map(\.projectID) : named
        return all.reduce(into: []) { known, project in
            if !known.contains(where: { equalUTF8($0, project) }) { known.append(project) }
        }
    }

    /// All databases that exist, closed ones as well, sorted by name.
    package func listing() -> [ListedDatabase] {
        var sizes: [DatabaseName: Int64?] = [:]
        for (database, bytes) in opening.stored() { sizes.updateValue(bytes, forKey: DatabaseName(database)) }
        let open = openNames
        let names = Set(sizes.keys).union(open).union(opening.expected.map { DatabaseName($0) })
        return names.map { ListedDatabase(database: $0.database, bytes: sizes[$0] ?? nil, isOpen: open.contains($0)) }
            .sorted { $0.database.documentsPrefix.utf8.lexicographicallyPrecedes($1.database.documentsPrefix.utf8) }
    }

    /// Whether other nodes have the databases, too.
    var isOnCluster: Bool { if case .cluster = opening.storage { true } else { false } }

    /// Whether a database exists. Reads the directory.
    package func exists(_ database: DatabaseID) throws(FirestoreError) -> Bool {
        if openNames.contains(DatabaseName(database)) { return true }
        return try opening.exists(database)
    }

    /// The names of all databases that exist. Asks a directory or a server.
    func listed() async -> [DatabaseID] {
        (try? await onThread { (_) throws(FirestoreError) in self.listing().map(\.database) }) ?? []
    }

    /// Whether a database exists; false if that cannot be found out.
    func isThere(_ database: DatabaseID) async -> Bool {
        (try? await onThread { (_) throws(FirestoreError) in try self.exists(database) }) ?? false
    }

    // MARK: Deleting

    /// Where deleted databases are for a day; nil where they are deleted for good.
    package var trash: DatabaseTrash? { directory.map { DatabaseTrash(of: $0) } }

    /// Deletes a database. `message`: as the admin API shows it.
    func delete(_ database: DatabaseID, message: JSON, now: Int64) async throws(FirestoreError) {
        let trash = trash
        try await end(database) { (opening) throws(FirestoreError) in
            if case .cluster(let cluster) = opening.storage { return try cluster.delete(database) }
            guard let trash, let path = opening.path(of: database) else { return }
            try trash.add(database, files: path, message: message, now: now)
        }
    }

    /// Removes what was deleted more than a day ago.
    package func emptyTrash() { _ = trash?.entries(now: opening.clock.now()) }

    /// The size of all files; nil in memory.
    package var storedBytes: Int64? { directory == nil ? nil : opening.stored().reduce(0) { $0 + ($1.bytes ?? 0) } }

    /// The free bytes of the disk of the files; nil where they are not watched.
    package var freeBytes: Int64? { opening.diskGuard?.free }

    /// The directory of the files; nil in memory.
    package var directory: String? { if case .directory(let path) = opening.storage { path } else { nil } }
}
