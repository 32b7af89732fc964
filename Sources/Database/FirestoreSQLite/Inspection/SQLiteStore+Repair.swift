// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreStorage
import GRDB

extension SQLiteStore {
    /// Makes repairs in one transaction and returns a description of each.
    package func repair(_ repairs: Set<ConsistencyRepair>) throws(FirestoreError) -> [String] {
        try onWriter { database in
            var done: [String] = []
            try database.inTransaction(.immediate) {
                let repair = StoreRepair(database: database, errors: errors)
                done = try ConsistencyRepair.allCases.filter(repairs.contains).map(repair.make)
                return .commit
            }
            return done
        }
    }
}

private struct StoreRepair {
    let database: Database
    let errors: StoreErrors

    func make(_ repair: ConsistencyRepair) throws -> String {
        switch repair {
        case .reindexTables:
            try database.execute(sql: "REINDEX")
            return "rebuilt SQLite's indexes"
        case .raiseCommitTime:
            try database.execute(
                sql: """
                    UPDATE meta SET last_commit_time = max(last_commit_time,
                        coalesce((SELECT max(update_time) FROM documents), 0),
                        coalesce((SELECT max(commit_time) FROM changes), 0))
                    """)
            return "set the time of the last commit to the newest time in the database"
        case .relistCollections: return "listed \(try relistCollections()) under the id in their path"
        case .rewriteDocuments: return "wrote \(try rewriteDocuments()) again in canonical form"
        case .forgetHistory:
            try database.execute(sql: "DELETE FROM changes")
            let removed = database.changesCount
            try database.execute(sql: "UPDATE meta SET log_floor = last_commit_time + 1")
            return "emptied the change log of \(removed) entries"
        case .rebuildIndexes: return "cleared \(try clearIndexes()) of indexes, to be rebuilt from the documents"
        }
    }

    /// The indexes are rebuilt when the database is next opened, because the storage layer cannot compute a document's entries.
    private func clearIndexes() throws -> String {
        let row = try SQLStatement("SELECT number, definition FROM indexes", on: database, errors: errors)
        defer { row.reset() }
        var lost: [Int64] = []
        while try row.step() {
            if row.blob(1).flatMap(IndexDefinitionEncoding.decode) == nil { lost.append(row.integer(0)) }
        }
        for number in lost { try database.execute(sql: "DELETE FROM indexes WHERE number = ?", arguments: [number]) }
        try database.execute(sql: "DELETE FROM index_entries")
        let removed = database.changesCount
        try database.execute(
            sql: """
                UPDATE indexes SET state = \(IndexCatalog.RowState.building.rawValue), built_collection = NULL, built_id = NULL;
                UPDATE meta SET catalog_version = catalog_version + 1
                """)
        return removed == 1 ? "1 entry" : "\(removed) entries"
    }

    private func relistCollections() throws -> String {
        let row = try SQLStatement("SELECT number, path, id FROM collections", on: database, errors: errors)
        defer { row.reset() }
        var wrong: [(number: Int64, id: [UInt8])] = []
        while try row.step() {
            guard let bytes = row.blob(1), let path = String(validating: bytes, as: UTF8.self) else { continue }
            let id = [UInt8](CollectionPath(trusted: path).id.utf8)
            if row.blob(2)?.elementsEqual(id) != true { wrong.append((row.integer(0), id)) }
        }
        for (number, id) in wrong { try set("UPDATE collections SET id = ?2 WHERE number = ?1", number, id) }
        return wrong.count == 1 ? "1 collection" : "\(wrong.count) collections"
    }

    private func rewriteDocuments() throws -> String {
        let row = try SQLStatement("SELECT rowid, fields FROM documents", on: database, errors: errors)
        defer { row.reset() }
        var rewritten: [(row: Int64, fields: FieldBytes)] = []
        // The key is used in messages only, and these are not shown.
        let key = DocumentKey(trusted: "a/b")
        while try row.step() {
            if case .rewritable(let fields) = StoredForm(row.blob(1), of: key) { rewritten.append((row.integer(0), fields)) }
        }
        for (row, fields) in rewritten {
            try set("UPDATE documents SET fields = ?2 WHERE rowid = ?1", row, [UInt8](fields.bytes.buffer))
        }
        return rewritten.count == 1 ? "1 document" : "\(rewritten.count) documents"
    }

    private func set(_ sql: String, _ row: Int64, _ bytes: [UInt8]) throws {
        let statement = try SQLStatement(sql, on: database, errors: errors)
        statement.bind(1, row)
        statement.bind(2, copying: bytes)
        try statement.run()
    }
}
