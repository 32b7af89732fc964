// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDB
import GRDBSQLite

/// Gives the pages of a file of an earlier format checksums, before it is opened: a file that is written anew takes its place.
///
/// The new file is complete, upgraded and on the disk before it gets the name. Until then the earlier one is as it was.
enum PageUpgrade {
    static func run(
        at path: StorePath, _ databaseID: DatabaseID, _ cache: CacheTables?, _ opening: StoreOpening, _ errors: StoreErrors
    ) throws {
        let part = path.path + ".upgrading"
        // Of an upgrade that was interrupted.
        discard(part)
        guard ReadOnlyFile.isFilled(path.path), isWithoutChecksums(path) else { return }
        let connection = try DatabaseQueue(path: CheckedFiles.uri(path.path), configuration: SQLiteSettings.configuration())
        defer { discard(part) }
        let format: Int64?
        do {
            format = try connection.writeWithoutTransaction { database in
                guard let format = try admit(database, databaseID, cache, errors) else { return nil }
                try write(database, of: format, to: part, at: path.path)
                // SQLite removes the log with the last connection.
                _ = try database.checkpoint(.truncate)
                return format
            }
            try connection.close()
        } catch {
            try? connection.close()
            throw error
        }
        guard let format else { return }
        try finish(part, databaseID, cache, opening, errors)
        try replace(path, with: part, keeping: cache == nil && opening.keepsMigrationCopy ? format : nil)
    }

    /// Looked at without reading the tables: nearly every file has them.
    private static func isWithoutChecksums(_ path: StorePath) -> Bool {
        var connection: OpaquePointer?
        defer { sqlite3_close_v2(connection) }
        guard sqlite3_open_v2(path.path, &connection, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, CheckedFiles.name) == SQLITE_OK else {
            return false
        }
        return !CheckedFiles.hasChecksums(connection)
    }

    /// The format of a file that is to be upgraded; nil for one that is opened as it is, and perhaps rejected there.
    private static func admit(
        _ database: Database, _ databaseID: DatabaseID, _ cache: CacheTables?, _ errors: StoreErrors
    ) throws -> Int64? {
        let kind: StoreKind = cache == nil ? .database : .cache
        guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") != 0,
            try Int32.fetchOne(database, sql: "PRAGMA application_id") == kind.rawValue,
            let format = try Int64.fetchOne(database, sql: "SELECT format_version FROM meta"),
            (1..<StoreSchema.firstChecked).contains(format)
        else { return nil }
        try StoreSchema.checkName(database, expected: databaseID, errors: errors)
        return format
    }

    private static func write(_ database: Database, of format: Int64, to part: String, at file: String) throws {
        do {
            try DurableFile.create(part, like: file)
            try database.execute(sql: "VACUUM INTO ?", arguments: [part])
        } catch let error as DatabaseError where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) {
            throw error
        } catch {
            throw MigrationCopy.failure(of: format, at: part, error)
        }
    }

    private static func finish(
        _ part: String, _ databaseID: DatabaseID, _ cache: CacheTables?, _ opening: StoreOpening, _ errors: StoreErrors
    ) throws {
        let connection = try DatabaseQueue(path: CheckedFiles.uri(part), configuration: SQLiteSettings.configuration())
        do {
            try connection.writeWithoutTransaction { database in
                if let cache {
                    try StoreSchema.prepareCache(database, cache, databaseID: databaseID, errors: errors)
                } else {
                    _ = try StoreSchema.prepare(database, databaseID: databaseID, opening: opening, errors: errors)
                }
            }
            try connection.close()
        } catch {
            try? connection.close()
            throw error
        }
        try DurableFile.sync(part)
    }

    private static func replace(_ path: StorePath, with part: String, keeping format: Int64?) throws {
        // The log of another process's connection would be taken for one of the new file.
        guard !["-wal", "-shm", "-journal"].contains(where: { FileManager.default.fileExists(atPath: path.path + $0) }) else {
            throw FirestoreError(
                .unavailable, "the database has to be upgraded, and another program has its file open; close that program and try again",
                at: path.path)
        }
        if let format { try MigrationCopy.keep(path.path, format: format) }
        try DurableFile.rename(part, to: path.path)
    }

    private static func discard(_ part: String) { for suffix in ["", "-journal", "-wal", "-shm"] { unlink(part + suffix) } }
}
