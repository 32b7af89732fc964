// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation
package import GRDB
import GRDBSQLite

/// A copy of an open database, made a few pages at a time on the connection that writes (decision 42).
///
/// Pages that this connection changes in the meantime are brought up to date in the copy, so it never begins again because of a commit,
/// and holds no snapshot. When it is complete it shows the state after the last commit. The file is not synced.
package final class StoreCopy: Sendable {
    /// 2 MB.
    private static let pagesPerStep: Int32 = 256
    private static let cacheKibibytes = 1_024
    /// A transaction that is rolled back makes SQLite begin the copy again, and a database that grows is never copied. Beyond this many
    /// times the pages of the beginning the copy fails.
    private static let mostRounds = 20

    /// `@unchecked Sendable`: the pointers are used on the thread that writes only, one caller after the other.
    private struct State: @unchecked Sendable {
        var destination: OpaquePointer?
        var backup: OpaquePointer?
        var steps = 0
        /// The steps after which the copy fails; nil before the first.
        var mostSteps: Int?
        var pagesLeft: Int?
    }

    private let state = Mutex(State())
    private let errors: StoreErrors

    /// Creates the file, which only its owner can read. It must not exist.
    package init(of source: Database, to path: String) throws(FirestoreError) {
        errors = StoreErrors(file: path)
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw FirestoreError(
                errno == EEXIST ? .alreadyExists : .failedPrecondition, "the copy cannot be created (\(String(cString: strerror(errno))))",
                at: path)
        }
        _ = Foundation.close(descriptor)
        do throws(FirestoreError) {
            try begin(source, path)
        } catch {
            end()
            unlink(path)
            throw error
        }
    }

    deinit { end() }

    private func begin(_ source: Database, _ path: String) throws(FirestoreError) {
        var destination: OpaquePointer?
        // A copy has the pages of its source: with checksums, if there is room for them.
        let layer = CheckedFiles.hasRoom(source.sqliteConnection) ? CheckedFiles.name : nil
        let code = sqlite3_open_v2(path, &destination, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, layer)
        state.withLock { $0.destination = destination }
        try check(code, destination)
        // An incomplete copy is never used, so nothing of it needs to survive a failure.
        let settings = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -\(Self.cacheKibibytes)"
        try check(sqlite3_exec(destination, settings, nil, nil, nil), destination)
        let backup = sqlite3_backup_init(destination, "main", source.sqliteConnection, "main")
        if backup == nil { try check(sqlite3_extended_errcode(destination), destination) }
        state.withLock { $0.backup = backup }
    }

    /// Copies the next pages. Returns whether the copy is complete; then it is closed.
    package func step() throws(FirestoreError) -> Bool {
        guard let backup = state.withLock({ $0.backup }) else { throw FirestoreError(.internal, "the copy is over", at: errors.file) }
        let code = sqlite3_backup_step(backup, Self.pagesPerStep)
        let isOverdue = state.withLock { state in
            state.steps += 1
            state.pagesLeft = Int(sqlite3_backup_remaining(backup))
            let most = state.mostSteps ?? 100 + Self.mostRounds * Int(sqlite3_backup_pagecount(backup)) / Int(Self.pagesPerStep)
            state.mostSteps = most
            return state.steps >= most
        }
        switch code & 0xFF {
        case SQLITE_DONE:
            try finish()
            return true
        case SQLITE_OK, SQLITE_BUSY, SQLITE_LOCKED:
            guard !isOverdue else {
                throw FirestoreError(.aborted, "the database changes faster than it can be copied; try again later", at: errors.file)
            }
            return false
        default:
            throw errors.error(code: code, message: String(cString: sqlite3_errstr(code)))
        }
    }

    /// The pages that were left to be copied after the last step; nil before the first.
    package var pagesLeft: Int? { state.withLock { $0.pagesLeft } }

    private func finish() throws(FirestoreError) {
        let (backup, destination) = take()
        let code = sqlite3_backup_finish(backup)
        let closing = sqlite3_close_v2(destination)
        try check(code == SQLITE_OK ? closing : code, nil)
    }

    /// Closes the copy wherever it is. On the thread that writes, or when the database is not used any more.
    package func end() {
        let (backup, destination) = take()
        if let backup { sqlite3_backup_finish(backup) }
        if let destination { sqlite3_close_v2(destination) }
    }

    private func take() -> (backup: OpaquePointer?, destination: OpaquePointer?) {
        let old = state.withLock { state in
            defer { state = State() }
            return state
        }
        return (old.backup, old.destination)
    }

    private func check(_ code: Int32, _ connection: OpaquePointer?) throws(FirestoreError) {
        guard code != SQLITE_OK else { return }
        throw errors.error(code: code, message: String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)))
    }
}

extension SQLiteStore {
    /// Begins a copy into a new file. Call `step` until it is complete, or `end`; the store must not be closed before.
    package func beginCopy(to path: String) throws(FirestoreError) -> StoreCopy { try onWriter { try StoreCopy(of: $0, to: path) } }

    /// Copies the next pages between two transactions. Returns whether the copy is complete.
    package func step(_ copy: StoreCopy) throws(FirestoreError) -> Bool { try onWriter { _ in try copy.step() } }

    /// Ends a copy that is not complete. Its file stays.
    package func end(_ copy: StoreCopy) { try? onWriter { _ in copy.end() } }
}
