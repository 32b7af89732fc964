// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import GRDB

extension ReadTransaction {
    /// Ids of the collections directly below a document (nil: the root) that contain documents at any depth, sorted by bytes: at
    /// most `limit`, starting after `after`.
    ///
    /// Costs a few steps for each of them, whatever their size.
    package func collectionIDs(
        under parent: DocumentKey?, after: String?, limit: Int, earlier: EarlierNames = EarlierNames()
    ) throws(FirestoreError) -> [String] {
        let walk = try NameWalk(below: parent?.path, on: database, errors: errors)
        var ids: [String] = []
        var last = after.map { [UInt8]($0.utf8) }
        while ids.count < limit, let name = try walk.next(after: last) {
            last = name
            let path = walk.prefix + name
            var isThere = try hasDocuments(in: path, earlier)
            if !isThere { isThere = try hasDocuments(below: path, earlier) }
            guard isThere else { continue }
            ids.append(String(decoding: name, as: UTF8.self))
        }
        return ids
    }

    /// Documents of a collection in `__name__` order, including those that are missing but have documents below them (DM-11): at
    /// most `limit`, starting after `after`.
    package func documentKeys(
        in collection: CollectionPath, after: DocumentKey?, limit: Int, earlier: EarlierNames = EarlierNames()
    ) throws(FirestoreError) -> [DocumentKey] {
        let last = after?.encodedID.array ?? []
        let statement = try self.statement("SELECT id FROM documents WHERE collection = ?1 AND id > ?2 ORDER BY id")
        defer { statement.reset() }
        statement.bind(1, try rows.number(of: collection) ?? -1)
        statement.bind(2, copying: last)
        var parents = try ParentWalk(in: collection, after: last, on: database, errors: errors)
        var former = earlier.ids(in: collection, after: last)[...]
        var stored = try nextID(statement)
        var keys: [DocumentKey] = []
        while keys.count < limit {
            let parent = try parents.peek()
            guard let next = [stored, parent, former.first].compactMap(\.self).min(by: { $0.lexicographicallyPrecedes($1) })
            else { break }
            guard let id = next.withUnsafeBytes({ DocumentIDEncoding.decode($0) }) else {
                throw errors.damaged("a document id in \(collection.path)")
            }
            let key = DocumentKey(collection: collection, id: id)
            var isListed = earlier.wasThere(key) ?? (stored == next)
            if !isListed, parent == next { isListed = try hasDocuments(below: [UInt8](key.path.utf8), earlier) }
            if isListed { keys.append(key) }
            if stored == next { stored = try nextID(statement) }
            if parent == next { parents.move() }
            if former.first == next { former.removeFirst() }
        }
        return keys
    }

    private func nextID(_ statement: SQLStatement) throws(FirestoreError) -> [UInt8]? {
        try statement.step() ? statement.blob(0).map { [UInt8]($0) } : nil
    }

    /// Whether a collection, given by the bytes of its path, directly contains documents.
    private func hasDocuments(in path: [UInt8], _ earlier: EarlierNames) throws(FirestoreError) -> Bool {
        if earlier.hasAny(below: path + [UInt8(ascii: "/")]) { return true }
        let collection = CollectionPath(trusted: String(decoding: path, as: UTF8.self))
        guard let number = try rows.number(of: collection) else { return false }
        return try hasDocuments(in: collection, number, earlier)
    }

    /// Whether collections below a path have documents.
    private func hasDocuments(below path: [UInt8], _ earlier: EarlierNames) throws(FirestoreError) -> Bool {
        if earlier.hasAny(below: path + [UInt8(ascii: "/")]) { return true }
        let statement = try self.statement("SELECT number, path FROM collections WHERE path > ?1 AND path < ?2")
        defer { statement.reset() }
        statement.bind(1, copying: path + [UInt8(ascii: "/")])
        statement.bind(2, copying: path + [UInt8(ascii: "0")])
        while try statement.step() {
            guard let path = statement.blob(1), let text = String(validating: path, as: UTF8.self) else {
                throw errors.damaged("the path of a collection")
            }
            if try hasDocuments(in: CollectionPath(trusted: text), statement.integer(0), earlier) { return true }
        }
        return false
    }

    private func hasDocuments(
        in collection: CollectionPath, _ number: Int64, _ earlier: EarlierNames
    ) throws(FirestoreError) -> Bool {
        let statement = try self.statement("SELECT id FROM documents WHERE collection = ?1")
        defer { statement.reset() }
        statement.bind(1, number)
        while try statement.step() {
            guard let id = statement.blob(0).flatMap({ DocumentIDEncoding.decode($0) }) else {
                throw errors.damaged("a document id in \(collection.path)")
            }
            // Documents created or changed since have been considered among the earlier ones.
            if earlier.wasThere(DocumentKey(collection: collection, id: id)) == nil { return true }
        }
        return false
    }
}

/// The documents of a collection, existing or not, that have collections below them: in `__name__` order, as keys of rows.
private struct ParentWalk {
    private let walk: NameWalk
    /// Numeric ids come first, ordered by number, which is not the order of their bytes.
    private var numeric: ArraySlice<[UInt8]> = []
    private var lastName: [UInt8]?
    private var peeked: [UInt8]?
    private var isAtEnd = false

    init(in collection: CollectionPath, after: [UInt8], on database: Database, errors: StoreErrors) throws(FirestoreError) {
        walk = try NameWalk(below: collection.path, on: database, errors: errors)
        if after.first == DocumentIDEncoding.textMark { lastName = Array(after.dropFirst()) }
        guard after.first != DocumentIDEncoding.textMark else { return }
        // After everything that orders before `__id`.
        var name: [UInt8]? = Array("__ic".utf8) + [0xFF]
        var found: [[UInt8]] = []
        while let next = try walk.next(after: name), next.starts(with: "__id".utf8) {
            name = next
            let id = DocumentIDEncoding.encode(String(decoding: next, as: UTF8.self))
            if id.first == DocumentIDEncoding.numericMark, after.lexicographicallyPrecedes(id) { found.append(id) }
        }
        numeric = found.sorted { $0.lexicographicallyPrecedes($1) }[...]
    }

    mutating func peek() throws(FirestoreError) -> [UInt8]? {
        if let first = numeric.first { return first }
        while peeked == nil, !isAtEnd {
            guard let name = try walk.next(after: lastName) else {
                isAtEnd = true
                return nil
            }
            lastName = name
            let id = DocumentIDEncoding.encode(String(decoding: name, as: UTF8.self))
            if id.first == DocumentIDEncoding.textMark { peeked = id }
        }
        return peeked
    }

    /// Moves past the key that `peek` returned.
    mutating func move() {
        if numeric.isEmpty { peeked = nil } else { numeric.removeFirst() }
    }
}
