// SPDX-License-Identifier: Apache-2.0

/// One consistent snapshot of a database: the input of query execution.
///
/// Synchronous; valid inside the closure that receives it. Conformers: the snapshots of the stores
/// (`FirestoreStorage`), and a plain array in tests.
package protocol DocumentSource {
    /// Everything committed up to this time is visible, and nothing later.
    var readTime: DocumentVersion { get }

    func document(_ key: DocumentKey) throws(FirestoreError) -> Document?

    /// Walks the documents of a scope in `__name__` order (reversed if asked) and stops when `body` says so.
    ///
    /// `body` sees the bytes in place, before anything is copied: a document that a filter rejects costs no allocation. The
    /// row is valid only during the call; `row.document()` copies it.
    func scan(
        _ scope: QueryScope, range: KeyRange, descending: Bool,
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError)

    /// Counts the documents that a scan would visit, up to `upTo`.
    func documentCount(in scope: QueryScope, range: KeyRange, upTo: Int?) throws(FirestoreError) -> Int

    /// The indexes on collections with this id that can be used in this snapshot.
    func indexes(on collectionID: String) throws(FirestoreError) -> [ReadyIndex]

    /// Walks entries of an index. `collection` names the collection for an index of collection scope, and is nil for a
    /// collection group index.
    func entries(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, descending: Bool
    ) throws(FirestoreError) -> any IndexCursor

    /// Counts the entries in a range of an index, up to `upTo`.
    func entryCount(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, upTo: Int?
    ) throws(FirestoreError) -> Int

    /// Passes the entries in a range of an index to `body`, with the kinds of their numbers. Returns false, and passes none, if this source
    /// does not know the kinds: then the documents say them.
    func numberEntries(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange,
        _ body: (_ key: UnsafeRawBufferPointer, _ kinds: Int64?, DocumentHandle) throws(FirestoreError) -> Void
    ) throws(FirestoreError) -> Bool

    /// Passes the document of an index entry to `body`, in place, and returns what that returns.
    func visit(
        _ handle: DocumentHandle, _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) -> ScanStep

    /// Passes the documents of index entries to `body`, in their order, until it stops. Asks `next` for an entry when the document before
    /// it has been passed; it reads entries of this source, and is not called any more when this returns.
    func visitEach(
        _ next: @escaping () throws(FirestoreError) -> DocumentHandle?,
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError)
}

extension DocumentSource {
    package func numberEntries(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange,
        _ body: (_ key: UnsafeRawBufferPointer, _ kinds: Int64?, DocumentHandle) throws(FirestoreError) -> Void
    ) throws(FirestoreError) -> Bool { false }

    package func visitEach(
        _ next: @escaping () throws(FirestoreError) -> DocumentHandle?,
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        while let handle = try next() {
            if try visit(handle, body) == .stop { return }
        }
    }

    /// The result of `body` for the document of an index entry.
    package func withDocument<R>(
        _ handle: DocumentHandle, _ body: (borrowing ScannedDocument) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> R {
        var result: R?
        _ = try visit(handle) { (scanned) throws(FirestoreError) in
            result = try body(scanned)
            return .next
        }
        guard let result else { preconditionFailure("a document was neither passed nor missing") }
        return result
    }

    /// Counts by walking. Conformers that can count without scanning should override this.
    package func documentCount(in scope: QueryScope, range: KeyRange, upTo: Int?) throws(FirestoreError) -> Int {
        var count = 0
        guard upTo != 0 else { return count }
        try scan(scope, range: range, descending: false) { _ in
            count += 1
            return count == upTo ? .stop : .next
        }
        return count
    }

    /// Counts by walking. Conformers that can count without scanning should override this.
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

/// Bounds on the document keys of a scan; nil means open.
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
