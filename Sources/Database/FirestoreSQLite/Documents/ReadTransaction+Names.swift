// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage
import GRDB

extension ReadTransaction {
    package func firstPath(from lower: [UInt8], upTo upper: [UInt8]) throws(FirestoreError) -> [UInt8]? {
        let statement = try self.statement("SELECT path FROM collections WHERE path >= ?1 AND path < ?2 ORDER BY path LIMIT 1")
        defer { statement.reset() }
        statement.bind(1, copying: lower)
        statement.bind(2, copying: upper)
        guard try statement.step() else { return nil }
        guard let path = statement.blob(0) else { throw errors.damaged("the path of a collection") }
        return [UInt8](path)
    }

    package func visitCollections(
        from lower: [UInt8], upTo upper: [UInt8], _ body: (StoredCollection) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        let statement = try self.statement("SELECT number, path FROM collections WHERE path >= ?1 AND path < ?2")
        defer { statement.reset() }
        statement.bind(1, copying: lower)
        statement.bind(2, copying: upper)
        while try statement.step() {
            guard let path = statement.blob(1), let text = String(validating: path, as: UTF8.self) else {
                throw errors.damaged("the path of a collection")
            }
            let collection = StoredCollection(number: statement.integer(0), path: CollectionPath(trusted: text))
            if try body(collection) == .stop { return }
        }
    }

    package func ids(in collection: Int64, after: [UInt8]) throws(FirestoreError) -> any IDCursor {
        let statement = try self.statement("SELECT id FROM documents WHERE collection = ?1 AND id > ?2 ORDER BY id")
        statement.bind(1, collection)
        statement.bind(2, copying: after)
        return try StatementIDs(statement)
    }

    package func count(in collection: Int64, from lower: [UInt8], upTo upper: [UInt8]) throws(FirestoreError) -> Int {
        let statement = try self.statement("SELECT count(*) FROM documents WHERE collection = ?1 AND id >= ?2 AND id < ?3")
        defer { statement.reset() }
        statement.bind(1, collection)
        statement.bind(2, copying: lower)
        statement.bind(3, copying: upper)
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    package func id(
        in collection: Int64, from lower: [UInt8], upTo upper: [UInt8], at position: Int
    ) throws(FirestoreError) -> [UInt8]? {
        let statement = try self.statement(
            "SELECT id FROM documents WHERE collection = ?1 AND id >= ?2 AND id < ?3 ORDER BY id LIMIT 1 OFFSET ?4")
        defer { statement.reset() }
        statement.bind(1, collection)
        statement.bind(2, copying: lower)
        statement.bind(3, copying: upper)
        statement.bind(4, Int64(position))
        return try statement.step() ? statement.blob(0).map { [UInt8]($0) } : nil
    }
}

/// Takes the first row immediately: only a statement that has begun is not given to another walk.
private final class StatementIDs: IDCursor {
    private let statement: SQLStatement
    private var following: [UInt8]?

    init(_ statement: SQLStatement) throws(FirestoreError) {
        self.statement = statement
        following = try Self.step(statement)
    }

    deinit { if following != nil { statement.reset() } }

    func next() throws(FirestoreError) -> [UInt8]? {
        guard let id = following else { return nil }
        following = try Self.step(statement)
        return id
    }

    /// Ends the statement with its last row, so that others can have it.
    private static func step(_ statement: SQLStatement) throws(FirestoreError) -> [UInt8]? {
        guard try statement.step() else {
            statement.reset()
            return nil
        }
        return statement.blob(0).map { [UInt8]($0) }
    }
}
