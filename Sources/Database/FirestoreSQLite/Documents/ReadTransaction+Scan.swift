// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage
import GRDB

extension ReadTransaction {
    package func scan(
        _ scope: QueryScope, range: KeyRange, descending: Bool,
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        let plan = ScanPlan(try collections(in: scope), range: range)
        for interval in descending ? plan.intervals.reversed() : plan.intervals {
            let collection = plan.collections[interval.collection]
            guard try scan(interval, of: collection, descending: descending, body) == .next else { return }
        }
    }

    private static let countAll = "SELECT count(*) FROM documents WHERE collection = ?1 AND id >= ?2 AND id < ?3"
    private static let countSome =
        "SELECT count(*) FROM (SELECT 1 FROM documents WHERE collection = ?1 AND id >= ?2 AND id < ?3 LIMIT ?4)"

    /// Counts inside SQLite with the index on names alone: no document is read.
    package func documentCount(in scope: QueryScope, range: KeyRange, upTo: Int?) throws(FirestoreError) -> Int {
        let plan = ScanPlan(try collections(in: scope), range: range)
        let statement = try SQLStatement(upTo == nil ? Self.countAll : Self.countSome, on: database, errors: errors)
        var count = 0
        for interval in plan.intervals where count != upTo {
            defer { statement.reset() }
            statement.bind(1, plan.collections[interval.collection].number)
            statement.bind(2, copying: interval.lower)
            statement.bind(3, copying: interval.upper)
            if let upTo { statement.bind(4, Int64(upTo - count)) }
            if try statement.step() { count += Int(statement.integer(0)) }
        }
        return count
    }

    package func collections(in scope: QueryScope) throws(FirestoreError) -> [StoredCollection] {
        switch scope {
        case .collection(let path):
            guard let number = try rows.number(of: path) else { return [] }
            return [StoredCollection(number: number, path: path)]
        case .collectionGroup(let id, let ancestor):
            return try collections(id: id, under: ancestor)
        case .kindless(let ancestor, let allDescendants):
            let all = try collections(id: nil, under: ancestor)
            return allDescendants ? all : all.filter { $0.path.parent == ancestor }
        }
    }

    /// Collections with an id, or all collections, below a document or in the whole database.
    private func collections(
        id: String?, under ancestor: DocumentKey?
    ) throws(FirestoreError) -> [StoredCollection] {
        // "/" and "0" are adjacent: the range contains everything that begins with the ancestor's path and a slash.
        let conditions = [id == nil ? nil : "id = ?1", ancestor == nil ? nil : "path > ?2 AND path < ?3"].compactMap { $0 }
        let statement = try SQLStatement(
            "SELECT number, path FROM collections"
                + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")),
            on: database, errors: errors)
        let id = id.map { ByteSlice([UInt8]($0.utf8)) }
        let first = ByteSlice([UInt8](((ancestor?.path ?? "") + "/").utf8))
        let last = ByteSlice([UInt8](((ancestor?.path ?? "") + "0").utf8))
        defer {
            statement.reset()
            withExtendedLifetime((id, first, last)) {}
        }
        if let id { statement.bind(1, id.buffer) }
        if ancestor != nil {
            statement.bind(2, first.buffer)
            statement.bind(3, last.buffer)
        }
        var result: [StoredCollection] = []
        while try statement.step() {
            guard let bytes = statement.blob(1), let path = String(validating: bytes, as: UTF8.self) else {
                throw errors.damaged("the path of a collection")
            }
            result.append(StoredCollection(number: statement.integer(0), path: CollectionPath(trusted: path)))
        }
        return result
    }

    private static let columns = "SELECT id, create_time, update_time, fields FROM documents"
    private static let ascending = columns + " WHERE collection = ?1 AND id >= ?2 AND id < ?3 ORDER BY id"
    private static let descending = ascending + " DESC"

    private func scan(
        _ interval: ScanInterval, of collection: StoredCollection, descending: Bool,
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) -> ScanStep {
        let statement = try self.statement(descending ? Self.descending : Self.ascending)
        let lower = ByteSlice(interval.lower)
        let upper = ByteSlice(interval.upper)
        defer {
            statement.reset()
            withExtendedLifetime((lower, upper)) {}
        }
        statement.bind(1, collection.number)
        statement.bind(2, lower.buffer)
        statement.bind(3, upper.buffer)
        while try statement.step() {
            guard let key = statement.blob(0), let fields = statement.blob(3), FieldsView.isWellFormed(fields),
                let step = try DocumentIDEncoding.withID(
                    key,
                    { (id: UnsafeRawBufferPointer) throws(FirestoreError) -> ScanStep in
                        try body(
                            ScannedDocument(
                                collection: collection.path, id: id,
                                createTime: DocumentVersion(microseconds: statement.integer(1)),
                                updateTime: DocumentVersion(microseconds: statement.integer(2)), fields: fields))
                    })
            else { throw damaged(statement.blob(0), in: collection.path) }
            if step == .stop { return .stop }
        }
        return .next
    }

    func damaged(_ key: UnsafeRawBufferPointer?, in collection: CollectionPath) -> FirestoreError {
        let id = key.flatMap { DocumentIDEncoding.decode($0) } ?? "(unreadable id)"
        return errors.damaged("document \(collection.path)/\(id)")
    }
}
