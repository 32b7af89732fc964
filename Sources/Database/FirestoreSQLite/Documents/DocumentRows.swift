// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage
import GRDB

/// Reads single documents on one connection, inside one transaction.
struct DocumentRows {
    let database: Database
    let directory: CollectionDirectory
    let errors: StoreErrors

    private static let select = """
        SELECT create_time, update_time, fields FROM documents WHERE collection = ?1 AND id = ?2
        """

    /// The number of a collection; nil if no document was ever stored there.
    func number(of path: CollectionPath) throws(FirestoreError) -> Int64? {
        if let known = directory[path] { return known }
        guard let number = try readNumber(of: path) else { return nil }
        directory.remember(path, number: number)
        return number
    }

    /// Reads the table: inside a write transaction the result may not be committed yet.
    func readNumber(of path: CollectionPath) throws(FirestoreError) -> Int64? {
        let statement = try SQLStatement("SELECT number FROM collections WHERE path = ?1", on: database, errors: errors)
        defer { statement.reset() }
        let bytes = ByteSlice([UInt8](path.path.utf8))
        defer { withExtendedLifetime(bytes) {} }
        statement.bind(1, bytes.buffer)
        return try statement.step() ? statement.integer(0) : nil
    }

    func path(of number: Int64) throws(FirestoreError) -> CollectionPath {
        if let known = directory[number] { return known }
        let path = try readPath(of: number)
        directory.remember(path, number: number)
        return path
    }

    /// Reads the table: inside a write transaction the result may not be committed yet.
    func readPath(of number: Int64) throws(FirestoreError) -> CollectionPath {
        let statement = try SQLStatement("SELECT path FROM collections WHERE number = ?1", on: database, errors: errors)
        defer { statement.reset() }
        statement.bind(1, number)
        guard try statement.step(), let bytes = statement.blob(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw errors.damaged("the path of collection \(number)")
        }
        return CollectionPath(trusted: text)
    }

    func document(_ key: DocumentKey, in collection: Int64, id: ByteSlice) throws(FirestoreError) -> Document? {
        let statement = try SQLStatement(Self.select, on: database, errors: errors)
        defer {
            statement.reset()
            withExtendedLifetime(id) {}
        }
        statement.bind(1, collection)
        statement.bind(2, id.buffer)
        guard try statement.step() else { return nil }
        return try Self.document(key, from: statement, startingAt: 0, errors: errors)
    }

    /// Reads three columns: create time, update time, fields.
    static func document(
        _ key: DocumentKey, from statement: SQLStatement, startingAt column: Int32, errors: StoreErrors
    ) throws(FirestoreError) -> Document {
        guard let fields = statement.blob(column + 2), FieldsView.isWellFormed(fields) else {
            throw errors.damaged("document \(key.path)")
        }
        return Document(
            key: key, createTime: DocumentVersion(microseconds: statement.integer(column)),
            updateTime: DocumentVersion(microseconds: statement.integer(column + 1)),
            fields: FieldBytes(canonical: ByteSlice(copying: fields)))
    }
}
