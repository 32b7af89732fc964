// SPDX-License-Identifier: Apache-2.0
import GRDB

/// An empty database in memory that new ones are copied from.
///
/// SQLite takes about 400 µs to create the tables, mostly to read their definitions back after each; copying the few pages takes
/// 15 µs. That matters to tests, which open a database each.
enum MemoryTemplate {
    private static let database = Result { () throws -> DatabaseQueue in
        let queue = try DatabaseQueue(configuration: SQLiteSettings.configuration())
        try queue.writeWithoutTransaction { try StoreSchema.createTables($0) }
        return queue
    }

    /// Gives a new database in memory the tables, without a name.
    static func copy(to queue: DatabaseQueue) throws { try database.get().backup(to: queue) }
}
