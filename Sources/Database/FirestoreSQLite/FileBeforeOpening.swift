// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage
import Foundation
import GRDB
import GRDBSQLite

/// Looks at a database file before it is opened for writing: a file that is refused is not changed, and gets no files beside it.
///
/// Opening for writing creates a log and its index, copies a log that is there into the file, and, where the file is missing or empty,
/// removes the log: the newest commits.
enum FileBeforeOpening {
    private static let magic = [UInt8]("SQLite format 3\0".utf8)
    /// A log without a commit.
    private static let emptyLog: Int64 = 32

    /// Throws what opening would be refused with. Call it with the lock of the file.
    static func check(_ path: StorePath, databaseID: DatabaseID, isForRepair: Bool, errors: StoreErrors) throws {
        let log = size(path.path + "-wal") ?? 0
        let file = size(path.path)
        // A directory, for example: opening it says what is wrong.
        if file == nil, access(path.path, F_OK) == 0 { return }
        guard let file, file > 0 else {
            if log > 0 { throw errors.logWithoutFile(isMissing: file == nil) }
            return
        }
        // A process ended halfway: SQLite restores the file first.
        guard !ReadOnlyFile.isFilled(path.path + "-journal") else { return }
        try checkBeginning(path, errors)
        let isBesideLog = log > emptyLog
        let connection =
            try isBesideLog
            ? DatabaseQueue(path: CheckedFiles.uri(path.path, "mode=ro&vfs=unix-none"), configuration: besideLog)
            : DatabaseQueue(path: CheckedFiles.uri(path.path, isImmutable: true), configuration: plain)
        defer { try? connection.close() }
        try connection.unsafeRead { database in
            guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") != 0 else { return }
            let (stored, version) = try StoreSchema.identity(of: database, isChecked: !isBesideLog, errors: errors)
            guard version <= StoreSchema.formatVersion else { throw StoreSchema.otherVersion(version, errors) }
            guard version > 0 else { throw errors.damaged("the format version") }
            if stored != databaseID { try StoreSchema.checkName(database, expected: databaseID, errors: errors) }
            if version == StoreSchema.formatVersion { _ = try StoredHistory.read(database, errors) }
            if version >= StoreSchema.firstInspected, !isForRepair { _ = try IndexCatalog.load(database, version: 0, errors) }
        }
    }

    private static var plain: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.foreignKeysEnabled = false
        return configuration
    }

    /// Reads a log without the index beside it: such a connection has the index in its memory. It takes no locks, which the lock file
    /// makes unnecessary, and cannot write, so the log remains when it is closed.
    private static var besideLog: Configuration {
        var configuration = plain
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            // SQLite removes a log in which it finds no commit, such as a damaged one.
            var isKept: Int32 = 1
            sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
        }
        return configuration
    }

    private static func checkBeginning(_ path: StorePath, _ errors: StoreErrors) throws {
        let descriptor = open(path.path, O_RDONLY | O_CLOEXEC)
        // Opening it says why.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: magic.count)
        guard pread(descriptor, &bytes, bytes.count, 0) == bytes.count, bytes == magic else {
            throw errors.error(code: SQLITE_NOTADB, message: "file is not a database")
        }
    }

    /// nil unless the path names a regular file.
    private static func size(_ path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }
}
