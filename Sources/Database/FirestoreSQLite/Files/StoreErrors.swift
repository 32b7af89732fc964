// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import GRDB
import GRDBSQLite

/// Converts SQLite's errors; the only place that does. Every message names the file and says what to do.
package struct StoreErrors: Sendable {
    /// The path of the database, or "memory".
    package let file: String

    package init(file: String) { self.file = file }

    /// See `SQLiteStore.hasLostLog`.
    var lostLog: FirestoreError {
        FirestoreError(
            .unavailable, "the disk has lost a part of what was written last; end the process, or close the database and open it again",
            at: file)
    }

    /// See `FilePresence`.
    var lostFiles: FirestoreError {
        FirestoreError(
            .unavailable,
            "the files of the database were removed, moved or unmounted while it is open, so nothing is committed any more; it can "
                + "still be read: before this process ends, copy it to another disk (`hearth backup` copies it out of a server), or put "
                + "the same files back", at: file)
    }

    /// See `FileBeforeOpening`.
    func logWithoutFile(isMissing: Bool) -> FirestoreError {
        FirestoreError(
            .failedPrecondition,
            "the database file is \(isMissing ? "missing" : "empty"), but there is a log of it, \(file)-wal: a new database would destroy "
                + "the commits in the log; put the file back beside its log, or restore a backup. If the log is not needed, move it away",
            at: file)
    }

    func translate(_ error: any Error) -> FirestoreError {
        switch error {
        case let error as FirestoreError: error
        case let error as DatabaseError:
            self.error(code: error.extendedResultCode.rawValue, message: error.message ?? "no message", cause: error)
        default: FirestoreError(.internal, "unexpected error of the database layer: \(error)", at: file, cause: error)
        }
    }

    /// Converts an extended result code of SQLite.
    package func error(code: Int32, message: String, cause: (any Error)? = nil) -> FirestoreError {
        // Hearth's statements fit Hearth's tables. If one does not, the text that describes the tables is damaged.
        let isTableLost = code == SQLITE_ERROR && (message.hasPrefix("no such ") || message.contains(" has no column named "))
        if code == CheckedFile.damageCode { return damagedPage(cause) }
        let (translated, advice) = Self.meaning(of: isTableLost ? SQLITE_CORRUPT : code)
        return FirestoreError(
            translated, "\(advice) (SQLite error \(code): \(message))", at: file, cause: cause)
    }

    static func meaning(of code: Int32) -> (FirestoreError.Code, String) {
        // Creating the wal-index on a full disk is reported as a separate input/output error.
        if code == SQLITE_IOERR | (19 << 8) {
            return (.resourceExhausted, "the disk is full; free some space and try again")
        }
        // A process was killed while it created the file.
        if code == SQLITE_READONLY | (3 << 8) {
            return (.failedPrecondition, "the file was not completed by the process that created it; open it for writing, which repairs it")
        }
        switch code & 0xFF {
        case SQLITE_FULL:
            return (.resourceExhausted, "the disk or the size limit of the database is full; free some space and try again")
        case SQLITE_READONLY:
            return (.permissionDenied, "the database file is read-only; make the file and its directory writable")
        case SQLITE_PERM, SQLITE_AUTH:
            return (.permissionDenied, "access to the database file is refused; check the owner and mode of the file")
        case SQLITE_CANTOPEN:
            return (
                .permissionDenied,
                "the database file cannot be opened; check that the path names a file in a directory this process may write to"
            )
        case SQLITE_NOTADB:
            return (.dataLoss, "the file is not a database; give another path, or restore the file from a backup")
        case SQLITE_CORRUPT:
            return (.dataLoss, "the database file is damaged; run `hearth check`, or restore it from a backup")
        case SQLITE_BUSY, SQLITE_LOCKED:
            return (.unavailable, "another program holds the database file locked; close it and try again")
        case SQLITE_NOMEM: return (.resourceExhausted, "there is not enough memory for the operation")
        case SQLITE_TOOBIG: return (.invalidArgument, "the data is larger than the database can hold in one row")
        case SQLITE_INTERRUPT, SQLITE_ABORT: return (.cancelled, "the operation was interrupted")
        case SQLITE_IOERR:
            return (.unavailable, "reading or writing the database file failed; check the disk")
        case SQLITE_MISUSE: return (.failedPrecondition, "the database is closed; open it again")
        default: return (.internal, "the database refused an operation")
        }
    }

    /// A page that does not have its checksum.
    private func damagedPage(_ cause: (any Error)?) -> FirestoreError {
        let place = DamagedPages.shared.last(in: file)
        let page =
            place.map { "the \($0.size) bytes at \($0.offset) of \($0.isLog ? "its log (-wal)" : "the file")" } ?? "the bytes of a page"
        return FirestoreError(
            .dataLoss,
            "\(page) are not what was written there: the disk or another program has changed them; run `hearth check`, or restore the "
                + "database from a backup", at: file, cause: cause)
    }

    /// A row with content that Hearth never writes.
    func damaged(_ what: String) -> FirestoreError {
        FirestoreError(
            .dataLoss,
            "the stored bytes of \(what) are damaged; run `hearth check`, or restore the database from a backup",
            at: file)
    }
}
