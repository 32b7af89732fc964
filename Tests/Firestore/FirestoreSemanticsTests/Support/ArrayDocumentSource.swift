// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// A database that is an array: the simplest `DocumentSource`.
struct ArrayDocumentSource: DocumentSource {
    let readTime = DocumentVersion(microseconds: 1)
    private let documents: [Document]
    /// Counts what scans and lookups touched.
    let reads = Counter()

    final class Counter {
        fileprivate(set) var scanned = 0
        fileprivate(set) var looked = 0
        /// Numbers that index entries gave.
        fileprivate(set) var numbers = 0
    }

    private struct EntryList: Hashable {
        let number: Int64
        let collection: CollectionPath?
    }

    private let indexes: [ReadyIndex]
    private let entries: [EntryList: [ArrayIndexCursor.Entry]]

    init(_ documents: [Document], indexes definitions: [IndexDefinition] = []) {
        let documents = documents.sorted { $0.key < $1.key }
        self.documents = documents
        indexes = definitions.enumerated().map { ReadyIndex(number: Int64($0.offset), definition: $0.element) }
        var entries: [EntryList: [ArrayIndexCursor.Entry]] = [:]
        for index in indexes {
            let keys = IndexEntryKeys(index.definition)
            for (row, document) in documents.enumerated() where document.key.collection.id == index.definition.collectionID {
                let list = EntryList(
                    number: index.number,
                    collection: index.definition.scope == .collection ? document.key.collection : nil)
                entries[list, default: []] += withExtendedLifetime(document) {
                    keys.keys(of: document.key, fields: document.fields.view).map { (key: $0, row: Int64(row)) }
                }
            }
        }
        self.entries = entries.mapValues { $0.sorted { $0.key.lexicographicallyPrecedes($1.key) } }
    }

    func document(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        reads.looked += 1
        return documents.first { $0.key == key }
    }

    func scan(
        _ scope: QueryScope, range: KeyRange, descending: Bool,
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        for document in descending ? documents.reversed() : documents {
            guard isInside(document.key, scope), isInside(document.key, range) else { continue }
            reads.scanned += 1
            let id = Array(document.key.id.utf8)
            let step = try withBytes(of: id) { id throws(FirestoreError) in
                try body(
                    ScannedDocument(
                        collection: document.key.collection, id: id, createTime: document.createTime,
                        updateTime: document.updateTime, fields: document.fields.bytes.buffer))
            }
            if step == .stop { return }
        }
    }

    private func withBytes(
        of id: [UInt8], _ body: (UnsafeRawBufferPointer) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) -> ScanStep {
        let slice = ByteSlice(id)
        defer { withExtendedLifetime(slice) {} }
        return try body(slice.buffer)
    }

    func indexes(on collectionID: String) throws(FirestoreError) -> [ReadyIndex] {
        indexes.filter { $0.definition.collectionID == collectionID }
    }

    func entries(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, descending: Bool
    ) throws(FirestoreError) -> any IndexCursor {
        let entries = entries[EntryList(number: index.number, collection: collection)] ?? []
        return ArrayIndexCursor(
            entries.filter { entry in
                !entry.key.lexicographicallyPrecedes(range.lower)
                    && (range.upper.map { entry.key.lexicographicallyPrecedes($0) } ?? true)
            }, isDescending: descending)
    }

    /// Every third entry is as of before there were kinds.
    func numberEntries(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange,
        _ body: (_ key: UnsafeRawBufferPointer, _ kinds: Int64?, DocumentHandle) throws(FirestoreError) -> Void
    ) throws(FirestoreError) -> Bool {
        let keys = IndexEntryKeys(index.definition)
        let cursor = try entries(of: index, in: collection, range: range, descending: false)
        while try cursor.next() {
            let document = documents[Int(cursor.document.number)]
            let kinds = withExtendedLifetime(document) { keys.entries(of: document.key, fields: document.fields.view).kinds }
            let isKnown = cursor.document.number % 3 != 0
            if isKnown { reads.numbers += 1 }
            try body(cursor.key, isKnown ? kinds : nil, cursor.document)
        }
        return true
    }

    func visit(
        _ handle: DocumentHandle, _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) -> ScanStep {
        reads.looked += 1
        return try documents[Int(handle.number)].withScanned(body)
    }

    private func isInside(_ key: DocumentKey, _ scope: QueryScope) -> Bool {
        switch scope {
        case .collection(let collection): key.collection == collection
        case .kindless(let under, let allDescendants):
            (under.map { key.path.utf8.starts(with: ($0.path + "/").utf8) } ?? true)
                && (allDescendants || key.collection.parent == under)
        case .collectionGroup(let id, let under):
            key.collection.id == id && (under.map { key.path.utf8.starts(with: ($0.path + "/").utf8) } ?? true)
        }
    }

    private func isInside(_ key: DocumentKey, _ range: KeyRange) -> Bool {
        if let lower = range.lower, key < lower.key || (key == lower.key && !lower.inclusive) { return false }
        if let upper = range.upper, upper.key < key || (key == upper.key && !upper.inclusive) { return false }
        return true
    }
}

/// Entries that are an array.
final class ArrayIndexCursor: IndexCursor {
    typealias Entry = (key: [UInt8], row: Int64)

    private let entries: [Entry]
    private let isDescending: Bool
    private var position = -1

    init(_ entries: [Entry], isDescending: Bool) {
        self.entries = isDescending ? entries.reversed() : entries
        self.isDescending = isDescending
    }

    func next() throws(FirestoreError) -> Bool {
        if position < entries.count { position += 1 }
        return position < entries.count
    }

    func seek(_ key: [UInt8]) throws(FirestoreError) {
        while position + 1 < entries.count {
            let next = entries[position + 1].key
            if isDescending ? !key.lexicographicallyPrecedes(next) : !next.lexicographicallyPrecedes(key) { return }
            position += 1
        }
    }

    var key: UnsafeRawBufferPointer {
        // The array lives as long as the cursor, and nothing changes it.
        entries[position].key.withUnsafeBytes { $0 }
    }

    var document: DocumentHandle { DocumentHandle(entries[position].row) }
}
