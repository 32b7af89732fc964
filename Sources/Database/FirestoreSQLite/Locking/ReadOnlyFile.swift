// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import GRDB

/// A database file that can be read but not written: it is on a read-only medium, or the process lacks the permission.
///
/// Neither a lock nor a write-ahead log can be created beside such a file, so SQLite opens it as a file that does not change
/// (`immutable`). That is correct only if every commit is in the file itself; a log that still holds commits is either read as a
/// log, or the file is rejected.
package enum ReadOnlyFile {
    /// Whether the file, or a file that a writer maintains beside it, cannot be written. False for a file that cannot be read either;
    /// opening it reports why.
    package static func isNecessary(for path: StorePath) -> Bool {
        guard access(path.path, R_OK) == 0 else { return false }
        return ["", ".lock", "-wal", "-shm"].contains { !isWritable(path.path + $0) }
    }

    private static func isWritable(_ file: String) -> Bool {
        if access(file, W_OK) == 0 { return true }
        guard errno == ENOENT else { return false }
        let directory = (file as NSString).deletingLastPathComponent
        return access(directory, W_OK) == 0
    }

    /// A connection that only reads, and the lock that excludes other processes while it is held; nil where there is no lock file
    /// and none can be created.
    static func connection(
        to path: StorePath, _ kind: StoreKind = .database, advice: String? = nil
    ) throws -> (DatabaseQueue, FileLock?) {
        // A process that reads or copies the file would miss the newest commits. A cache may lose what its server has.
        if kind == .database { try LogGap.check(path, StoreErrors(file: path.path)) }
        guard isNecessary(for: path) else {
            let lock = try FileLock(for: path, kind, advice: advice)
            // A connection that only reads would create the files of a log, and could not remove them.
            let name = CheckedFiles.uri(path.path, isImmutable: filledLog(of: path) == nil)
            return (try DatabaseQueue(path: name, configuration: configuration), lock)
        }
        let lock = try FileLock(sharing: path, kind, advice: advice)
        return (try unwritableConnection(to: path), lock)
    }

    static func unwritableConnection(to path: StorePath) throws -> DatabaseQueue {
        guard let log = filledLog(of: path) else {
            return try DatabaseQueue(path: CheckedFiles.uri(path.path, isImmutable: true), configuration: configuration)
        }
        // SQLite reads a log without writing only if its index exists too; the first statement shows whether it does.
        do {
            let connection = try DatabaseQueue(path: CheckedFiles.uri(path.path), configuration: configuration)
            try connection.unsafeRead { _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master") }
            return connection
        } catch {
            throw FirestoreError(
                .failedPrecondition,
                "the newest commits are in the file beside it that ends in \(log), which cannot be read in a read-only directory; "
                    + "copy both files into a writable directory and open the copy",
                at: path.path, cause: error)
        }
    }

    static var configuration: Configuration {
        var configuration = SQLiteSettings.configuration()
        configuration.readonly = true
        return configuration
    }

    /// The end of the name of a file beside the database that may hold commits.
    private static func filledLog(of path: StorePath) -> String? { ["-wal", "-journal"].first { isFilled(path.path + $0) } }

    static func isFilled(_ file: String) -> Bool {
        var status = stat()
        return stat(file, &status) == 0 && status.st_size > 0
    }
}
