/// One consistent read view of a database: what queries are executed over.
///
/// Synchronous; valid inside the closure that handed it out. Conformers: the read transaction of
/// `FirestoreStorage`, and a plain array in tests.
package protocol DocumentSource {
    /// Everything committed up to here is visible, nothing after.
    var readTime: DocumentVersion { get }

    func document(_ key: DocumentKey) throws(FirestoreError) -> Document?

    /// Walks the documents of a scope in `__name__` order (reversed if asked) and stops when `body` says so.
    ///
    /// `body` sees the bytes in place, before anything is copied: what a filter rejects costs no allocation. The
    /// row is valid only during the call; `row.document()` copies it out.
    func scan(
        _ scope: QueryScope, range: KeyRange, descending: Bool,
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError)

    /// How many documents a scan would meet; counts no further than `upTo`.
    func documentCount(in scope: QueryScope, range: KeyRange, upTo: Int?) throws(FirestoreError) -> Int

    /// The indexes on collections with this id that can be used in this view.
    func indexes(on collectionID: String) throws(FirestoreError) -> [ReadyIndex]

    /// Walks entries of an index. `collection` names the one collection for an index of that scope, and is nil for one
    /// of a collection group.
    func entries(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, descending: Bool
    ) throws(FirestoreError) -> any IndexCursor

    /// How many entries a range of an index has; counts no further than `upTo`.
    func entryCount(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, upTo: Int?
    ) throws(FirestoreError) -> Int

    /// The document an index entry belongs to, in place.
    func withDocument<R>(
        at row: Int64, _ body: (borrowing ScannedDocument) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> R
}

extension DocumentSource {
    /// Counts by walking. Who can count without looking at each document does better.
    package func documentCount(in scope: QueryScope, range: KeyRange, upTo: Int?) throws(FirestoreError) -> Int {
        var count = 0
        guard upTo != 0 else { return count }
        try scan(scope, range: range, descending: false) { _ in
            count += 1
            return count == upTo ? .stop : .next
        }
        return count
    }

    /// Counts by walking. Who can count without looking at each entry does better.
    package func entryCount(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, upTo: Int?
    ) throws(FirestoreError) -> Int {
        let cursor = try entries(of: index, in: collection, range: range, descending: false)
        var count = 0
        while count != upTo, try cursor.next() { count += 1 }
        return count
    }
}

package enum ScanStep: Sendable { case next, stop }

/// Bounds on the document key of a scan; nil means open.
package struct KeyRange: Sendable {
    package struct Bound: Sendable {
        package var key: DocumentKey
        package var inclusive: Bool
        package init(_ key: DocumentKey, inclusive: Bool) {
            self.key = key
            self.inclusive = inclusive
        }
    }

    package var lower: Bound?
    package var upper: Bound?

    package init(lower: Bound? = nil, upper: Bound? = nil) {
        self.lower = lower
        self.upper = upper
    }

    package static let all = KeyRange()
}

/// A document in the middle of a scan: its bytes, borrowed.
package struct ScannedDocument: ~Copyable {
    package let collection: CollectionPath
    /// UTF-8 of the document id.
    package let id: UnsafeRawBufferPointer
    package let createTime: DocumentVersion
    package let updateTime: DocumentVersion
    package let fields: UnsafeRawBufferPointer

    package init(
        collection: CollectionPath, id: UnsafeRawBufferPointer, createTime: DocumentVersion,
        updateTime: DocumentVersion, fields: UnsafeRawBufferPointer
    ) {
        self.collection = collection
        self.id = id
        self.createTime = createTime
        self.updateTime = updateTime
        self.fields = fields
    }

    package var key: DocumentKey {
        DocumentKey(collection: collection, id: String(decoding: id, as: UTF8.self))
    }

    package var view: FieldsView { FieldsView(fields) }

    /// Copies the document out of the scan.
    package func document() -> Document {
        Document(
            key: key, createTime: createTime, updateTime: updateTime,
            fields: FieldBytes(canonical: ByteSlice(copying: fields)))
    }
}
