// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDB

/// The schema of a cache: the tables of every store, and `CacheTables` beside them, with `PRAGMA user_version` as their version.
extension StoreSchema {
    /// Rejects a file that is not a cache of this database on this server. Opening it for writing would already change it. Returns
    /// whether its tables are of an older version.
    static func checkCache(
        at path: StorePath, _ tables: CacheTables, databaseID: DatabaseID, errors: StoreErrors
    ) throws -> Bool {
        let size = try? FileManager.default.attributesOfItem(atPath: path.path)[.size] as? Int
        guard let size, size > 0 else { return false }
        func isOlder(_ configuration: Configuration) throws -> Bool {
            let connection = try DatabaseQueue(path: CheckedFiles.uri(path.path), configuration: configuration)
            defer { try? connection.close() }
            let versions = try connection.unsafeRead { try admit($0, tables, databaseID: databaseID, errors: errors) }
            return versions.map { $0.format < formatVersion || $0.version < tables.version } ?? false
        }
        do {
            return try isOlder(ReadOnlyFile.configuration)
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
            // The process that created the file ended halfway. Its uncommitted changes are rolled back; the rest stays as it is.
            return try isOlder(SQLiteSettings.configuration())
        }
    }

    /// Creates the tables in an empty file, or brings those of an existing one up to date.
    static func prepareCache(
        _ database: Database, _ tables: CacheTables, databaseID: DatabaseID, errors: StoreErrors
    ) throws {
        guard let (format, version) = try admit(database, tables, databaseID: databaseID, errors: errors) else {
            try database.inTransaction(.immediate) {
                try addCacheTables(tables, to: database)
                try nameCache(database, tables, databaseID)
                return .commit
            }
            return
        }
        guard format < formatVersion || version < tables.version else { return }
        try database.inTransaction(.immediate) {
            try upgradeTables(database, from: format)
            for step in tables.migrations.dropFirst(Int(version) - 1) { try database.execute(sql: step) }
            try database.execute(sql: "PRAGMA user_version = \(tables.version)")
            return .commit
        }
    }

    /// The versions of an existing cache; nil for an empty file.
    private static func admit(
        _ database: Database, _ tables: CacheTables, databaseID: DatabaseID, errors: StoreErrors
    ) throws -> (format: Int64, version: Int64)? {
        guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") != 0 else { return nil }
        let (format, version) = try cacheVersions(of: database, newest: tables.version, errors: errors)
        try checkName(database, expected: databaseID, errors: errors)
        try checkServer(database, tables, errors)
        return (format, version)
    }

    /// The versions of a file that is a cache, and not a newer one.
    private static func cacheVersions(
        of database: Database, newest: Int64, errors: StoreErrors
    ) throws -> (format: Int64, cache: Int64) {
        switch StoreKind(rawValue: try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0) {
        case .cache: break
        case .database: throw FirestoreError(.failedPrecondition, StoreKind.database.advice, at: errors.file)
        case nil: throw foreign(errors)
        }
        let format = try Int64.fetchOne(database, sql: "SELECT format_version FROM meta") ?? 0
        guard format <= formatVersion else { throw otherVersion(format, errors) }
        let version = try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard format > 0, version > 0 else { throw errors.damaged("the version of the cache") }
        try requireChecksums(of: database, format: format, errors: errors)
        guard version <= newest else {
            throw FirestoreError(
                .failedPrecondition,
                "the cache has version \(version) and this Hearth knows versions up to \(newest); use a newer Hearth", at: errors.file)
        }
        return (format, version)
    }

    /// Returns the identity that a cache records about itself. Changes nothing.
    static func cacheIdentity(of database: Database, newest: Int64, errors: StoreErrors) throws -> CacheIdentity {
        let (format, version) = try cacheVersions(of: database, newest: newest, errors: errors)
        let row = try SQLStatement("SELECT project_id, database_id FROM meta", on: database, errors: errors)
        defer { row.reset() }
        guard try row.step(), let project = row.text(0), let name = row.text(1) else { throw errors.damaged("the database's name") }
        return CacheIdentity(
            databaseID: DatabaseID(projectID: project, databaseID: name), server: try server(of: database, errors), formatVersion: format,
            version: version)
    }

    /// The tables of a cache without a name.
    static func addCacheTables(_ tables: CacheTables, to database: Database) throws {
        try database.execute(sql: StoreSchema.tables)
        try database.execute(sql: tables.create)
        try database.execute(sql: "PRAGMA application_id = \(StoreKind.cache.rawValue)")
        try database.execute(sql: "PRAGMA user_version = \(tables.version)")
    }

    /// Completes a cache that has tables only.
    static func nameCache(_ database: Database, _ tables: CacheTables, _ databaseID: DatabaseID) throws {
        try name(database, databaseID, history: 0)
        try database.execute(
            sql: "INSERT INTO facts VALUES(CAST('server' AS BLOB), CAST(? AS BLOB))", arguments: [tables.server])
    }

    /// Data of one server must not be mixed with data of another, and queued writes must not be sent to another server.
    private static func checkServer(_ database: Database, _ tables: CacheTables, _ errors: StoreErrors) throws {
        let stored = try server(of: database, errors)
        guard stored.utf8.elementsEqual(tables.server.utf8) else {
            throw FirestoreError(
                .failedPrecondition,
                "the cache belongs to the server \(stored), not to \(tables.server); connect to \(stored), or set "
                    + "settings.cacheDirectory to another directory", at: errors.file)
        }
    }

    private static func server(of database: Database, _ errors: StoreErrors) throws -> String {
        guard
            let stored = try String.fetchOne(
                database, sql: "SELECT CAST(value AS TEXT) FROM facts WHERE key = CAST('server' AS BLOB)")
        else { throw errors.damaged("the address of the cache's server") }
        return stored
    }
}
