// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
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

    /// A template for caches, whose tables are always the same ones.
    private static let cache = Mutex<DatabaseQueue?>(nil)

    /// Gives a new database in memory the tables of a cache, without a name.
    static func copy(_ tables: CacheTables, to queue: DatabaseQueue) throws {
        let template = try cache.withLock { template in
            if let template { return template }
            let new = try DatabaseQueue(configuration: SQLiteSettings.configuration())
            try new.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    try StoreSchema.addCacheTables(tables, to: database)
                    return .commit
                }
            }
            template = new
            return new
        }
        try template.backup(to: queue)
    }

    /// Gives a new database in memory the tables, without a name.
    static func copy(to queue: DatabaseQueue) throws { try database.get().backup(to: queue) }
}
