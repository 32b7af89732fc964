// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension ReadTransaction {
    /// Where to split a collection into parts with approximately the same number of documents, for several readers: the first
    /// document of every part but the first. Empty if the collection has fewer than `smallest` documents.
    ///
    /// Costs a walk over the keys of the collection.
    package func boundaries(
        of collection: CollectionPath, parts: Int, smallest: Int
    ) throws(FirestoreError) -> [DocumentKey] {
        guard parts > 1, let number = try rows.number(of: collection) else { return [] }
        let counting = try statement("SELECT count(*) FROM documents WHERE collection = ?1")
        defer { counting.reset() }
        counting.bind(1, number)
        guard try counting.step(), counting.integer(0) >= max(smallest, parts) else { return [] }
        let count = counting.integer(0)
        var keys: [DocumentKey] = []
        for part in 1..<Int64(parts) {
            let statement = try self.statement("SELECT id FROM documents WHERE collection = ?1 ORDER BY id LIMIT 1 OFFSET ?2")
            defer { statement.reset() }
            statement.bind(1, number)
            statement.bind(2, count * part / Int64(parts))
            guard try statement.step(), let id = statement.blob(0).flatMap({ DocumentIDEncoding.decode($0) }) else {
                throw errors.damaged("a document id in \(collection.path)")
            }
            keys.append(DocumentKey(collection: collection, id: id))
        }
        return keys
    }
}
