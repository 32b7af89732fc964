// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import GRDB

/// The history in a database file.
enum StoredHistory {
    /// Facts that are true in one history only: the answers to batches of Write streams.
    static let facts = "hearth/write-streams/"..<"hearth/write-streams0"

    static func read(_ database: Database, _ errors: StoreErrors) throws -> (history: DatabaseHistory, lastCommit: DocumentVersion) {
        let row = try SQLStatement("SELECT history, earlier_tokens, last_commit_time FROM meta", on: database, errors: errors)
        defer { row.reset() }
        guard try row.step() else { throw errors.damaged("the history of the database") }
        let history = DatabaseHistory(
            number: UInt64(bitPattern: row.integer(0)), includesEarlierTokens: row.integer(1) != 0, runs: try StoredRuns.read(database))
        return (history, DocumentVersion(microseconds: row.integer(2)))
    }

    /// Begins a history, if the file is not the one that the lock file was beside; and a run, if the opening asks for it.
    static func settle(
        _ database: Database, _ record: HistoryRecord, _ opening: StoreOpening, isNew: Bool, errors: StoreErrors
    ) throws -> (history: DatabaseHistory, lastCommit: DocumentVersion) {
        let settled = try settleHistory(database, record, opening, isNew: isNew, errors: errors)
        guard opening.beginsRun, let runs = settled.history.runs else { return settled }
        try database.inTransaction(.immediate) {
            _ = try StoredRuns.begin(opening.makeRun(), runs, after: settled.lastCommit, in: database)
            // Whatever clients have seen, they ignore what is earlier: the present state has the present time. A new file gets its
            // first time with its first commit.
            if settled.lastCommit > .none {
                try database.execute(sql: "UPDATE meta SET last_commit_time = max(last_commit_time, ?)", arguments: [opening.clock.now()])
            }
            return .commit
        }
        return try read(database, errors)
    }

    private static func settleHistory(
        _ database: Database, _ record: HistoryRecord, _ opening: StoreOpening, isNew: Bool, errors: StoreErrors
    ) throws -> (history: DatabaseHistory, lastCommit: DocumentVersion) {
        let stored = try read(database, errors)
        if isNew || opening.continuesHistory || record.fits(stored.history.number, stored.lastCommit) { return stored }
        var floor = opening.clock.now()
        // The clock of the machine may have been set back. A time far in the future is not believed.
        if case .known(_, let time) = record, time.microseconds < floor + day { floor = max(floor, time.microseconds + 1) }
        try database.inTransaction(.immediate) {
            try begin(opening.makeHistory(), after: floor, in: database)
            return .commit
        }
        return try read(database, errors)
    }

    private static let day: Int64 = 86_400_000_000

    /// Begins a history in the present transaction. Its first time is later than the last commit of the file and not before `floor`:
    /// clients ignore earlier times than those that they have seen.
    ///
    /// The change log is emptied. Between the last commit of the file and the beginning of the history, the log knows nothing of what
    /// clients may have seen.
    static func begin(_ number: UInt64, after floor: Int64, in database: Database) throws {
        try database.execute(
            sql: """
                UPDATE meta SET history = ?, earlier_tokens = 0, last_commit_time = max(last_commit_time + 1, ?);
                DELETE FROM changes;
                UPDATE meta SET log_floor = last_commit_time + 1;
                """, arguments: [Int64(bitPattern: number), floor])
        try database.execute(
            sql: "DELETE FROM facts WHERE key >= CAST(? AS BLOB) AND key < CAST(? AS BLOB)",
            arguments: [facts.lowerBound, facts.upperBound])
        try database.execute(sql: "DELETE FROM facts WHERE key = CAST(? AS BLOB)", arguments: [StoredRuns.fact])
    }
}
