// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import GRDB
import GRDBSQLite

/// When the write-ahead log is shortened, in pages. Other values are for tests.
package struct LogLimits: Sendable {
    /// It is copied: 24 MB.
    package var copy = 3_072
    /// The writer waits briefly for readers of the log, so that it restarts: 32 MB.
    package var restart = 4_096
    /// The writer waits longer: 48 MB.
    package var urgent = 6_144
    /// The log grows by so much between two attempts. While a reader holds the log, an attempt is a few locks and reads nothing.
    package var step = 256
    /// A copy that was followed by no more than this has caught up with the writer.
    package var few = 32

    package init() {}
}

/// Bounds the size of the write-ahead log (decision 25).
///
/// SQLite copies the log into the database file when it has reached a certain size, on the thread that commits, and restarts it only if no
/// reader needs it at that moment. Under sustained load there always is one, and the log grows without limit. So the store does it here: a
/// thread of its own copies (`LogCopier`), and when little is left to copy, the writer restarts the log, and waits for the readers of
/// this store that use it. New readers do not need the log any more, so the wait is at most as long as the longest read.
///
/// The reads of other processes are never waited for: while one of them needs the log, it grows.
final class WriteAheadLog: Sendable {
    private struct State {
        /// The number of pages in the log after the last commit.
        var pages = 0
        /// The size at which the next attempt is made.
        var next: Int
        /// The number of pages up to which another process lets the log be copied; nil if none is known to hold it.
        var held: Int?
    }

    private let state: Mutex<State>
    private let limits: LogLimits
    private let reads: RunningReads
    private let copier: LogCopier

    init(path: String, limits: LogLimits = LogLimits(), reads: RunningReads) {
        self.limits = limits
        self.reads = reads
        state = Mutex(State(next: limits.copy))
        copier = LogCopier(path: path, few: limits.few)
    }

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
        let hasRestarted = state.withLock { state in
            let hasRestarted = pages < state.pages
            if hasRestarted { state = State(next: limits.copy) }
            state.pages = pages
            return hasRestarted
        }
        // What was copied of the log before says nothing about this one.
        if hasRestarted { _ = copier.takeCopied() }
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
    ///
    /// A sync that fails on the copier's thread is reported here, after a later commit perhaps. That commit had its own sync, which the
    /// system lets fail too: every open file learns of pages that were lost.
    func keepShort(_ database: Database) -> (any Error)? {
        if let failure = copier.takeFailure() { return failure }
        let (pages, isDue) = state.withLock { state in
            let isDue = state.pages >= state.next
            if isDue { state.next = state.pages + limits.step }
            return (state.pages, isDue)
        }
        guard pages >= limits.copy else { return nil }
        do {
            if let copied = copier.takeCopied(), (0...limits.step).contains(pages - copied) {
                try restart(database, by: .now() + .milliseconds(pages < limits.restart ? 0 : 100))
            } else if isDue, pages >= limits.urgent {
                // The writer is faster than the copier: it has to wait for it.
                copier.wait()
                try restart(database, by: .now() + .milliseconds(SQLiteSettings.busyMilliseconds))
            } else if isDue {
                copier.start()
            }
            return nil
        } catch {
            return error
        }
    }

    /// Call it when the writer has ended, before its connection is closed.
    func close() { copier.close() }

    /// Restarts the log if the readers permit it.
    private func restart(_ database: Database, by deadline: DispatchTime) throws {
        // First those that began before the last commits, so that all of the log is copied; then those that began before that was done.
        for _ in 0..<2 {
            let attempt = try database.copyLog(SQLITE_CHECKPOINT_RESTART)
            if attempt.isDone || isHeld(copied: attempt.copied) { return }
            guard reads.wait(until: deadline) else { return }
        }
        let attempt = try database.copyLog(SQLITE_CHECKPOINT_RESTART)
        guard !attempt.isDone else { return }
        // The readers of this store that were in the way have ended.
        state.withLock { $0.held = attempt.copied }
    }

    /// Whether another process still has the view that was in the way before.
    private func isHeld(copied: Int) -> Bool {
        state.withLock { state in
            if let held = state.held, copied > held { state.held = nil }
            return state.held != nil
        }
    }
}
