// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import GRDB
import GRDBSQLite

/// Bounds the size of the write-ahead log (decision 25).
///
/// SQLite copies the log into the database file when it has reached a certain size, but restarts it only if no reader needs it at
/// that moment. Under sustained load there always is one, and the log grows without limit. So the writer does it here: it
/// first copies without waiting, and when the log has grown further, it waits for the readers of this store that use it. New readers
/// do not need the log any more, so the wait is at most as long as the longest read.
///
/// The reads of other processes are never waited for: while one of them needs the log, it grows.
final class WriteAheadLog: Sendable {
    private struct State {
        /// The number of pages in the log after the last commit.
        var pages = 0
        /// The size at which the next attempt is made.
        var next = SQLiteSettings.checkpointPages
        /// The number of pages up to which another process lets the log be copied; nil if none is known to hold it.
        var held: Int?
    }

    /// How an attempt has ended.
    private enum Attempt {
        case done
        /// A reader needs the log. This many pages of it are in the database file.
        case busy(copied: Int)
    }

    /// The log grows by this many pages between two attempts. While a reader holds the log, an attempt is a few locks and reads nothing.
    private static let pause = 256
    private let state = Mutex(State())
    private let reads: RunningReads

    init(reads: RunningReads) { self.reads = reads }

    /// Makes the writer's connection report the length of the log. Close the connection before this object is released.
    func follow(_ database: Database) {
        sqlite3_wal_hook(
            database.sqliteConnection,
            { context, _, _, pages in
                if let context { Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue().grown(to: Int(pages)) }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func grown(to pages: Int) {
        state.withLock { state in
            // The log has restarted.
            if pages < state.pages { state = State() }
            state.pages = pages
        }
    }

    /// Makes sure that a failed commit stays failed.
    ///
    /// When its sync fails, its pages are in the log as if it had succeeded. This process continues without them, but the next one to
    /// open the file would take them for a commit if this one were killed now. A commit that changes nothing is written over
    /// them. If that fails, too, the next commit or a regular end of the process does the same.
    func replaceFailedCommit(_ database: Database) {
        guard let version = try? Int.fetchOne(database, sql: "PRAGMA user_version") else { return }
        try? database.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Shortens the log if it is long. Called by the writer between two transactions. Returns why that failed: it costs only space, and
    /// is followed by another attempt, unless the log could not be synced.
    func keepShort(_ database: Database) -> (any Error)? {
        let (pages, isDue) = state.withLock { ($0.pages, $0.pages >= $0.next) }
        guard isDue else { return nil }
        state.withLock { $0.next = pages + Self.pause }
        do {
            guard pages >= SQLiteSettings.restartPages else {
                _ = try attempt(SQLITE_CHECKPOINT_PASSIVE, database)
                return nil
            }
            let patience = pages >= SQLiteSettings.urgentPages ? SQLiteSettings.busyMilliseconds : 100
            try restart(database, by: .now() + .milliseconds(patience))
            return nil
        } catch {
            return error
        }
    }

    /// Restarts the log if the readers permit it.
    private func restart(_ database: Database, by deadline: DispatchTime) throws {
        // First those that began before the last commits, so that all of the log is copied; then those that began before that was done.
        for _ in 0..<2 {
            guard case .busy(let copied) = try attempt(SQLITE_CHECKPOINT_RESTART, database) else { return }
            if isHeld(copied: copied) { return }
            guard reads.wait(until: deadline) else { return }
        }
        guard case .busy(let copied) = try attempt(SQLITE_CHECKPOINT_RESTART, database) else { return }
        // The readers of this store that were in the way have ended.
        state.withLock { $0.held = copied }
    }

    /// Whether another process still has the view that was in the way before.
    private func isHeld(copied: Int) -> Bool {
        state.withLock { state in
            if let held = state.held, copied > held { state.held = nil }
            return state.held != nil
        }
    }

    /// Copies the log into the database file, and in the mode RESTART lets it start again, without waiting for anything.
    private func attempt(_ mode: Int32, _ database: Database) throws -> Attempt {
        let connection = database.sqliteConnection
        sqlite3_busy_timeout(connection, 0)
        defer { sqlite3_busy_timeout(connection, Int32(SQLiteSettings.busyMilliseconds)) }
        var copied: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(connection, "main", mode, nil, &copied)
        switch code & 0xFF {
        case SQLITE_OK: return .done
        case SQLITE_BUSY: return .busy(copied: Int(copied))
        default:
            let message = connection.map { String(cString: sqlite3_errmsg($0)) }
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        }
    }
}
