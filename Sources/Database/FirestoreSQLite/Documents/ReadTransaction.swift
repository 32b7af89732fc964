// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage
import GRDB

/// One consistent snapshot of the database: the input of queries. Valid inside the closure that receives it.
package final class ReadTransaction: StoreSnapshot {
    package let readTime: DocumentVersion
    let database: Database
    let errors: StoreErrors
    let rows: DocumentRows
    private let caches: StoreCaches
    private let catalogVersion: Int64
    private var knownCatalog: IndexCatalog?
    /// Statements of the open cursors.
    private(set) lazy var cursors = CursorSlots(database, errors: errors)
    /// Retained for the many documents that an index leads to.
    var rowStatement: SQLStatement?
    /// Adjacent entries of an index mostly belong to one collection.
    var lastCollection: StoredCollection?

    convenience init(_ database: Database, caches: StoreCaches, errors: StoreErrors) throws(FirestoreError) {
        self.init(database, state: try StoreState(database, errors), caches: caches, errors: errors)
    }

    init(_ database: Database, state: StoreState, caches: StoreCaches, errors: StoreErrors) {
        self.database = database
        self.errors = errors
        self.caches = caches
        rows = DocumentRows(database: database, directory: caches.directory, errors: errors)
        readTime = state.lastCommitTime
        catalogVersion = state.catalogVersion
    }

    package func document(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        guard let number = try rows.number(of: key.collection) else { return nil }
        return try rows.document(key, in: number, id: key.encodedID)
    }

    package func changeTime(of document: Document) -> DocumentVersion { document.updateTime }

    package func statement(_ sql: String) throws(FirestoreError) -> SQLStatement {
        try SQLStatement(sql, on: database, errors: errors)
    }

    package func number(of path: CollectionPath) throws(FirestoreError) -> Int64? { try rows.number(of: path) }

    package func damaged(_ what: String) -> FirestoreError { errors.damaged(what) }

    package func catalog() throws(FirestoreError) -> IndexCatalog {
        if let knownCatalog { return knownCatalog }
        let catalog = try caches.catalog(database, version: catalogVersion, errors)
        knownCatalog = catalog
        return catalog
    }
}
