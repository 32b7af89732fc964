// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A database at an earlier time: the current state with every later change undone.
///
/// It is a document source, so queries, aggregations and every other operation on sources also work on the past. An
/// operation costs as much as now, plus one step for each document changed since.
///
/// Used by one thread, like every source.
package final class PastSnapshot<Base: DocumentSource>: DocumentSource {
    package let readTime: DocumentVersion
    private let base: Base
    private let earlier: [DocumentKey: EarlierState]
    /// The earlier documents that existed, in `__name__` order.
    private let documents: [Document]
    /// Documents whose current entries are ignored.
    private let changed: Set<DocumentHandle>
    /// The index entries of the earlier documents, made when an index is first read.
    private var entries: [EntryList: [PastEntry]] = [:]

    private struct EntryList: Hashable {
        let index: Int64
        let collection: CollectionPath?
    }

    /// `states`: all documents changed since `readTime` that an operation on the snapshot may affect, without duplicates.
    package init(_ base: Base, at readTime: DocumentVersion, states: [EarlierState]) {
        self.base = base
        self.readTime = readTime
        earlier = Dictionary(states.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        documents = earlier.values.compactMap(\.document).sorted { $0.key < $1.key }
        changed = Set(earlier.values.compactMap(\.current))
    }

    package func document(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        if let state = earlier[key] { return state.document }
        return try base.document(key)
    }

    package func scan(
        _ scope: QueryScope, range: KeyRange, descending: Bool,
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        var rest = documents.filter { scope.contains($0.key) && range.contains($0.key) }[...]
        if !descending { rest = ArraySlice(rest.reversed()) }  // the next one is the last
        var isStopped = false
        try base.scan(scope, range: range, descending: descending) { scanned throws(FirestoreError) in
            while let next = rest.last, Self.precedes(next.key, scanned.key, descending) {
                rest.removeLast()
                if try next.withScanned(body) == .stop {
                    isStopped = true
                    return .stop
                }
            }
            // Newer than this snapshot: its earlier state is among the given ones, or it did not exist.
            if scanned.changeTime > readTime { return .next }
            let step = try body(scanned)
            isStopped = step == .stop
            return step
        }
        while !isStopped, let next = rest.popLast() { isStopped = try next.withScanned(body) == .stop }
    }

    private static func precedes(_ left: DocumentKey, _ right: DocumentKey, _ descending: Bool) -> Bool {
        descending ? right < left : left < right
    }

    // MARK: Indexes

    package func indexes(on collectionID: String) throws(FirestoreError) -> [ReadyIndex] {
        try base.indexes(on: collectionID)
    }

    package func entries(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, descending: Bool
    ) throws(FirestoreError) -> any IndexCursor {
        let now = try base.entries(of: index, in: collection, range: range, descending: descending)
        if earlier.isEmpty { return now }
        let list = EntryList(index: index.number, collection: collection)
        let all = entries[list] ?? pastEntries(of: index.definition, in: collection)
        entries[list] = all
        let wanted = all.filter { range.contains($0.key.buffer) }
        return PastCursor(
            now, without: changed, with: descending ? wanted.reversed() : wanted, descending: descending)
    }

    /// In key order.
    private func pastEntries(of definition: IndexDefinition, in collection: CollectionPath?) -> [PastEntry] {
        let keys = IndexEntryKeys(definition)
        var entries: [PastEntry] = []
        for (index, document) in documents.enumerated() {
            let home = document.key.collection
            guard collection.map({ $0 == home }) ?? home.id.utf8.elementsEqual(definition.collectionID.utf8) else {
                continue
            }
            for key in keys.keys(of: document.key, fields: document.fields.view) {
                entries.append(PastEntry(key: ByteSlice(key), document: DocumentHandle(overlaid: index)))
            }
        }
        return entries.sorted { compareBytes($0.key.buffer, $1.key.buffer) < 0 }
    }

    package func visit(
        _ handle: DocumentHandle, _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) -> ScanStep {
        if let index = handle.overlaidIndex { return try documents[index].withScanned(body) }
        return try base.visit(handle, body)
    }
}

extension KeyRange {
    func contains(_ key: DocumentKey) -> Bool {
        if let lower, key < lower.key || (!lower.inclusive && key == lower.key) { return false }
        if let upper, upper.key < key || (!upper.inclusive && key == upper.key) { return false }
        return true
    }
}

extension IndexRange {
    fileprivate func contains(_ key: UnsafeRawBufferPointer) -> Bool {
        lower.withUnsafeBytes { compareBytes($0, key) <= 0 }
            && (upper.map { upper in upper.withUnsafeBytes { compareBytes(key, $0) < 0 } } ?? true)
    }
}
