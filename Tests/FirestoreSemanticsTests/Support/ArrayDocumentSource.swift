import FirestoreCore

/// A database that is an array: the simplest `DocumentSource`.
struct ArrayDocumentSource: DocumentSource {
    let readTime = DocumentVersion(microseconds: 1)
    private let documents: [Document]
    /// Counts what scans and lookups touched.
    let reads = Counter()

    final class Counter {
        fileprivate(set) var scanned = 0
        fileprivate(set) var looked = 0
    }

    init(_ documents: [Document]) { self.documents = documents.sorted { $0.key < $1.key } }

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

    func indexes(on collectionID: String) throws(FirestoreError) -> [ReadyIndex] { [] }

    func entries(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, descending: Bool
    ) throws(FirestoreError) -> any IndexCursor {
        throw FirestoreError(.internal, "no such index")
    }

    func withDocument<R>(
        at row: Int64, _ body: (borrowing ScannedDocument) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> R {
        throw FirestoreError(.internal, "no such row")
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
