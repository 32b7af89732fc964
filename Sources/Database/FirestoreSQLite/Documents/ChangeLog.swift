// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreStorage
import GRDB

/// Reads the change log on one connection, inside one transaction.
///
/// An entry holds the document that a commit replaced, so the oldest entry of a document after a moment is its state at that moment.
/// Walking the log costs one step per change since then, whatever the size of the collections.
struct ChangeLog {
    let database: Database
    let errors: StoreErrors

    /// The log is complete for commits at or after this time.
    func floor() throws(FirestoreError) -> DocumentVersion {
        let statement = try SQLStatement("SELECT log_floor FROM meta", on: database, errors: errors)
        defer { statement.reset() }
        guard try statement.step() else { throw errors.damaged("the floor of the change log") }
        return DocumentVersion(microseconds: statement.integer(0))
    }

    /// Visits every document of a scope that a commit after `time` changed, once each, oldest change first, until `body` stops
    /// it.
    func states(
        at time: DocumentVersion, in scope: QueryScope,
        _ body: (EarlierState) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        let walk = LogWalk(scope)
        let statement = try SQLStatement(walk.sql, on: database, errors: errors)
        let (name, first, last) = (ByteSlice(walk.name), ByteSlice(walk.first), ByteSlice(walk.last))
        defer {
            statement.reset()
            withExtendedLifetime((name, first, last)) {}
        }
        statement.bind(1, time.microseconds)
        if !walk.name.isEmpty { statement.bind(2, name.buffer) }
        if !walk.first.isEmpty {
            statement.bind(3, first.buffer)
            statement.bind(4, last.buffer)
        }
        var seen: Set<DocumentKey> = []
        while try statement.step() {
            // An intermediate state of the document.
            if !statement.isNull(2), statement.integer(3) > time.microseconds { continue }
            let key = try key(from: statement)
            if case .kindless(let parent, false) = scope, key.collection.parent != parent { continue }
            guard seen.insert(key).inserted else { continue }
            let state = EarlierState(
                key: key, document: try document(key, from: statement),
                current: statement.isNull(5) ? nil : DocumentHandle(statement.integer(5)))
            if try body(state) == .stop { return }
        }
    }

    private func key(from statement: SQLStatement) throws(FirestoreError) -> DocumentKey {
        guard let pathBytes = statement.blob(0), let path = String(validating: pathBytes, as: UTF8.self),
            let idBytes = statement.blob(1), let id = DocumentIDEncoding.decode(idBytes)
        else { throw errors.damaged("an entry of the change log") }
        return DocumentKey(collection: CollectionPath(trusted: path), id: id)
    }

    private func document(_ key: DocumentKey, from statement: SQLStatement) throws(FirestoreError) -> Document? {
        if statement.isNull(2) { return nil }
        guard let fields = statement.blob(4), FieldsView.isWellFormed(fields) else {
            throw errors.damaged("the history of \(key.path)")
        }
        return Document(
            key: key, createTime: DocumentVersion(microseconds: statement.integer(2)),
            updateTime: DocumentVersion(microseconds: statement.integer(3)),
            fields: FieldBytes(canonical: ByteSlice(copying: fields)))
    }
}

/// The statement that walks the entries of a scope.
private struct LogWalk {
    let sql: String
    /// The path of the collection or the id of the group; empty for all collections.
    let name: [UInt8]
    /// Paths between these lie below the scope's parent; empty without one.
    let first: [UInt8]
    let last: [UInt8]

    init(_ scope: QueryScope) {
        let condition: String
        switch scope {
        case .collection(let path):
            // Looked up once, so that entries of other collections cost a comparison of numbers.
            condition = " AND changes.collection = (SELECT number FROM collections WHERE path = ?2)"
            name = [UInt8](path.path.utf8)
            (first, last) = ([], [])
        case .collectionGroup(let id, let ancestor):
            condition = " AND collections.id = ?2" + (ancestor == nil ? "" : Self.below)
            name = [UInt8](id.utf8)
            (first, last) = Self.range(below: ancestor)
        case .kindless(let ancestor, _):
            condition = ancestor == nil ? "" : Self.below
            name = []
            (first, last) = Self.range(below: ancestor)
        }
        // The left side of a cross join is SQLite's outer loop: the log is walked once, in time order.
        sql = Self.select + condition + " ORDER BY commit_time"
    }

    private static let select = """
        SELECT path, changes.id, previous_create_time, previous_update_time, previous_fields, documents.rowid
        FROM changes CROSS JOIN collections ON number = changes.collection
        LEFT JOIN documents ON documents.collection = changes.collection AND documents.id = changes.id
        WHERE commit_time > ?1
        """
    private static let below = " AND path > ?3 AND path < ?4"

    /// "/" and "0" are adjacent: the range contains everything that begins with the ancestor's path and a slash.
    private static func range(below ancestor: DocumentKey?) -> ([UInt8], [UInt8]) {
        guard let ancestor else { return ([], []) }
        return ([UInt8]((ancestor.path + "/").utf8), [UInt8]((ancestor.path + "0").utf8))
    }
}

extension ReadTransaction {
    private var log: ChangeLog { ChangeLog(database: database, errors: errors) }

    package func logFloor() throws(FirestoreError) -> DocumentVersion { try log.floor() }

    package func states(
        at time: DocumentVersion, in scope: QueryScope, _ body: (EarlierState) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        try log.states(at: time, in: scope, body)
    }
}

extension WriteTransaction {
    private var log: ChangeLog { ChangeLog(database: database, errors: errors) }

    package func logFloor() throws(FirestoreError) -> DocumentVersion { try log.floor() }

    package func states(
        at time: DocumentVersion, in scope: QueryScope,
        _ body: (EarlierState) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        try log.states(at: time, in: scope, body)
    }
}
