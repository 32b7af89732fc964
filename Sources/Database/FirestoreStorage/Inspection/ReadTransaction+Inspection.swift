// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import GRDB

/// The rows and entries, as stored, for the check of indexes.
extension ReadTransaction {
    /// Every readable document of all collections with an id, with its row and its place in the order of building.
    package func inspectDocuments(
        collectionID: String,
        _ body: (_ row: Int64, _ place: DocumentPlace, borrowing ScannedDocument) throws(FirestoreError) -> Void
    ) throws(FirestoreError) {
        let statement = try self.statement(
            """
            SELECT d.rowid, number, path, d.id, create_time, update_time, fields
            FROM collections c JOIN documents d ON d.collection = number WHERE c.id = ?1
            """)
        defer { statement.reset() }
        statement.bind(1, copying: [UInt8](collectionID.utf8))
        while try statement.step() {
            // Unreadable documents are reported by the check of documents.
            guard let path = statement.blob(2).flatMap({ String(validating: $0, as: UTF8.self) }),
                let key = statement.blob(3), let fields = statement.blob(6), DocumentRows.isWellFormed(fields)
            else { continue }
            let place = DocumentPlace(collection: statement.integer(1), id: ByteSlice(copying: key))
            _ = try DocumentIDEncoding.withID(key) { (id: UnsafeRawBufferPointer) throws(FirestoreError) in
                try body(
                    statement.integer(0), place,
                    ScannedDocument(
                        collection: CollectionPath(trusted: path), id: id,
                        createTime: DocumentVersion(microseconds: statement.integer(4)),
                        updateTime: DocumentVersion(microseconds: statement.integer(5)), fields: fields))
            }
        }
    }

    /// The row that an entry refers to, and its kinds of numbers if it has them; nil if the entry does not exist.
    package func entry(
        _ key: [UInt8], of index: StoredIndex, in collection: Int64
    ) throws(FirestoreError) -> (row: Int64, kinds: Int64?)? {
        // In a file of format 2, which has no such column, `kinds` is that of the outer table.
        let place = "FROM index_entries WHERE idx = ?1 AND collection = ?2 AND key = ?3"
        let statement = try self.statement("SELECT (SELECT document \(place)), (SELECT kinds \(place)) FROM (SELECT NULL AS kinds)")
        defer { statement.reset() }
        statement.bind(1, index.number)
        statement.bind(2, index.entryCollection(collection))
        statement.bind(3, copying: key)
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return (statement.integer(0), statement.isNull(1) ? nil : statement.integer(1))
    }

    /// The number of entries of indexes that are not in the catalog.
    package func entriesWithoutIndex() throws(FirestoreError) -> Int {
        let statement = try self.statement("SELECT count(*) FROM index_entries WHERE idx NOT IN (SELECT number FROM indexes)")
        defer { statement.reset() }
        return try statement.step() ? Int(statement.integer(0)) : 0
    }
}
