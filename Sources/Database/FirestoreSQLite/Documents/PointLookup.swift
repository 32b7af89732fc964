// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage
import GRDB

extension ReadTransaction {
    package func documents(_ keys: [DocumentKey]) throws(FirestoreError) -> DocumentLookup {
        var documents: [Document?] = []
        documents.reserveCapacity(keys.count)
        for key in keys { documents.append(try document(key)) }
        return DocumentLookup(readTime: readTime, documents: documents)
    }
}

/// Reads a few documents on a connection that is not in a transaction.
struct PointLookup {
    let database: Database
    let caches: StoreCaches
    let errors: StoreErrors

    func documents(_ keys: [DocumentKey]) throws(FirestoreError) -> DocumentLookup {
        // A single statement is a transaction.
        if keys.count == 1, let collection = caches.directory[keys[0].collection] {
            return try document(keys[0], in: collection)
        }
        return try transaction { snapshot throws(FirestoreError) in try snapshot.documents(keys) }
    }

    /// Runs `body` over one snapshot.
    ///
    /// Outside a transaction, SQLite holds a snapshot for as long as a statement is open: that of the state, which every read begins with.
    func transaction<R>(_ body: (ReadTransaction) throws(FirestoreError) -> R) throws(FirestoreError) -> R {
        let statement = try StoreState.statement(database, errors)
        defer { statement.reset() }
        let state = try StoreState(statement, errors)
        return try body(ReadTransaction(database, state: state, caches: caches, errors: errors))
    }

    private static let select = """
        SELECT last_commit_time, documents.rowid, create_time, update_time, fields FROM meta
        LEFT JOIN documents ON collection = ?1 AND id = ?2
        """

    private func document(_ key: DocumentKey, in collection: Int64) throws(FirestoreError) -> DocumentLookup {
        let statement = try SQLStatement(Self.select, on: database, errors: errors)
        let id = key.encodedID
        defer {
            statement.reset()
            withExtendedLifetime(id) {}
        }
        statement.bind(1, collection)
        statement.bind(2, id.buffer)
        guard try statement.step() else { throw errors.damaged("the last commit time") }
        let readTime = DocumentVersion(microseconds: statement.integer(0))
        guard !statement.isNull(1) else { return DocumentLookup(readTime: readTime, documents: [nil]) }
        let document = try DocumentRows.document(key, from: statement, startingAt: 2, errors: errors)
        return DocumentLookup(readTime: readTime, documents: [document])
    }
}
