// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage
import GRDB

/// The catalog of indexes and their entries. Storage treats keys as bytes; their meaning is the caller's.
extension WriteTransaction {
    // MARK: Catalog

    package func addIndex(_ definition: IndexDefinition, isConfigured: Bool) throws(FirestoreError) {
        let statement = try self.statement("INSERT INTO indexes(definition, state, configured, last_used) VALUES(?1, ?2, ?3, ?4)")
        statement.bind(1, copying: IndexDefinitionEncoding.encode(definition))
        statement.bind(2, IndexCatalog.RowState.building.rawValue)
        statement.bind(3, isConfigured ? IndexCatalog.configured : 0)
        // An index is created because it is wanted now: it must not look unused.
        statement.bind(4, lastCommitTime.microseconds)
        try changeCatalog(statement)
    }

    package func setConfigured(_ isConfigured: Bool, _ index: StoredIndex) throws(FirestoreError) {
        try set(IndexCatalog.configured, isConfigured, index)
    }

    package func setForExpiry(_ isForExpiry: Bool, _ index: StoredIndex) throws(FirestoreError) {
        try set(IndexCatalog.forExpiry, isForExpiry, index)
    }

    /// Sets one bit of `configured`.
    private func set(_ bit: Int64, _ isSet: Bool, _ index: StoredIndex) throws(FirestoreError) {
        let statement = try self.statement("UPDATE indexes SET configured = configured & ~?2 | ?3 WHERE number = ?1")
        statement.bind(1, index.number)
        statement.bind(2, bit)
        statement.bind(3, isSet ? bit : 0)
        try changeCatalog(statement)
    }

    package func setBuilt(_ index: StoredIndex, to position: IndexPosition) throws(FirestoreError) {
        let statement = try self.statement("UPDATE indexes SET built_collection = ?2, built_id = ?3 WHERE number = ?1")
        statement.bind(1, index.number)
        statement.bind(2, position.collection)
        statement.bind(3, position.id.buffer)
        defer { withExtendedLifetime(position) {} }
        try changeCatalog(statement)
    }

    package func setReady(_ index: StoredIndex) throws(FirestoreError) {
        let statement = try self.statement("UPDATE indexes SET state = ?2, built_collection = NULL, built_id = NULL WHERE number = ?1")
        statement.bind(1, index.number)
        statement.bind(2, IndexCatalog.RowState.ready.rawValue)
        try changeCatalog(statement)
    }

    package func drop(_ index: StoredIndex) throws(FirestoreError) {
        let statement = try self.statement(
            "UPDATE indexes SET state = ?2, definition = NULL, built_collection = NULL, built_id = NULL WHERE number = ?1")
        statement.bind(1, index.number)
        statement.bind(2, IndexCatalog.RowState.dropped.rawValue)
        try changeCatalog(statement)
    }

    package func removeEntries(ofDropped number: Int64, limit: Int) throws(FirestoreError) -> Int {
        let statement = try self.statement(
            """
            DELETE FROM index_entries WHERE (idx, collection, key) IN (
                SELECT idx, collection, key FROM index_entries WHERE idx = ?1 LIMIT ?2)
            """)
        statement.bind(1, number)
        statement.bind(2, Int64(limit))
        try statement.run()
        let removed = database.changesCount
        guard removed < limit else { return removed }
        let last = try self.statement("DELETE FROM indexes WHERE number = ?1")
        last.bind(1, number)
        try changeCatalog(last)
        return removed
    }

    package func setLastUse(_ time: DocumentVersion, of index: Int64) throws(FirestoreError) {
        let statement = try self.statement("UPDATE indexes SET last_used = max(last_used, ?2) WHERE number = ?1")
        statement.bind(1, index)
        statement.bind(2, time.microseconds)
        try statement.run()
    }

    package func lastUses() throws(FirestoreError) -> [Int64: DocumentVersion] {
        try IndexCatalog.lastUses(database, errors)
    }

    private func changeCatalog(_ statement: SQLStatement) throws(FirestoreError) {
        try statement.run()
        catalogHasChanged()
    }

    // MARK: Entries

    package func addEntry(
        _ key: [UInt8], of index: StoredIndex, at place: DocumentPlace, kinds: Int64
    ) throws(FirestoreError) {
        guard let row = try row(at: place) else {
            throw FirestoreError(.internal, "a document with an index entry has no row", at: errors.file)
        }
        let statement = try self.statement("INSERT OR REPLACE INTO index_entries VALUES(?1, ?2, ?3, ?4, ?5)")
        statement.bind(1, index.number)
        statement.bind(2, index.entryCollection(place.collection))
        statement.bind(3, copying: key)
        statement.bind(4, row)
        statement.bind(5, kinds)
        try statement.run()
    }

    package func removeEntry(_ key: [UInt8], of index: StoredIndex, at place: DocumentPlace) throws(FirestoreError) {
        let statement = try self.statement("DELETE FROM index_entries WHERE idx = ?1 AND collection = ?2 AND key = ?3")
        statement.bind(1, index.number)
        statement.bind(2, index.entryCollection(place.collection))
        statement.bind(3, copying: key)
        try statement.run()
    }

    /// The row of a stored document, which index entries refer to.
    private func row(at place: DocumentPlace) throws(FirestoreError) -> Int64? {
        if let row = place.row { return row }
        if let lastPlace, lastPlace.collection == place.collection, lastPlace.id == place.id { return lastPlace.row }
        let statement = try self.statement("SELECT rowid FROM documents WHERE collection = ?1 AND id = ?2")
        defer {
            statement.reset()
            withExtendedLifetime(place.id) {}
        }
        statement.bind(1, place.collection)
        statement.bind(2, place.id.buffer)
        guard try statement.step() else { return nil }
        let row = statement.integer(0)
        lastPlace = DocumentPlace(collection: place.collection, id: place.id, row: row)
        return row
    }
}
