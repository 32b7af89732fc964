// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import GRDB
import GRDBSQLite

/// Keeps the write-ahead log short (decision 25).
///
/// SQLite copies the log into the database file when it has grown to some size, but begins it anew only if no reader needs
/// it at that moment. Under sustained load there always is one, and the log grows without end. So the writer does it here:
/// it copies without waiting first, and when the log has grown further, it waits for the readers that use it. Readers that
/// come meanwhile do not need the log any more, so the wait is as long as the longest read at most.
final class WriteAheadLog: Sendable {
    private struct State {
        /// Pages in the log after the last commit.
        var pages = 0
        /// Nothing is tried below it.
        var next = SQLiteSettings.checkpointPages
    }

    /// Between two attempts the log grows by so many pages.
    private static let pause = 256
    private let state = Mutex(State())

    /// Has the writer's connection tell how long the log is. It must be closed before this object goes.
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
            // It has begun anew.
            if pages < state.pages { state.next = SQLiteSettings.checkpointPages }
            state.pages = pages
        }
    }

    /// Shortens the log if it is long. Called by the writer between two transactions.
    func keepShort(_ database: Database) {
        let (pages, isDue) = state.withLock { ($0.pages, $0.pages >= $0.next) }
        guard isDue else { return }
        state.withLock { $0.next = pages + Self.pause }
        // A failure costs nothing but space, and the next attempt follows.
        guard pages >= SQLiteSettings.restartPages else {
            _ = try? database.checkpoint(.passive)
            return
        }
        let patience = pages >= SQLiteSettings.urgentPages ? SQLiteSettings.busyMilliseconds : 100
        sqlite3_busy_timeout(database.sqliteConnection, Int32(patience))
        _ = try? database.checkpoint(.restart)
        sqlite3_busy_timeout(database.sqliteConnection, Int32(SQLiteSettings.busyMilliseconds))
    }
}
