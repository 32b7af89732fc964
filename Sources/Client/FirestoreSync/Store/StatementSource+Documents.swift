// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

extension StatementSource {
    /// Runs a statement whose first two parameters are the collection and the id of a document; nil if no document was ever stored in
    /// the collection.
    func rows<R>(
        _ sql: String, of key: DocumentKey, _ body: (SQLStatement) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> R? {
        guard let collection = try number(of: key.collection) else { return nil }
        let row = try statement(sql)
        let id = key.encodedID
        defer {
            row.reset()
            withExtendedLifetime(id) {}
        }
        row.bind(1, collection)
        row.bind(2, id.buffer)
        return try body(row)
    }
}
