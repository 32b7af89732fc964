// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage
import GRDB

/// The one transaction that writes. Knows tables, not rules: the meaning of a write is decided before.
package final class WriteTransaction: StoreTransaction {
    /// The last commit time before this transaction.
    package let lastCommitTime: DocumentVersion
    package var clock: Int64? { nil }
    /// The new last commit time; nil if it does not change.
    private(set) var newCommitTime: DocumentVersion?
    let database: Database
    let errors: StoreErrors
    private let rows: DocumentRows
    private let caches: StoreCaches
    private let catalogVersion: Int64
    private var knownCatalog: IndexCatalog?
    private var hasChangedCatalog = false
    /// Collections this transaction has used; those it created are invisible to others before it commits.
    private(set) var numbers: [CollectionPath: Int64] = [:]
    /// The error after which this transaction must not be committed.
    private(set) var lostTo: FirestoreError?
    /// The place whose row was looked up last: a document has several entries.
    var lastPlace: DocumentPlace?

    init(_ database: Database, caches: StoreCaches, errors: StoreErrors) throws(FirestoreError) {
        self.database = database
        self.errors = errors
        rows = DocumentRows(database: database, directory: caches.directory, errors: errors)
        self.caches = caches
        let state = try StoreState(database, errors)
        lastCommitTime = state.lastCommitTime
        catalogVersion = state.catalogVersion
    }

    package func document(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        guard let number = try number(of: key.collection) else { return nil }
        return try rows.document(key, in: number, id: key.encodedID)
    }

    @discardableResult
    package func store(_ change: CommittedChange, at time: DocumentVersion) throws(FirestoreError) -> DocumentPlace {
        let place = DocumentPlace(collection: try makeNumber(of: change.key.collection), id: change.key.encodedID)
        if change.old == nil, change.new == nil { return place }
        let stored = try replace(change, at: place)
        try log(change.old, place.collection, place.id, at: time)
        return stored
    }

    /// Stores the new state of a document without an entry in the change log: a cache has no history. Returns the place, with
    /// the row of a new document.
    package func replace(_ change: CommittedChange, at place: DocumentPlace) throws(FirestoreError) -> DocumentPlace {
        defer { withExtendedLifetime(place.id) {} }
        var insertedRow: Int64?
        switch (change.old, change.new) {
        case (nil, nil): break
        case (nil, let new?):
            try insert(new, place.collection, place.id)
            insertedRow = database.lastInsertedRowID
        case (.some, let new?): try update(new, place.collection, place.id)
        case (.some, nil): try delete(place.collection, place.id)
        }
        return DocumentPlace(collection: place.collection, id: place.id, row: insertedRow)
    }

    package func setLastCommitTime(_ time: DocumentVersion) throws(FirestoreError) {
        let statement = try self.statement("UPDATE meta SET last_commit_time = ?1")
        statement.bind(1, time.microseconds)
        try statement.run()
        newCommitTime = time
    }

    package func savepoint<R>(_ body: () throws(FirestoreError) -> R) throws(FirestoreError) -> R {
        try execute("SAVEPOINT one_commit")
        let before = numbers
        do {
            let result = try body()
            try execute("RELEASE one_commit")
            return result
        } catch {
            numbers = before
            if hasChangedCatalog { knownCatalog = nil }
            if isLost(after: error) { throw error }
            do {
                try execute("ROLLBACK TO one_commit")
                try execute("RELEASE one_commit")
            } catch {
                // The transaction now contains half a commit.
                lostTo = error
            }
            throw error
        }
    }

    /// Whether an error has ended the whole transaction: on many errors, including those of reads, SQLite rolls it back, and later
    /// statements would be separate transactions.
    package func isLost(after error: FirestoreError) -> Bool {
        if lostTo == nil, !database.isInsideTransaction { lostTo = error }
        return lostTo != nil
    }

    // MARK: Catalog

    package func catalog() throws(FirestoreError) -> IndexCatalog {
        if let knownCatalog { return knownCatalog }
        let catalog =
            try hasChangedCatalog
            ? IndexCatalog.load(database, version: catalogVersion + 1, errors)
            : caches.catalog(database, version: catalogVersion, errors)
        knownCatalog = catalog
        return catalog
    }

    func catalogHasChanged() {
        hasChangedCatalog = true
        knownCatalog = nil
    }

    /// The catalog to share after this transaction has committed; nil if it is unchanged.
    func finishCatalog() throws(FirestoreError) -> IndexCatalog? {
        guard hasChangedCatalog else { return nil }
        let statement = try self.statement("UPDATE meta SET catalog_version = ?1")
        statement.bind(1, catalogVersion + 1)
        try statement.run()
        return try catalog()
    }

    // MARK: Statements

    package func statement(_ sql: String) throws(FirestoreError) -> SQLStatement {
        try SQLStatement(sql, on: database, errors: errors)
    }

    /// Not remembered for others: the collection may be new in this transaction.
    package func path(of number: Int64) throws(FirestoreError) -> CollectionPath {
        if let known = rows.directory[number] { return known }
        return try rows.readPath(of: number)
    }

    package func damaged(_ what: String) -> FirestoreError { errors.damaged(what) }

    private func execute(_ sql: String) throws(FirestoreError) {
        try statement(sql).run()
    }

    package func number(of path: CollectionPath) throws(FirestoreError) -> Int64? {
        if let known = numbers[path] ?? rows.directory[path] { return known }
        guard let number = try rows.readNumber(of: path) else { return nil }
        numbers[path] = number
        return number
    }

    package func makeNumber(of path: CollectionPath) throws(FirestoreError) -> Int64 {
        if let known = try number(of: path) { return known }
        let statement = try self.statement("INSERT INTO collections(path, id) VALUES(?1, ?2)")
        let bytes = ByteSlice([UInt8](path.path.utf8))
        let id = ByteSlice([UInt8](path.id.utf8))
        statement.bind(1, bytes.buffer)
        statement.bind(2, id.buffer)
        defer { withExtendedLifetime((bytes, id)) {} }
        try statement.run()
        let number = database.lastInsertedRowID
        numbers[path] = number
        return number
    }

    private func insert(_ document: Document, _ collection: Int64, _ id: ByteSlice) throws(FirestoreError) {
        let statement = try self.statement(
            "INSERT INTO documents(collection, id, create_time, update_time, fields) VALUES(?1, ?2, ?3, ?4, ?5)")
        try write(document, collection, id, with: statement)
    }

    private func update(_ document: Document, _ collection: Int64, _ id: ByteSlice) throws(FirestoreError) {
        let statement = try self.statement(
            "UPDATE documents SET create_time = ?3, update_time = ?4, fields = ?5 WHERE collection = ?1 AND id = ?2")
        try write(document, collection, id, with: statement)
    }

    private func write(
        _ document: Document, _ collection: Int64, _ id: ByteSlice, with statement: SQLStatement
    ) throws(FirestoreError) {
        statement.bind(1, collection)
        statement.bind(2, id.buffer)
        statement.bind(3, document.createTime.microseconds)
        statement.bind(4, document.updateTime.microseconds)
        statement.bind(5, document.fields.bytes.buffer)
        defer { withExtendedLifetime(document) {} }
        try statement.run()
    }

    private func delete(_ collection: Int64, _ id: ByteSlice) throws(FirestoreError) {
        let statement = try self.statement("DELETE FROM documents WHERE collection = ?1 AND id = ?2")
        statement.bind(1, collection)
        statement.bind(2, id.buffer)
        try statement.run()
    }

    private func log(
        _ old: Document?, _ collection: Int64, _ id: ByteSlice, at time: DocumentVersion
    ) throws(FirestoreError) {
        let statement = try self.statement("INSERT INTO changes VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
        statement.bind(1, time.microseconds)
        statement.bind(2, collection)
        statement.bind(3, id.buffer)
        if let old {
            statement.bind(4, old.createTime.microseconds)
            statement.bind(5, old.updateTime.microseconds)
            statement.bind(6, old.fields.bytes.buffer)
        } else {
            statement.bindNull(4)
            statement.bindNull(5)
            statement.bindNull(6)
        }
        defer { withExtendedLifetime(old) {} }
        try statement.run()
    }
}
