// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import GRDB
import GRDBSQLite

/// Keeps the write-ahead log short (decision 25).
///
/// SQLite copies the log into the database file when it has reached a certain size, but restarts it only if no reader needs it at
/// that moment. Under sustained load there always is one, and the log grows without limit. So the writer does it here: it
/// first copies without waiting, and when the log has grown further, it waits for the readers that use it. New readers do not
/// need the log any more, so the wait is at most as long as the longest read.
final class WriteAheadLog: Sendable {
    private struct State {
        /// The number of pages in the log after the last commit.
        var pages = 0
        /// The size at which the next attempt is made.
        var next = SQLiteSettings.checkpointPages
    }

    /// The log grows by this many pages between two attempts.
    private static let pause = 256
    private let state = Mutex(State())

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
            if pages < state.pages { state.next = SQLiteSettings.checkpointPages }
            state.pages = pages
        }
    }

    /// Makes sure that a commit which failed stays one.
    ///
    /// When its sync fails, its pages are in the log as if it had succeeded. This process goes on without them, but the next one to
    /// open the file would take them for a commit if this one were killed now. A commit that changes nothing is written over
    /// them. If that fails, too, the next commit or the end of the process without a crash does the same.
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
        guard pages >= SQLiteSettings.restartPages else { return Self.error(of: { _ = try database.checkpoint(.passive) }) }
        let patience = pages >= SQLiteSettings.urgentPages ? SQLiteSettings.busyMilliseconds : 100
        sqlite3_busy_timeout(database.sqliteConnection, Int32(patience))
        defer { sqlite3_busy_timeout(database.sqliteConnection, Int32(SQLiteSettings.busyMilliseconds)) }
        return Self.error(of: { _ = try database.checkpoint(.restart) })
    }

    private static func error(of body: () throws -> Void) -> (any Error)? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }
}
