// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import GRDB
import GRDBSQLite

/// Which commits wait for the disk.
///
/// A commit that does not wait is durable with the next one that does, because both are in the same log, in their order. After a
/// failure of the machine the last such commits may be missing, and nothing else.
final class CommitSync: Sendable {
    private struct State {
        var durability: Durability
        /// Whether the connection syncs now.
        var isOn: Bool
        /// Whether a commit has not waited since the last one that did.
        var isBehind = false
    }

    private let state: Mutex<State>

    /// The connection that writes has this durability.
    init(_ durability: Durability) { state = Mutex(State(durability: durability, isOn: durability == .full)) }

    /// Called by the writer before a transaction: SQLite cannot change it inside one.
    func prepare(_ database: Database, waits: Bool) throws {
        let isOn = state.withLock { state -> Bool? in
            let wanted = waits && state.durability == .full
            guard state.isOn != wanted else { return nil }
            state.isOn = wanted
            return wanted
        }
        guard let isOn else { return }
        // SQLite carries it out when it compiles it, so it cannot be prepared once. GRDB takes twice as long.
        let connection = database.sqliteConnection
        let code = sqlite3_exec(connection, isOn ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL", nil, nil, nil)
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(connection)))
        }
    }

    /// A transaction was committed.
    func committed() { state.withLock { $0.isBehind = !$0.isOn } }

    /// Whether an error means that commits which did not wait are lost: a failed sync may drop all that it should have stored.
    func hasLost(after error: any Error) -> Bool {
        let cause = error as? DatabaseError ?? (error as? FirestoreError)?.cause as? DatabaseError
        guard cause?.extendedResultCode == .SQLITE_IOERR_FSYNC else { return false }
        return state.withLock { $0.isBehind }
    }

    func changed(to durability: Durability) {
        state.withLock { $0 = State(durability: durability, isOn: durability == .full, isBehind: $0.isBehind) }
    }
}
