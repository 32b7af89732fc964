// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import Foundation
import GRDB

/// The peer of the database cases: GRDB alone on a table like ours, with our settings and our bytes.
///
/// No key checks, no change log, no listeners, no commit times: what the storage itself can do.
final class RawTable: Sendable {
    private let pool: DatabasePool

    init(path: String) throws {
        pool = try DatabasePool(path: path, configuration: SQLiteSettings.configuration())
        try SQLiteSettings.setDurability(.full, of: pool)
        try pool.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE documents(
                        rowid INTEGER PRIMARY KEY, collection INTEGER NOT NULL, id BLOB NOT NULL,
                        create_time INTEGER NOT NULL, update_time INTEGER NOT NULL, fields BLOB NOT NULL,
                        UNIQUE(collection, id));
                    """)
        }
    }

    /// One transaction.
    func insert(_ documents: [(id: String, fields: Data)], collection: Int) throws {
        try pool.write { database in
            let statement = try database.cachedStatement(sql: "INSERT INTO documents VALUES(NULL, ?, ?, 1, 1, ?)")
            for (id, fields) in documents {
                try statement.execute(arguments: [collection, Data(id.utf8), fields])
            }
        }
    }

    /// The bytes of one document, in a separate read transaction.
    func fields(of id: String, collection: Int) throws -> Data? {
        try pool.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT fields FROM documents WHERE collection = ? AND id = ?")
            return try Data.fetchOne(statement, arguments: [collection, Data(id.utf8)])
        }
    }

    /// Every document in id order, mapped by `body` from the bytes in place.
    func scan<R>(collection: Int, _ body: (_ id: String, _ fields: UnsafeRawBufferPointer) -> R) throws -> [R] {
        try pool.read { database in
            var result: [R] = []
            let statement = try database.cachedStatement(
                sql: "SELECT id, fields FROM documents WHERE collection = ? ORDER BY id")
            let rows = try Row.fetchCursor(statement, arguments: [collection])
            while let row = try rows.next() {
                try row.withUnsafeData(atIndex: 0) { id in
                    try row.withUnsafeData(atIndex: 1) { fields in
                        guard let id, let fields else { return }
                        fields.withUnsafeBytes { bytes in
                            result.append(body(String(decoding: id, as: UTF8.self), bytes))
                        }
                    }
                }
            }
            return result
        }
    }

    func close() throws { try pool.close() }
}
