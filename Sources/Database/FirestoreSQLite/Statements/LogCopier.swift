// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import GRDB
import GRDBSQLite

/// Copies the write-ahead log into the database file on a thread of its own, while the writer appends to the log.
///
/// The copy is the longest thing that a write could wait for: megabytes of pages, and a sync of the file. It has a connection of its own,
/// which is opened for the first copy, because most databases are closed before their log is long.
final class LogCopier: Sendable {
    private struct State {
        var isRunning = false
        /// The number of pages of the log that are in the file, until it is taken.
        var copied: Int?
        var failure: (any Error)?
    }

    private static let mostPasses = 8

    private let path: String
    private let few: Int
    private let queue = DispatchQueue(label: "hearth.log")
    private let connection = Mutex<DatabaseQueue?>(nil)
    private let state = Mutex(State())

    /// `few`: a pass copies what was written during the one before it. When that was no more than so many pages, little is left.
    init(path: String, few: Int) {
        self.path = path
        self.few = few
    }

    /// The pages that are in the file, once after each copy.
    func takeCopied() -> Int? { state.withLock { $0.copied.take() } }

    /// The error of the last copy, once.
    func takeFailure() -> (any Error)? { state.withLock { $0.failure.take() } }

    /// Begins to copy what is in the log, and what is written meanwhile, unless a copy is running.
    func start() {
        let isFirst = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard isFirst else { return }
        queue.async { [self] in
            let result = Result { try copy() }
            state.withLock { state in
                state.isRunning = false
                switch result {
                case .success(let copied): state.copied = copied
                case .failure(let error): state.failure = error
                }
            }
        }
    }

    /// Returns when no copy is running.
    func wait() { queue.sync {} }

    /// Waits for a copy that is running. Call it after the last `start`, and before the other connections are closed.
    func close() {
        queue.sync {
            let connection = connection.withLock { $0.take() }
            // A failure cannot be handled here, and loses nothing: this connection has never written a commit.
            try? connection?.close()
        }
    }

    private func copy() throws -> Int {
        let connection = try opened()
        var copied = 0
        for _ in 0..<Self.mostPasses {
            let before = copied
            copied = try connection.writeWithoutTransaction { try $0.copyLog(SQLITE_CHECKPOINT_PASSIVE).copied }
            if copied - before <= few { break }
        }
        return copied
    }

    private func opened() throws -> DatabaseQueue {
        if let connection = connection.withLock({ $0 }) { return connection }
        let opened = try DatabaseQueue(path: CheckedFiles.uri(path), configuration: SQLiteSettings.configuration())
        // A connection that has not read yet knows no log.
        try opened.writeWithoutTransaction { _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
        connection.withLock { $0 = opened }
        return opened
    }
}

extension Database {
    /// Copies the log into the database file, and in the mode RESTART lets it start again, without waiting for anything. Returns whether
    /// that was done, and how many pages of the log are in the file; -1 if another copy is running.
    func copyLog(_ mode: Int32) throws -> (isDone: Bool, copied: Int) {
        sqlite3_busy_timeout(sqliteConnection, 0)
        defer { sqlite3_busy_timeout(sqliteConnection, Int32(SQLiteSettings.busyMilliseconds)) }
        var copied: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(sqliteConnection, "main", mode, nil, &copied)
        switch code & 0xFF {
        case SQLITE_OK: return (true, Int(copied))
        case SQLITE_BUSY: return (false, Int(copied))
        default:
            let message = sqliteConnection.map { String(cString: sqlite3_errmsg($0)) }
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        }
    }
}
