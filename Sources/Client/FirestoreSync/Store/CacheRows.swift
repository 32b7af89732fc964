// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

/// Reads rows of a cache inside one transaction.
struct CacheRows<Source: StatementSource> {
    let source: Source
    /// Whether there are rows in `bases`.
    let hasBases: Bool
    /// About how many, if that is known.
    var baseCount = Int64.max
    /// Whether batches have a column `bases`: not in a cache of version 1, which can be looked at without changing it.
    var batchesHaveBases = true

    private static var plain: String {
        "SELECT create_time, update_time, fields FROM documents WHERE collection = ?1 AND id = ?2"
    }
    private static var full: String {
        """
        SELECT d.create_time, d.update_time, d.fields, b.state, b.version, b.create_time, b.read_time, b.fields, b.batch, b.kind, b.mask
        FROM (SELECT 1) LEFT JOIN documents AS d ON d.collection = ?1 AND d.id = ?2
        LEFT JOIN bases AS b ON b.collection = ?1 AND b.id = ?2
        """
    }

    func entry(_ key: DocumentKey) throws(FirestoreError) -> CacheEntry {
        guard let collection = try source.number(of: key.collection) else { return CacheEntry(key: key) }
        return try entry(key, in: collection, id: key.encodedID)
    }

    /// The row of `documents`.
    func document(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        guard let collection = try source.number(of: key.collection) else { return nil }
        let row = try source.statement(Self.plain)
        let id = key.encodedID
        defer {
            row.reset()
            withExtendedLifetime(id) {}
        }
        row.bind(1, collection)
        row.bind(2, id.buffer)
        return try row.step() ? try document(key, in: row) : nil
    }

    /// Reads the first columns; nil if they are null.
    private func document(_ key: DocumentKey, in row: SQLStatement) throws(FirestoreError) -> Document? {
        if row.isNull(0) { return nil }
        guard let fields = row.blob(2) else { throw source.damaged("document \(key.path)") }
        return Document(
            key: key, createTime: DocumentVersion(microseconds: row.integer(0)), updateTime: DocumentVersion(microseconds: row.integer(1)),
            fields: FieldBytes(canonical: ByteSlice(copying: fields)))
    }

    func entry(_ key: DocumentKey, in collection: Int64, id: ByteSlice) throws(FirestoreError) -> CacheEntry {
        let row = try source.statement(hasBases ? Self.full : Self.plain)
        defer {
            row.reset()
            withExtendedLifetime(id) {}
        }
        row.bind(1, collection)
        row.bind(2, id.buffer)
        guard try row.step() else { return CacheEntry(key: key) }
        let document = try document(key, in: row)
        guard hasBases, !row.isNull(3) else {
            return CacheEntry(key: key, remote: document.map { .found($0) } ?? RemoteState())
        }
        let state = row.integer(3)
        guard let kind = RemoteState.Kind(rawValue: state & 3) else { throw source.damaged("document \(key.path)") }
        var remote = RemoteState(
            kind: kind, version: DocumentVersion(microseconds: row.integer(4)), createTime: DocumentVersion(microseconds: row.integer(5)),
            readTime: DocumentVersion(microseconds: row.integer(6)), isCommitted: state & Self.committed != 0)
        if kind == .found {
            remote.fields = row.blob(7).map { FieldBytes(canonical: ByteSlice(copying: $0)) } ?? document?.fields ?? .empty
        }
        return CacheEntry(key: key, remote: remote, overlay: try overlay(of: key, in: row, at: 8), overlaid: document?.fields)
    }

    static var committed: Int64 { 4 }

    private func overlay(of key: DocumentKey, in row: SQLStatement, at column: Int32) throws(FirestoreError) -> CacheOverlay? {
        guard !row.isNull(column) else { return nil }
        let effect: CacheOverlay.Effect
        switch row.integer(column + 1) {
        case 1: effect = .set
        case 2:
            guard let mask = row.blob(column + 2).flatMap({ FieldMaskEncoding.decode($0) }) else {
                throw source.damaged("the pending changes of document \(key.path)")
            }
            effect = .patch(mask)
        case 3: effect = .delete
        default: throw source.damaged("the pending changes of document \(key.path)")
        }
        return CacheOverlay(batch: row.integer(column), effect: effect)
    }

    /// Documents as queries find them, with what `bases` says of them.
    func local(_ documents: [Document]) throws(FirestoreError) -> [LocalDocument] {
        guard hasBases else {
            return documents.map { LocalDocument(key: $0.key, content: .found($0), version: $0.updateTime, state: .synced) }
        }
        var result: [LocalDocument] = []
        result.reserveCapacity(documents.count)
        // A row costs about as much as looking for one.
        if documents.count > 100, baseCount < documents.count / 2 {
            let states = try allStates()
            for document in documents {
                let state = states[document.key] ?? .synced
                result.append(
                    LocalDocument(key: document.key, content: .found(document), version: document.updateTime, state: state))
            }
            return result
        }
        let row = try source.statement("SELECT state, batch FROM bases WHERE collection = ?1 AND id = ?2")
        defer { row.reset() }
        var last: (path: CollectionPath, number: Int64?)?
        for document in documents {
            let path = document.key.collection
            if last?.path != path { last = (path, try source.number(of: path)) }
            var state = LocalDocument.State.synced
            if let number = last?.number {
                let id = document.key.encodedID
                defer {
                    row.reset()
                    withExtendedLifetime(id) {}
                }
                row.bind(1, number)
                row.bind(2, id.buffer)
                if try row.step() { state = self.state(in: row, at: 0) }
            }
            result.append(LocalDocument(key: document.key, content: .found(document), version: document.updateTime, state: state))
        }
        return result
    }

    /// What all rows of `bases` say.
    private func allStates() throws(FirestoreError) -> [DocumentKey: LocalDocument.State] {
        let states = try source.all("SELECT collection, id, state, batch FROM bases") { (row) throws(FirestoreError) in
            (try key(in: row, at: 0), state(in: row, at: 2))
        }
        return Dictionary(uniqueKeysWithValues: states)
    }

    private func state(in row: SQLStatement, at column: Int32) -> LocalDocument.State {
        if !row.isNull(column + 1) { return .hasLocalMutations }
        return row.integer(column) & Self.committed != 0 ? .hasCommittedMutations : .synced
    }

    /// The key in the columns `collection` and `id` of a row.
    func key(in row: SQLStatement, at column: Int32) throws(FirestoreError) -> DocumentKey {
        guard let id = row.blob(column + 1).flatMap({ DocumentIDEncoding.decode($0) }) else { throw source.damaged("a document id") }
        return DocumentKey(collection: try source.path(of: row.integer(column)), id: id)
    }
}

/// The field paths of an overlay: each as its number of segments and the segments, with their lengths.
enum FieldMaskEncoding {
    static func encode(_ mask: [FieldPathSegments]) -> [UInt8] {
        var bytes: [UInt8] = []
        for path in mask {
            append(path.segments.count, to: &bytes)
            for segment in path.segments {
                append(segment.utf8.count, to: &bytes)
                bytes.append(contentsOf: segment.utf8)
            }
        }
        return bytes
    }

    /// nil if the bytes are damaged.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> [FieldPathSegments]? {
        var rest = bytes[...]
        var mask: [FieldPathSegments] = []
        while !rest.isEmpty {
            guard let count = number(&rest), count > 0, count <= rest.count else { return nil }
            var segments: [String] = []
            for _ in 0..<count {
                guard let length = number(&rest), length <= rest.count,
                    let segment = String(validating: rest.prefix(length), as: UTF8.self)
                else { return nil }
                segments.append(segment)
                rest = rest.dropFirst(length)
            }
            mask.append(FieldPathSegments(segments))
        }
        return mask
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func number(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Int? {
        var (result, shift) = (0, 0)
        while let byte = rest.popFirst(), shift < 28 {
            result |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return result }
            shift += 7
        }
        return nil
    }
}
