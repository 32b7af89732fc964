// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A source that counts a step for every document and every entry that is walked: operations that do not know of executions end when the
/// caller no longer waits.
struct WatchedSource<Base: DocumentSource>: DocumentSource {
    private let base: Base
    private let execution: Execution

    init(_ base: Base, _ execution: Execution) { (self.base, self.execution) = (base, execution) }

    var readTime: DocumentVersion { base.readTime }

    func document(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        try execution.step()
        return try base.document(key)
    }

    func scan(
        _ scope: QueryScope, range: KeyRange, descending: Bool, _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        try base.scan(scope, range: range, descending: descending) { (scanned) throws(FirestoreError) in
            try execution.step()
            return try body(scanned)
        }
    }

    func documentCount(in scope: QueryScope, range: KeyRange, upTo: Int?) throws(FirestoreError) -> Int {
        try base.documentCount(in: scope, range: range, upTo: upTo)
    }

    func indexes(on collectionID: String) throws(FirestoreError) -> [ReadyIndex] { try base.indexes(on: collectionID) }

    func entries(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, descending: Bool
    ) throws(FirestoreError) -> any IndexCursor {
        WatchedCursor(try base.entries(of: index, in: collection, range: range, descending: descending), execution)
    }

    func entryCount(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, upTo: Int?
    ) throws(FirestoreError) -> Int {
        try base.entryCount(of: index, in: collection, range: range, upTo: upTo)
    }

    func visit(
        _ handle: DocumentHandle, _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) -> ScanStep {
        try execution.step()
        return try base.visit(handle, body)
    }

    func visitEach(
        _ next: @escaping () throws(FirestoreError) -> DocumentHandle?,
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        try base.visitEach(next) { (scanned) throws(FirestoreError) in
            try execution.step()
            return try body(scanned)
        }
    }
}

private final class WatchedCursor: IndexCursor {
    private let base: any IndexCursor
    private let execution: Execution

    init(_ base: any IndexCursor, _ execution: Execution) { (self.base, self.execution) = (base, execution) }

    func next() throws(FirestoreError) -> Bool {
        try execution.step()
        return try base.next()
    }

    func seek(_ key: [UInt8]) throws(FirestoreError) { try base.seek(key) }

    var key: UnsafeRawBufferPointer { base.key }

    var document: DocumentHandle { base.document }
}
