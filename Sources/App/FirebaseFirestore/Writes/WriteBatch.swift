// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
public import Foundation

/// Several writes that are committed atomically.
///
/// ```swift
/// let batch = db.batch()
/// batch.setData(["name": "San Francisco"], forDocument: sf)
/// batch.deleteDocument(la)
/// try await batch.commit()
/// ```
/// An invalid write (an invalid path, data that cannot be stored, a reference of another Firestore instance) makes
/// `commit` fail with `invalidArgument`. Changing or committing a batch after it was committed is a programming error:
/// the process crashes with a message.
public final class WriteBatch: NSObject, Sendable {
    private struct State {
        var writes: [Write] = []
        var error: FirestoreError?
        var isCommitted = false
        /// Whether a write has a condition that the caller named: then the server decides immediately, past a queue.
        var isConditional = false
    }

    let firestore: Firestore
    private let state = Mutex(State())

    init(firestore: Firestore) {
        self.firestore = firestore
        super.init()
    }

    /// Creates or overwrites a document.
    @discardableResult
    public func setData(_ data: [String: Any], forDocument document: DocumentReference) -> WriteBatch {
        add(document) { key throws(FirestoreError) in try self.firestore.content(data).set(key) }
    }

    /// Creates a document, or with `merge` writes the given fields into it and leaves the others unchanged.
    @discardableResult
    public func setData(_ data: [String: Any], forDocument document: DocumentReference, merge: Bool) -> WriteBatch {
        add(document) { key throws(FirestoreError) in try self.firestore.content(data).set(key, merge: merge) }
    }

    /// Creates a document or writes only the listed fields into it, each as a whole.
    @discardableResult
    public func setData(
        _ data: [String: Any], forDocument document: DocumentReference, mergeFields: [Any]
    ) -> WriteBatch {
        add(document) { key throws(FirestoreError) in
            try self.firestore.content(data).merge(key, fields: try MergeFields.parse(mergeFields))
        }
    }

    /// Changes fields of a document. If it does not exist, `commit` fails with `notFound`.
    @discardableResult
    public func updateData(_ fields: [AnyHashable: Any], forDocument document: DocumentReference) -> WriteBatch {
        add(document) { key throws(FirestoreError) in try self.firestore.update(key, with: fields) }
    }

    /// Deletes a document.
    @discardableResult
    public func deleteDocument(_ document: DocumentReference) -> WriteBatch {
        add(document) { key throws(FirestoreError) in Write(key: key, operation: .delete) }
    }

    /// Commits all writes atomically, without waiting.
    ///
    /// Like ``commit(completion:)`` without a handler: a failure is logged, unless the receipt is awaited.
    @discardableResult
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func commit() -> WriteReceipt {
        commit(completion: nil)
    }

    /// Commits all writes atomically.
    ///
    /// Returns immediately; reads and listeners started afterwards see the writes. `completion` is called on the queue
    /// of the settings when the writes are durable, or when the server has accepted them; not while the client is offline.
    /// It is called with an error if none of them was made. Instead of passing a handler, you can await the receipt.
    @discardableResult
    public func commit(completion: (((any Error)?) -> Void)?) -> WriteReceipt {
        let batch = take()
        return firestore.submit(batch.writes, isConditional: batch.isConditional, completion: completion)
    }

    /// Commits all writes atomically and returns when they are durable.
    ///
    /// For a database on a server: when the server has accepted them, or, with a cache, when they are queued and the client is
    /// offline (`settings.awaitedWrites`).
    ///
    /// - Throws: `invalidArgument` for the first write that cannot be stored, `notFound` for an update of a missing document,
    ///   `permissionDenied` if security rules deny a write. Then none of the writes is made.
    public nonisolated(nonsending) func commit() async throws {
        try await firestore.wait(for: commit(completion: nil))
    }

    /// Adds a write, or records the error if it could not be built.
    @discardableResult
    func add(
        _ document: DocumentReference, isConditional: Bool = false, _ make: (DocumentKey) throws(FirestoreError) -> Write
    ) -> WriteBatch {
        let write = document.write(for: firestore, make)
        let isLate = state.withLock { state in
            if state.isCommitted { return true }
            if isConditional { state.isConditional = true }
            switch write {
            case .success(let write): state.writes.append(write)
            case .failure(let error): state.error = state.error ?? error
            }
            return false
        }
        if isLate { endForMisuse("a WriteBatch cannot be changed after commit; make a new one") }
        return self
    }

    func take() -> (writes: Result<[Write], FirestoreError>, isConditional: Bool) {
        let result: (writes: Result<[Write], FirestoreError>, isConditional: Bool)? = state.withLock { state in
            if state.isCommitted { return nil }
            state.isCommitted = true
            defer { state.writes = [] }
            return (state.error.map { .failure($0) } ?? .success(state.writes), state.isConditional)
        }
        guard let result else { endForMisuse("a WriteBatch can be committed only once; make a new one") }
        return result
    }
}

extension Firestore {
    /// Creates an empty batch of writes.
    public func batch() -> WriteBatch { WriteBatch(firestore: self) }
}

extension DocumentReference {
    /// A write of this document, as part of a batch or transaction of `firestore`.
    func write(
        for firestore: Firestore, _ make: (DocumentKey) throws(FirestoreError) -> Write
    ) -> Result<Write, FirestoreError> {
        Result { () throws(FirestoreError) in
            let key = try location.get()
            guard self.firestore === firestore else {
                throw .invalidArgument("the reference belongs to another Firestore instance", at: key.path)
            }
            do throws(FirestoreError) {
                return try make(key)
            } catch {
                throw error.inDocument(key)
            }
        }
    }
}
