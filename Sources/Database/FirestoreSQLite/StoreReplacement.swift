// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation
import GRDB

/// The place of a database file that another file is put into. Held by its lock: no process has a database open there.
package final class StoreReplacement: Sendable {
    package let path: StorePath
    /// The file that takes the place, while it is prepared.
    package let part: StorePath
    private let lock: FileLock
    /// A time later than both this and the clock is not a commit time, whatever the clock was when the commit was made.
    private static let year2100: Int64 = 4_102_444_800_000_000

    package init(_ path: String) throws(FirestoreError) {
        self.path = try StorePath(preparing: path)
        part = try StorePath(preparing: self.path.path + ".restoring")
        lock = try FileLock(for: self.path, advice: "stop that process, then try again")
        discard()
    }

    /// Whether there is a database, or the file of something else.
    package var isTaken: Bool {
        let size = try? FileManager.default.attributesOfItem(atPath: path.path)[.size] as? Int
        return (size ?? 0) > 0
    }

    /// The latest commit in this place that is known, of a file of any format. Times that only damage explains are left out.
    package func lastCommit(at now: Int64) -> DocumentVersion {
        var known: [DocumentVersion] = []
        if case .known(_, let time) = lock.historyRecord { known.append(time) }
        // A damaged file is replaced, too.
        if isTaken, let connection = try? ReadOnlyFile.unwritableConnection(to: path) {
            let time = try? connection.unsafeRead { try Int64.fetchOne($0, sql: "SELECT last_commit_time FROM meta") }
            if let time { known.append(DocumentVersion(microseconds: time)) }
            try? connection.close()
        }
        let latest = max(now, Self.year2100)
        return known.filter { $0.microseconds <= latest }.max() ?? .none
    }

    /// Copies a database file of any format, with the commits in the log beside it.
    package func copy(_ source: String) throws(FirestoreError) {
        let source = try StorePath(preparing: source)
        let errors = StoreErrors(file: source.path)
        do {
            let (connection, lock) = try ReadOnlyFile.connection(to: source, advice: "stop that process, then try again")
            defer { withExtendedLifetime(lock) { try? connection.close() } }
            try DurableFile.create(part.path, like: isTaken ? path.path : source.path)
            try connection.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [part.path]) }
        } catch {
            throw errors.translate(error)
        }
    }

    /// Moves the prepared file, which is not open in any process, to the location. The file that was there is renamed; the new name is
    /// returned. The location is never empty: it has the earlier file until it has the new one.
    package func finish(_ history: DatabaseHistory, at time: DocumentVersion) throws(FirestoreError) -> String? {
        do {
            guard !ReadOnlyFile.isFilled(part.path + "-wal") else {
                throw FirestoreError(.resourceExhausted, "the restored file could not be completed; make room on the disk", at: part.path)
            }
            try DurableFile.sync(part.path)
            let kept = "\(path.path).replaced-\(time.microseconds)"
            let movesLog = try emptyLog(orMoveTo: kept)
            do {
                try keep(as: kept)
                try DurableFile.rename(part.path, to: path.path)
            } catch {
                unlink(kept)
                if movesLog { try? DurableFile.rename(kept + "-wal", to: path.path + "-wal") }
                throw error
            }
            DurableFile.syncFolders(of: path.path)
            lock.note(.known(history: history.number, lastCommit: time))
            discard()
            return FileManager.default.fileExists(atPath: kept) ? kept : nil
        } catch {
            throw StoreErrors(file: path.path).translate(error)
        }
    }

    /// Copies the log of the earlier file into it: a log belongs to its file, and must not stay beside another one. Returns whether the log
    /// was moved instead, because the file is damaged.
    private func emptyLog(orMoveTo kept: String) throws -> Bool {
        if ReadOnlyFile.isFilled(path.path + "-wal") {
            do {
                // A log with a gap is kept with its file, as one of a damaged file.
                try LogGap.check(path, StoreErrors(file: path.path))
                let connection = try DatabaseQueue(path: CheckedFiles.uri(path.path), configuration: SQLiteSettings.configuration())
                defer { try? connection.close() }
                _ = try connection.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            } catch {
                try DurableFile.rename(path.path + "-wal", to: kept + "-wal")
                return true
            }
        }
        for suffix in ["-wal", "-shm"] { unlink(path.path + suffix) }
        return false
    }

    private func keep(as kept: String) throws {
        guard link(path.path, kept) != 0, errno != ENOENT else { return }
        // The file system has no hard links.
        try DurableFile.rename(path.path, to: kept)
    }

    /// Removes the file that was being prepared.
    package func discard() { for suffix in ["", "-wal", "-shm", ".lock"] { unlink(part.path + suffix) } }
}

extension SQLiteStore {
    /// Begins a history of a copy, whose first time is later than another one. Returns it with its first time.
    ///
    /// Unless `keepsTimes`, all documents get that time as update time: clients with a cache ignore documents older than the ones they
    /// know.
    package func beginHistory(
        after floor: DocumentVersion, keepsTimes: Bool, opening: StoreOpening = StoreOpening()
    ) throws(FirestoreError) -> (history: DatabaseHistory, time: DocumentVersion, documents: Int) {
        try onWriter { database in
            try database.inTransaction(.immediate) {
                try StoredHistory.begin(
                    opening.makeHistory(), after: max(opening.clock.now(), floor.microseconds + 1), in: database)
                if !keepsTimes {
                    try database.execute(sql: "UPDATE documents SET update_time = (SELECT last_commit_time FROM meta)")
                }
                return .commit
            }
            let (history, time) = try StoredHistory.read(database, errors)
            return (history, time, try Int.fetchOne(database, sql: "SELECT count(*) FROM documents") ?? 0)
        }
    }

    /// Lets the system decide when what is written reaches the disk, and takes a larger cache: for a file that is removed unless it is
    /// completed and synced as a whole, which is two to three times as fast.
    package func writeAsDraft() throws(FirestoreError) {
        try onWriter { try $0.execute(sql: "PRAGMA synchronous = OFF; PRAGMA cache_size = -\(SQLiteSettings.draftCacheKibibytes)") }
    }

    /// Gives the database another name. The references in its documents stay as they are.
    package func rename(to database: DatabaseID) throws(FirestoreError) {
        try onWriter {
            try $0.execute(
                sql: "UPDATE meta SET project_id = ?, database_id = ?", arguments: [database.projectID, database.databaseID])
        }
    }
}
