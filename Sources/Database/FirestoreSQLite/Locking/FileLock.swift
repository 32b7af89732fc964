// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation

/// Restricts a database or a cache to one process, by a lock on `<file>.lock`.
package final class FileLock: Sendable {
    private let file: LockedFile

    package init(for path: StorePath, _ kind: StoreKind = .database, advice: String? = nil) throws(FirestoreError) {
        do {
            file = try LockedFile(exclusive: path.path + ".lock", firstNote: kind == .database ? HistoryRecord.unknownNote : "")
        } catch {
            throw Self.error(error, path, kind, advice)
        }
    }

    /// Together with other processes that use the file in the same way; excludes those that want it for themselves.
    init(joining path: StorePath, _ kind: StoreKind) throws(FirestoreError) {
        do {
            file = try LockedFile(joining: path.path + ".lock")
        } catch {
            throw Self.error(error, path, kind, nil)
        }
    }

    /// The history of the file, as noted by the last holder of the lock.
    var historyRecord: HistoryRecord { HistoryRecord(note: file.note) }

    func note(_ record: HistoryRecord) { file.write(note: record.note) }

    /// Excludes the others that have joined, for a change of the tables, or admits them again.
    func change(isExclusive: Bool, of database: StorePath) throws(FirestoreError) {
        guard file.change(isExclusive: isExclusive) else {
            throw FirestoreError(
                .failedPrecondition,
                isExclusive
                    ? "another process uses the cache with an older version of Hearth, and this one has to change its tables; end the "
                        + "other process first" : "another process has taken the cache for itself; try again", at: database.path)
        }
    }

    /// Excludes writers where the lock file cannot be written; several readers share it. nil if there is no lock file.
    init?(sharing path: StorePath, _ kind: StoreKind = .database, advice: String? = nil) throws(FirestoreError) {
        do {
            file = try LockedFile(shared: path.path + ".lock")
        } catch {
            if case .cannotOpen(ENOENT) = error { return nil }
            throw Self.error(error, path, kind, advice)
        }
    }

    private static func error(
        _ failure: LockedFile.Failure, _ path: StorePath, _ kind: StoreKind, _ advice: String?
    ) -> FirestoreError {
        let reason: Int32
        switch failure {
        case .held(let holder):
            return FirestoreError(
                .failedPrecondition,
                "the \(kind.noun) is open in another process (pid \(holder)); \(advice ?? kind.adviceIfLocked)", at: path.path)
        case .cannotOpen(let number), .cannotLock(let number): reason = number
        }
        let code: FirestoreError.Code =
            switch reason {
            case EACCES, EPERM, EROFS: .permissionDenied
            case ENOSPC, EDQUOT, EMFILE, ENFILE: .resourceExhausted
            default: .failedPrecondition
            }
        return FirestoreError(
            code,
            "the lock file cannot be created; the directory of the file must be writable "
                + "(\(String(cString: strerror(reason))))", at: path.path + ".lock")
    }
}

extension StoreKind {
    fileprivate var noun: String {
        switch self {
        case .database: "database"
        case .cache: "cache"
        }
    }

    /// The advice for a file that another process has open.
    fileprivate var adviceIfLocked: String {
        switch self {
        case .database: "to use it from several processes, let one of them serve it and connect the others to that server"
        case .cache: "end it, or wait until it has finished"
        }
    }
}
