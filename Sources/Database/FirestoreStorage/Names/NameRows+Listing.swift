// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension NameRows {
    /// Ids of the collections directly below a document (nil: the root) that contain documents at any depth, sorted by bytes: at
    /// most `limit`, starting after `after`.
    ///
    /// Costs a few steps for each of them, whatever their size.
    package func collectionIDs(
        under parent: DocumentKey?, after: String?, limit: Int, earlier: EarlierNames = EarlierNames()
    ) throws(FirestoreError) -> [String] {
        let walk = NameWalk(below: parent?.path, in: self)
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
        let rows = try number(of: collection).map { (number) throws(FirestoreError) in try ids(in: number, after: last) }
        var parents = try ParentWalk(in: collection, after: last, of: self)
        var former = earlier.ids(in: collection, after: last)[...]
        var stored = try rows?.next()
        var keys: [DocumentKey] = []
        while keys.count < limit {
            let parent = try parents.peek()
            guard let next = [stored, parent, former.first].compactMap(\.self).min(by: { $0.lexicographicallyPrecedes($1) })
            else { break }
            guard let id = next.withUnsafeBytes({ DocumentIDEncoding.decode($0) }) else {
                throw damaged("a document id in \(collection.path)")
            }
            let key = DocumentKey(collection: collection, id: id)
            var isListed = earlier.wasThere(key) ?? (stored == next)
            if !isListed, parent == next { isListed = try hasDocuments(below: [UInt8](key.path.utf8), earlier) }
            if isListed { keys.append(key) }
            if stored == next { stored = try rows?.next() }
            if parent == next { parents.move() }
            if former.first == next { former.removeFirst() }
        }
        return keys
    }

    /// Whether a collection, given by the bytes of its path, directly contains documents.
    private func hasDocuments(in path: [UInt8], _ earlier: EarlierNames) throws(FirestoreError) -> Bool {
        if earlier.hasAny(below: path + [UInt8(ascii: "/")]) { return true }
        let collection = CollectionPath(trusted: String(decoding: path, as: UTF8.self))
        guard let number = try number(of: collection) else { return false }
        return try hasDocuments(in: collection, number, earlier)
    }

    /// Whether collections below a path have documents.
    private func hasDocuments(below path: [UInt8], _ earlier: EarlierNames) throws(FirestoreError) -> Bool {
        if earlier.hasAny(below: path + [UInt8(ascii: "/")]) { return true }
        var hasAny = false
        try visitCollections(from: path + [UInt8(ascii: "/")], upTo: path + [UInt8(ascii: "0")]) { collection throws(FirestoreError) in
            hasAny = try hasDocuments(in: collection.path, collection.number, earlier)
            return hasAny ? .stop : .next
        }
        return hasAny
    }

    private func hasDocuments(
        in collection: CollectionPath, _ number: Int64, _ earlier: EarlierNames
    ) throws(FirestoreError) -> Bool {
        let rows = try ids(in: number, after: [])
        while let key = try rows.next() {
            guard let id = key.withUnsafeBytes({ DocumentIDEncoding.decode($0) }) else {
                throw damaged("a document id in \(collection.path)")
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

    init(in collection: CollectionPath, after: [UInt8], of rows: any NameRows) throws(FirestoreError) {
        walk = NameWalk(below: collection.path, in: rows)
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
