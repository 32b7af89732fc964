import Dispatch
import FirebaseCore
import FirestoreClient
import FirestoreCore
public import Foundation

/// Reads and writes that happen as if nobody else did anything in between.
///
/// Handed to the block of ``Firestore/runTransaction(_:completion:)``. All reads come before the first write. When a
/// document that was read has changed by the time of the commit, the block is run again, up to five times in all. Using
/// a transaction after its block has returned is a programming error and ends the process with a message.
public final class Transaction: NSObject, Sendable {
    private struct State {
        var transaction = TransactionState()
        var isFinished = false
    }

    let firestore: Firestore
    private let state = Mutex(State())

    init(firestore: Firestore) {
        self.firestore = firestore
        super.init()
    }

    /// Reads a document and waits for it; a missing one is a snapshot whose `exists` is false.
    ///
    /// Blocks its thread, so call it only where the block runs. Throws `invalidArgument` after a write, and `aborted`
    /// when the document changed between two reads of the transaction; report it through the block's error pointer.
    public func getDocument(_ document: DocumentReference) throws -> DocumentSnapshot {
        try publicly { () throws(FirestoreError) in
            let key = try document.location.get()
            guard document.firestore === firestore else {
                throw .invalidArgument("the reference belongs to another Firestore instance", at: key.path)
            }
            try change { state throws(FirestoreError) in try state.checkMayRead(key) }
            let backend = try firestore.backend()
            let found = try Blocking.wait { () async throws(FirestoreError) in
                try await backend.documents([key]).documents.first ?? nil
            }
            try change { state throws(FirestoreError) in try state.read(key, found) }
            return DocumentSnapshot(reference: document, document: found, metadata: .confirmed)
        }
    }

    /// Creates or overwrites a document.
    @discardableResult
    public func setData(_ data: [String: Any], forDocument document: DocumentReference) -> Transaction {
        add(document) { key throws(FirestoreError) in try self.content(data).set(key) }
    }

    /// Creates a document, or writes the given fields into it and leaves the others alone.
    @discardableResult
    public func setData(_ data: [String: Any], forDocument document: DocumentReference, merge: Bool) -> Transaction {
        add(document) { key throws(FirestoreError) in
            let content = try self.content(data)
            return merge ? content.merge(key) : try content.set(key)
        }
    }

    /// Creates a document or writes only the listed fields into it, each as a whole.
    @discardableResult
    public func setData(
        _ data: [String: Any], forDocument document: DocumentReference, mergeFields: [Any]
    ) -> Transaction {
        add(document) { key throws(FirestoreError) in
            try self.content(data).merge(key, fields: try MergeFields.parse(mergeFields))
        }
    }

    /// Changes fields of a document; if it does not exist, the commit fails.
    @discardableResult
    public func updateData(_ fields: [AnyHashable: Any], forDocument document: DocumentReference) -> Transaction {
        add(document) { key throws(FirestoreError) in
            try AnyValueParser.update(fields, database: self.firestore.databaseID).update(key)
        }
    }

    /// Deletes a document.
    @discardableResult
    public func deleteDocument(_ document: DocumentReference) -> Transaction {
        add(document) { key throws(FirestoreError) in Write(key: key, operation: .delete) }
    }

    private func content(_ data: [String: Any]) throws(FirestoreError) -> WriteContent {
        try AnyValueParser.document(data, database: firestore.databaseID)
    }

    /// Adds a write, or makes the commit fail because it could not be made.
    @discardableResult
    func add(
        _ document: DocumentReference, _ make: (DocumentKey) throws(FirestoreError) -> Write
    ) -> Transaction {
        let write = document.write(for: firestore, make)
        change { state in
            switch write {
            case .success(let write): state.write(write)
            case .failure(let error): state.fail(error)
            }
        }
        return self
    }

    private func change<Failure: Error>(_ body: (inout TransactionState) throws(Failure) -> Void) throws(Failure) {
        let result: Result<Void, Failure>? = state.withLock { state in
            if state.isFinished { return nil }
            return Result { () throws(Failure) in try body(&state.transaction) }
        }
        guard let result else { endForMisuse("a Transaction cannot be used after its block has returned") }
        try result.get()
    }

    /// Ends the use of the transaction and gives what to commit.
    func finish() -> Result<[Write], FirestoreError> {
        let transaction = state.withLock { state in
            state.isFinished = true
            return state.transaction
        }
        return Result { () throws(FirestoreError) in try transaction.commit() }
    }
}
