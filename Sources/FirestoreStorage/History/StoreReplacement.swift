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

    /// The latest commit in this place that is known.
    package var lastCommit: DocumentVersion {
        var last = DocumentVersion.none
        if case .known(_, let time) = lock.historyRecord { last = time }
        // A damaged file is replaced, too.
        let connection = isTaken ? try? DatabaseQueue(path: path.path, configuration: ReadOnlyFile.configuration) : nil
        defer { try? connection?.close() }
        let stored = try? connection?.unsafeRead { try StoredHistory.read($0, StoreErrors(file: path.path)).lastCommit }
        return max(last, stored ?? .none)
    }

    /// Copies a database file of any format, with the commits in the log beside it.
    package func copy(_ source: String) throws(FirestoreError) {
        let source = try StorePath(preparing: source)
        let errors = StoreErrors(file: source.path)
        do {
            let (connection, lock) = try ReadOnlyFile.connection(to: source, advice: "stop that process, then try again")
            defer { withExtendedLifetime(lock) { try? connection.close() } }
            try connection.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [part.path]) }
        } catch {
            throw errors.translate(error)
        }
    }

    /// Puts the prepared file, which nobody has open, into the place. What was there is kept under another name, which is returned.
    package func finish(_ history: DatabaseHistory, at time: DocumentVersion) throws(FirestoreError) -> String? {
        do {
            try DurableFile.sync(part.path)
            let kept = try setAside(at: time)
            try DurableFile.rename(part.path, to: path.path)
            lock.note(.known(history: history.number, lastCommit: time))
            discard()
            return kept
        } catch {
            throw StoreErrors(file: path.path).translate(error)
        }
    }

    /// A log belongs to its file, and must not stay beside another one.
    private func setAside(at time: DocumentVersion) throws -> String? {
        unlink(path.path + "-shm")
        let kept = "\(path.path).replaced-\(time.microseconds)"
        for suffix in ["-wal", ""] where FileManager.default.fileExists(atPath: path.path + suffix) {
            try DurableFile.rename(path.path + suffix, to: kept + suffix)
        }
        return FileManager.default.fileExists(atPath: kept) ? kept : nil
    }

    /// Removes the file that was being prepared.
    package func discard() { for suffix in ["", "-wal", "-shm", ".lock"] { unlink(part.path + suffix) } }
}

extension Store {
    /// Begins a history of a copy, whose first time is later than another one. Returns it with its first time.
    ///
    /// Unless `keepsTimes`, all documents get that time as update time: clients with a cache ignore documents that are older than what they
    /// know. The change log is emptied then, because it says otherwise.
    package func beginHistory(
        after floor: DocumentVersion, keepsTimes: Bool, opening: StoreOpening = StoreOpening()
    ) throws(FirestoreError) -> (history: DatabaseHistory, time: DocumentVersion, documents: Int) {
        try inspect { database in
            try database.inTransaction(.immediate) {
                try StoredHistory.begin(
                    opening.makeHistory(), after: max(opening.clock.now(), floor.microseconds + 1), in: database)
                if !keepsTimes {
                    try database.execute(
                        sql: """
                            UPDATE documents SET update_time = (SELECT last_commit_time FROM meta);
                            DELETE FROM changes;
                            UPDATE meta SET log_floor = last_commit_time + 1;
                            """)
                }
                return .commit
            }
            let (history, time) = try StoredHistory.read(database, errors)
            return (history, time, try Int.fetchOne(database, sql: "SELECT count(*) FROM documents") ?? 0)
        }
    }
}
