// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage
import GRDB

/// The state that every transaction reads first, in one statement.
struct StoreState {
    let lastCommitTime: DocumentVersion
    let catalogVersion: Int64

    init(_ database: Database, _ errors: StoreErrors) throws(FirestoreError) {
        let statement = try Self.statement(database, errors)
        defer { statement.reset() }
        try self.init(statement, errors)
    }

    static func statement(_ database: Database, _ errors: StoreErrors) throws(FirestoreError) -> SQLStatement {
        try SQLStatement("SELECT last_commit_time, catalog_version FROM meta", on: database, errors: errors)
    }

    /// Runs the statement, and leaves it open.
    init(_ statement: SQLStatement, _ errors: StoreErrors) throws(FirestoreError) {
        guard try statement.step() else { throw errors.damaged("the last commit time") }
        lastCommitTime = DocumentVersion(microseconds: statement.integer(0))
        catalogVersion = statement.integer(1)
    }
}

/// The state that transactions share in memory. All of it can be read again from the tables.
struct StoreCaches: Sendable {
    let directory = CollectionDirectory()
    let catalogs = CatalogCache()

    /// The catalog for a transaction that found `version`.
    func catalog(_ database: Database, version: Int64, _ errors: StoreErrors) throws(FirestoreError) -> IndexCatalog {
        try catalogs.catalog(version: version) { () throws(FirestoreError) in
            try IndexCatalog.load(database, version: version, errors)
        }
    }
}
