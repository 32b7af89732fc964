// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage
import GRDB

extension WriteTransaction {
    package func walk(
        collectionID: String, after position: IndexPosition?,
        _ body: (_ place: DocumentPlace, borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) -> BuildStretch {
        let collections = try statement("SELECT number, path FROM collections WHERE id = ?1 AND number >= ?2 ORDER BY number")
        let id = ByteSlice([UInt8](collectionID.utf8))
        defer {
            collections.reset()
            withExtendedLifetime(id) {}
        }
        collections.bind(1, id.buffer)
        collections.bind(2, position?.collection ?? 0)
        var stretch = BuildStretch(last: nil, isAtEnd: true)
        while try collections.step() {
            guard let bytes = collections.blob(1), let path = String(validating: bytes, as: UTF8.self) else {
                throw errors.damaged("the path of a collection")
            }
            let collection = StoredCollection(number: collections.integer(0), path: CollectionPath(trusted: path))
            let start = position?.collection == collection.number ? position?.id : nil
            let part = try walk(collection, after: start, body)
            stretch.last = part.last ?? stretch.last
            guard part.isAtEnd else {
                stretch.isAtEnd = false
                return stretch
            }
        }
        return stretch
    }

    private func walk(
        _ collection: StoredCollection, after id: ByteSlice?,
        _ body: (_ place: DocumentPlace, borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) -> BuildStretch {
        let statement = try self.statement(
            """
            SELECT rowid, id, create_time, update_time, fields FROM documents WHERE collection = ?1 AND id > ?2 ORDER BY id
            """)
        let start = id ?? .empty
        defer {
            statement.reset()
            withExtendedLifetime(start) {}
        }
        statement.bind(1, collection.number)
        statement.bind(2, start.buffer)
        while try statement.step() {
            guard let key = statement.blob(1), let fields = statement.blob(4), FieldsView.isWellFormed(fields),
                let step = try DocumentIDEncoding.withID(
                    key,
                    { (id: UnsafeRawBufferPointer) throws(FirestoreError) -> ScanStep in
                        try body(
                            DocumentPlace(collection: collection.number, id: ByteSlice(copying: key), row: statement.integer(0)),
                            ScannedDocument(
                                collection: collection.path, id: id,
                                createTime: DocumentVersion(microseconds: statement.integer(2)),
                                updateTime: DocumentVersion(microseconds: statement.integer(3)), fields: fields))
                    })
            else { throw errors.damaged("a document of \(collection.path.path)") }
            if step == .stop {
                let last = IndexPosition(collection: collection.number, id: ByteSlice(copying: key))
                return BuildStretch(last: last, isAtEnd: false)
            }
        }
        return BuildStretch(last: nil, isAtEnd: true)
    }
}
