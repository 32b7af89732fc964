// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage
import GRDB

/// The rows and entries, as stored, for the check of indexes.
extension ReadTransaction: InspectableSnapshot {
    package func inspectDocuments(
        collectionID: String,
        _ body: (_ handle: DocumentHandle, _ place: DocumentPlace, borrowing ScannedDocument) throws(FirestoreError) -> Void
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
                let key = statement.blob(3), let fields = statement.blob(6), FieldsView.isWellFormed(fields)
            else { continue }
            let place = DocumentPlace(collection: statement.integer(1), id: ByteSlice(copying: key))
            _ = try DocumentIDEncoding.withID(key) { (id: UnsafeRawBufferPointer) throws(FirestoreError) in
                try body(
                    DocumentHandle(statement.integer(0)), place,
                    ScannedDocument(
                        collection: CollectionPath(trusted: path), id: id,
                        createTime: DocumentVersion(microseconds: statement.integer(4)),
                        updateTime: DocumentVersion(microseconds: statement.integer(5)), fields: fields))
            }
        }
    }

    package func entry(
        _ key: [UInt8], of index: StoredIndex, in collection: Int64
    ) throws(FirestoreError) -> (document: DocumentHandle, kinds: Int64?)? {
        // In a file of format 2, which has no such column, `kinds` is that of the outer table.
        let place = "FROM index_entries WHERE idx = ?1 AND collection = ?2 AND key = ?3"
        let statement = try self.statement("SELECT (SELECT document \(place)), (SELECT kinds \(place)) FROM (SELECT NULL AS kinds)")
        defer { statement.reset() }
        statement.bind(1, index.number)
        statement.bind(2, index.entryCollection(collection))
        statement.bind(3, copying: key)
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return (DocumentHandle(statement.integer(0)), statement.isNull(1) ? nil : statement.integer(1))
    }

    package func entriesWithoutIndex() throws(FirestoreError) -> Int {
        let statement = try self.statement("SELECT count(*) FROM index_entries WHERE idx NOT IN (SELECT number FROM indexes)")
        defer { statement.reset() }
        return try statement.step() ? Int(statement.integer(0)) : 0
    }
}
