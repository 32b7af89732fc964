// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import Foundation
import GRDB

/// The peer of the query cases: SQLite with columns and indexes made by hand for exactly these questions.
final class RawIndexedTable: Sendable {
    struct Row {
        let id: String
        let grp: Int
        let n: Int
        let fields: Data
    }

    private let pool: DatabasePool

    init(path: String) throws {
        pool = try DatabasePool(path: path, configuration: SQLiteSettings.configuration())
        try SQLiteSettings.setDurability(.relaxed, of: pool)
        try pool.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE documents(rowid INTEGER PRIMARY KEY, id BLOB NOT NULL, grp INTEGER NOT NULL, n INTEGER NOT NULL,
                        fields BLOB NOT NULL);
                    CREATE INDEX by_group ON documents(grp, n);
                    CREATE INDEX by_number ON documents(n);
                    """)
        }
    }

    func insert(_ rows: [Row]) throws {
        try pool.write { database in
            let statement = try database.cachedStatement(sql: "INSERT INTO documents VALUES(NULL, ?, ?, ?, ?)")
            for row in rows { try statement.execute(arguments: [Data(row.id.utf8), row.grp, row.n, row.fields]) }
        }
    }

    func firstTwenty() throws -> Int {
        try rows("SELECT id, fields FROM documents WHERE grp = 7 ORDER BY n DESC LIMIT 20", [])
    }

    func q1(_ count: Int) throws -> Int {
        try rows("SELECT id, fields FROM documents WHERE grp = 7 AND n >= ? ORDER BY n LIMIT 20", [count / 2])
    }

    func q2(_ count: Int) throws -> Int {
        try rows(
            "SELECT id, fields FROM documents WHERE n >= ? AND n < ? ORDER BY n LIMIT 20", [count / 2, count / 2 + 1_000])
    }

    /// How many groups there are, each counted and summed, without an index.
    func groups() throws -> Int {
        try pool.read { database in
            let sql = "SELECT grp, count(*), sum(n), avg(n) FROM documents NOT INDEXED GROUP BY grp"
            return try GRDB.Row.fetchAll(try database.cachedStatement(sql: sql)).count
        }
    }

    /// Copies the rows out, as our side does.
    private func rows(_ sql: String, _ arguments: StatementArguments) throws -> Int {
        try pool.read { database in
            var found: [(Data, Data)] = []
            let cursor = try GRDB.Row.fetchCursor(try database.cachedStatement(sql: sql), arguments: arguments)
            while let row = try cursor.next() { found.append((row[0], row[1])) }
            return found.count
        }
    }

    func close() throws { try pool.close() }
}
