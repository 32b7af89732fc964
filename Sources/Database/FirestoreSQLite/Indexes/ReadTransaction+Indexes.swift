// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage
import GRDB

extension ReadTransaction {
    package func indexes(on collectionID: String) throws(FirestoreError) -> [ReadyIndex] {
        try catalog().ready(on: collectionID)
    }

    package func entries(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, descending: Bool
    ) throws(FirestoreError) -> any IndexCursor {
        guard let number = try entryCollection(of: index, collection) else { return EmptyCursor() }
        return try EntryCursor(
            index: index.number, collection: number, range: range, descending: descending, slots: cursors)
    }

    /// The number under which the entries of a collection are; nil for one without documents.
    private func entryCollection(of index: ReadyIndex, _ collection: CollectionPath?) throws(FirestoreError) -> Int64? {
        guard index.definition.scope == .collection else { return 0 }
        return try collection.flatMap { path throws(FirestoreError) in try rows.number(of: path) }
    }

    private static let range = "FROM index_entries WHERE idx = ?1 AND collection = ?2 AND key >= ?3 AND key < ?4"
    private static let countAll = "SELECT count(*) \(range)"
    private static let countSome = "SELECT count(*) FROM (SELECT 1 \(range) LIMIT ?5)"

    /// Counts inside SQLite, without reading the content of entries.
    package func entryCount(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, upTo: Int?
    ) throws(FirestoreError) -> Int {
        guard let number = try entryCollection(of: index, collection) else { return 0 }
        let statement = try SQLStatement(upTo == nil ? Self.countAll : Self.countSome, on: database, errors: errors)
        defer { statement.reset() }
        statement.bind(1, index.number)
        statement.bind(2, number)
        statement.bind(3, copying: range.lower)
        statement.bind(4, copying: range.upper ?? EntryCursor.end)
        if let upTo { statement.bind(5, Int64(upTo)) }
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    private static let selectNumbers = "SELECT key, kinds, document \(range)"
    private static let hasKinds = "SELECT 1 FROM pragma_table_info('index_entries') WHERE name = 'kinds'"

    package func numberEntries(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange,
        _ body: (_ key: UnsafeRawBufferPointer, _ kinds: Int64?, DocumentHandle) throws(FirestoreError) -> Void
    ) throws(FirestoreError) -> Bool {
        // A file of an earlier format that is only read has no such column.
        let column = try SQLStatement(Self.hasKinds, on: database, errors: errors)
        defer { column.reset() }
        guard try column.step() else { return false }
        guard let number = try entryCollection(of: index, collection) else { return true }
        let statement = try SQLStatement(Self.selectNumbers, on: database, errors: errors)
        defer { statement.reset() }
        statement.bind(1, index.number)
        statement.bind(2, number)
        statement.bind(3, copying: range.lower)
        statement.bind(4, copying: range.upper ?? EntryCursor.end)
        while try statement.step() {
            guard let key = statement.blob(0) else { throw errors.damaged("an index entry") }
            try body(key, statement.isNull(1) ? nil : statement.integer(1), DocumentHandle(statement.integer(2)))
        }
        return true
    }

    private static let columns = "d.collection, d.id, d.create_time, d.update_time, d.fields"
    private static let selectRow = "SELECT \(columns) FROM documents d WHERE d.rowid = ?1"
    /// The join is an outer one, so that a document that is missing is found to be.
    private static let selectRows = "SELECT \(columns), h.handle FROM hearth_handles(?1) h LEFT JOIN documents d ON d.rowid = h.handle"

    package func visit(
        _ handle: DocumentHandle, _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) -> ScanStep {
        let statement: SQLStatement
        if let rowStatement, !rowStatement.isBusy {
            statement = rowStatement
        } else {
            statement = try SQLStatement(Self.selectRow, on: database, errors: errors)
            rowStatement = rowStatement ?? statement
        }
        defer { statement.restart() }
        statement.bind(1, handle.number)
        guard try statement.step() else { throw missing(handle.number) }
        return try pass(statement, to: body)
    }

    package func visitEach(
        _ next: @escaping () throws(FirestoreError) -> DocumentHandle?,
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        let feed = HandleFeed(next)
        let statement = try SQLStatement(Self.selectRows, on: database, errors: errors)
        defer { withExtendedLifetime(feed) { statement.reset() } }
        statement.bind(1, feed)
        do throws(FirestoreError) {
            while try statement.step() {
                if statement.isNull(0) { throw missing(statement.integer(5)) }
                if try pass(statement, to: body) == .stop { return }
            }
        } catch {
            throw feed.failure ?? error
        }
    }

    /// Passes the document of the current row.
    private func pass(
        _ statement: SQLStatement, to body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) -> ScanStep {
        let collection = try path(of: statement.integer(0))
        guard let key = statement.blob(1), let fields = statement.blob(4), FieldsView.isWellFormed(fields),
            let step = try DocumentIDEncoding.withID(
                key,
                { (id: UnsafeRawBufferPointer) throws(FirestoreError) -> ScanStep in
                    try body(
                        ScannedDocument(
                            collection: collection, id: id,
                            createTime: DocumentVersion(microseconds: statement.integer(2)),
                            updateTime: DocumentVersion(microseconds: statement.integer(3)), fields: fields))
                })
        else { throw damaged(statement.blob(1), in: collection) }
        return step
    }

    private func missing(_ row: Int64) -> FirestoreError {
        errors.damaged("an index that refers to document row \(row), which is missing")
    }

    package func path(of number: Int64) throws(FirestoreError) -> CollectionPath {
        if let lastCollection, lastCollection.number == number { return lastCollection.path }
        let path = try rows.path(of: number)
        lastCollection = StoredCollection(number: number, path: path)
        return path
    }

    // MARK: For administration

    package func lastUses() throws(FirestoreError) -> [Int64: DocumentVersion] {
        try IndexCatalog.lastUses(database, errors)
    }

    package func extent(of index: Int64) throws(FirestoreError) -> (entries: Int, bytes: Int) {
        // The numbers of the other columns take up to eight bytes each; three are common.
        let statement = try self.statement("SELECT count(*), total(length(key) + 9) FROM index_entries WHERE idx = ?1")
        defer { statement.reset() }
        statement.bind(1, index)
        return try statement.step() ? (Int(statement.integer(0)), Int(statement.integer(1))) : (0, 0)
    }

    package func progress(of index: StoredIndex) throws(FirestoreError) -> Double {
        guard case .building(let position) = index.state else { return 1 }
        let statement = try self.statement(
            """
            SELECT count(*), total(documents.collection < ?2 OR documents.collection = ?2 AND documents.id <= ?3)
            FROM documents JOIN collections ON documents.collection = collections.number WHERE collections.id = ?1
            """)
        let id = ByteSlice([UInt8](index.definition.collectionID.utf8))
        let last = position?.id ?? .empty
        defer {
            statement.reset()
            withExtendedLifetime((id, last)) {}
        }
        statement.bind(1, id.buffer)
        statement.bind(2, position?.collection ?? 0)
        statement.bind(3, last.buffer)
        guard try statement.step(), statement.integer(0) > 0 else { return 0 }
        return Double(statement.integer(1)) / Double(statement.integer(0))
    }
}
