// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreClient
import FirestoreCore
public import Foundation

/// Reads and writes that take effect atomically, isolated from all other writes.
///
/// It is passed to the block of ``Firestore/runTransaction(_:completion:)``. All reads come before the first write and
/// show the database at one moment, that of the first read. If a document that was read has changed by the time of the
/// commit, the block runs again, up to five times in all. Using a transaction after its block has returned is a
/// programming error: the process crashes with a message.
public final class Transaction: NSObject, Sendable {
    let firestore: Firestore
    private let attempt: TransactionAttempt
    private let isFinished = Mutex(false)

    init(firestore: Firestore, attempt: TransactionAttempt) {
        self.firestore = firestore
        self.attempt = attempt
        super.init()
    }

    /// Reads a document and waits for the result. A missing document is a snapshot whose `exists` is false.
    ///
    /// Blocks its thread, so call it only on the thread on which the block runs. Throws `invalidArgument` after a
    /// write, and `aborted` if the transaction has taken more than four and a half minutes. Report errors through the
    /// block's error pointer.
    public func getDocument(_ document: DocumentReference) throws -> DocumentSnapshot {
        checkInUse()
        return try publicly { () throws(FirestoreError) in
            let key = try document.location.get()
            try check(document.firestore, key.path)
            let found = try Blocking.wait { [attempt] () async throws(FirestoreError) in try await attempt.document(key) }
            return DocumentSnapshot(reference: document, document: found, metadata: .confirmed)
        }
    }

    /// Runs a query and waits for its result.
    ///
    /// If the result has changed by the time of the commit, the commit fails and the block runs again; a document that
    /// newly matches the query is such a change. Changes behind the last document of a full limit are not. Blocks its
    /// thread, so call it only on the thread on which the block runs. Throws the errors of `getDocument`, and
    /// `invalidArgument` for an invalid query.
    ///
    /// Beyond the Apple SDK.
    public func getDocuments(_ query: Query) throws -> QuerySnapshot {
        checkInUse()
        return try publicly { () throws(FirestoreError) in
            let runnable = try query.runnable.get()
            try check(query.firestore, runnable.query.scope.place)
            let view = try Blocking.wait { [attempt] () async throws(FirestoreError) in try await attempt.run(runnable) }
            return QuerySnapshot(query: query, view: view)
        }
    }

    /// Runs a pipeline and waits for its result.
    ///
    /// If one of the collections or documents that it reads has changed by the time of the commit, the commit fails and the block runs
    /// again. A pipeline that writes does so when the transaction is committed: reads of the transaction do not see it. Blocks its thread,
    /// so call it only on the thread on which the block runs. Throws the errors of ``Pipeline/execute()``, and `invalidArgument` after a
    /// write.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func execute(_ pipeline: Pipeline) throws -> Pipeline.Snapshot {
        checkInUse()
        let (other, request) = try pipeline.runnable()
        return try publicly { () throws(FirestoreError) in
            try check(other, request.source ?? "the root")
            let page = try Blocking.wait { [attempt] () async throws(FirestoreError) in try await attempt.execute(request) }
            return Pipeline.Snapshot(page, firestore: firestore)
        }
    }

    private func check(_ other: Firestore, _ place: String) throws(FirestoreError) {
        guard other === firestore else {
            throw .invalidArgument("the reference belongs to another Firestore instance", at: place)
        }
    }

    /// Creates or overwrites a document.
    @discardableResult
    public func setData(_ data: [String: Any], forDocument document: DocumentReference) -> Transaction {
        add(document) { key throws(FirestoreError) in try self.firestore.content(data).set(key) }
    }

    /// Creates a document, or with `merge` writes the given fields into it and leaves the others unchanged.
    @discardableResult
    public func setData(_ data: [String: Any], forDocument document: DocumentReference, merge: Bool) -> Transaction {
        add(document) { key throws(FirestoreError) in try self.firestore.content(data).set(key, merge: merge) }
    }

    /// Creates a document or writes only the listed fields into it, each as a whole.
    @discardableResult
    public func setData(
        _ data: [String: Any], forDocument document: DocumentReference, mergeFields: [Any]
    ) -> Transaction {
        add(document) { key throws(FirestoreError) in
            try self.firestore.content(data).merge(key, fields: try MergeFields.parse(mergeFields))
        }
    }

    /// Changes fields of a document. If it does not exist, the commit fails.
    @discardableResult
    public func updateData(_ fields: [AnyHashable: Any], forDocument document: DocumentReference) -> Transaction {
        add(document) { key throws(FirestoreError) in try self.firestore.update(key, with: fields) }
    }

    /// Deletes a document.
    @discardableResult
    public func deleteDocument(_ document: DocumentReference) -> Transaction {
        add(document) { key throws(FirestoreError) in Write(key: key, operation: .delete) }
    }

    /// Adds a write. If the write could not be built, the commit fails.
    @discardableResult
    func add(
        _ document: DocumentReference, _ make: (DocumentKey) throws(FirestoreError) -> Write
    ) -> Transaction {
        let write = document.write(for: firestore, make)
        checkInUse()
        switch write {
        case .success(let write): attempt.write(write)
        case .failure(let error): attempt.fail(error)
        }
        return self
    }

    /// Marks the transaction as finished.
    func finish() { isFinished.withLock { $0 = true } }

    private func checkInUse() {
        if isFinished.withLock({ $0 }) { endForMisuse("a Transaction cannot be used after its block has returned") }
    }
}
