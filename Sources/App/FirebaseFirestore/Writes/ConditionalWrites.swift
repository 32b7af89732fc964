// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension DocumentReference {
    /// Creates or overwrites the document, if a condition holds.
    ///
    /// With `merge`, the fields are written into the document. Returns immediately; `completion` is called with an error if the
    /// condition does not hold, or, with a cache, offline (``Precondition``). Otherwise like ``setData(_:completion:)``.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func setData(
        _ documentData: [String: Any], merge: Bool = false, precondition: Precondition, completion: (((any Error)?) -> Void)?
    ) -> WriteReceipt {
        write(completion, isConditional: true) { key throws(FirestoreError) in
            try self.firestore.content(documentData).set(key, merge: merge).on(precondition)
        }
    }

    /// Creates or overwrites the document, if a condition holds, and returns when the write is durable.
    ///
    /// Throws `notFound`, `alreadyExists` or `failedPrecondition` if it does not hold (``Precondition``).
    ///
    /// Beyond the Apple SDK.
    public nonisolated(nonsending) func setData(
        _ documentData: [String: Any], merge: Bool = false, precondition: Precondition
    ) async throws {
        try await setData(documentData, merge: merge, precondition: precondition, completion: nil).acknowledged
    }

    /// Encodes a value and creates or overwrites the document with it, if a condition holds.
    ///
    /// With `merge`, its fields are written into the document. Otherwise like ``setData(from:encoder:completion:)``.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, merge: Bool = false, precondition: Precondition, encoder: Firestore.Encoder = Firestore.Encoder(),
        completion: (((any Error)?) -> Void)? = nil
    ) throws -> WriteReceipt {
        let content = try encoder.content(value, in: firestore)
        return write(completion, isConditional: true) { key throws(FirestoreError) in try content.set(key, merge: merge).on(precondition) }
    }

    /// Changes fields of the document, if a condition holds.
    ///
    /// Returns immediately; `completion` is called with an error if the condition does not hold, or, with a cache, offline
    /// (``Precondition``). Otherwise like ``updateData(_:completion:)``.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func updateData(
        _ fields: [AnyHashable: Any], precondition: Precondition, completion: (((any Error)?) -> Void)?
    ) -> WriteReceipt {
        write(completion, isConditional: true) { key throws(FirestoreError) in
            try self.firestore.update(key, with: fields).on(precondition)
        }
    }

    /// Changes fields of the document, if a condition holds, and returns when the write is durable.
    ///
    /// Throws `notFound`, `alreadyExists` or `failedPrecondition` if it does not hold (``Precondition``).
    ///
    /// Beyond the Apple SDK.
    public nonisolated(nonsending) func updateData(_ fields: [AnyHashable: Any], precondition: Precondition) async throws {
        try await updateData(fields, precondition: precondition, completion: nil).acknowledged
    }

    /// Encodes a value and writes its fields into the document, if a condition holds.
    ///
    /// Otherwise like ``updateData(from:encoder:completion:)``.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func updateData<T: Encodable>(
        from value: T, precondition: Precondition, encoder: Firestore.Encoder = Firestore.Encoder(),
        completion: (((any Error)?) -> Void)? = nil
    ) throws -> WriteReceipt {
        let content = try encoder.content(value, in: firestore)
        return write(completion, isConditional: true) { key throws(FirestoreError) in try content.update(key).on(precondition) }
    }

    /// Deletes the document, if a condition holds.
    ///
    /// Returns immediately; `completion` is called with an error if the condition does not hold, or, with a cache, offline
    /// (``Precondition``). Otherwise like ``delete(completion:)``.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func delete(precondition: Precondition, completion: (((any Error)?) -> Void)?) -> WriteReceipt {
        write(completion, isConditional: true) { key throws(FirestoreError) in
            try Write(key: key, operation: .delete).on(precondition)
        }
    }

    /// Deletes the document, if a condition holds, and returns when the write is durable.
    ///
    /// Throws `notFound` or `failedPrecondition` if it does not hold (``Precondition``).
    ///
    /// Beyond the Apple SDK.
    public nonisolated(nonsending) func delete(precondition: Precondition) async throws {
        try await delete(precondition: precondition, completion: nil).acknowledged
    }
}

extension WriteBatch {
    /// Creates or overwrites a document, if a condition holds. With `merge`, the fields are written into it.
    ///
    /// If a condition of one write does not hold, `commit` fails and none of the writes is made. A batch with a condition is never
    /// queued (``Precondition``).
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func setData(
        _ data: [String: Any], forDocument document: DocumentReference, merge: Bool = false, precondition: Precondition
    ) -> WriteBatch {
        add(document, isConditional: true) { key throws(FirestoreError) in
            try self.firestore.content(data).set(key, merge: merge).on(precondition)
        }
    }

    /// Encodes a value and creates or overwrites a document with it, if a condition holds. With `merge`, its fields are written
    /// into it.
    ///
    /// Throws `EncodingError`; the batch is unchanged then.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, forDocument doc: DocumentReference, merge: Bool = false, precondition: Precondition,
        encoder: Firestore.Encoder = Firestore.Encoder()
    ) throws -> WriteBatch {
        let content = try encoder.content(value, in: firestore)
        return add(doc, isConditional: true) { key throws(FirestoreError) in try content.set(key, merge: merge).on(precondition) }
    }

    /// Changes fields of a document, if a condition holds.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func updateData(
        _ fields: [AnyHashable: Any], forDocument document: DocumentReference, precondition: Precondition
    ) -> WriteBatch {
        add(document, isConditional: true) { key throws(FirestoreError) in try self.firestore.update(key, with: fields).on(precondition) }
    }

    /// Encodes a value and writes its fields into a document, if a condition holds.
    ///
    /// Throws `EncodingError`; the batch is unchanged then.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func updateData<T: Encodable>(
        from value: T, forDocument doc: DocumentReference, precondition: Precondition,
        encoder: Firestore.Encoder = Firestore.Encoder()
    ) throws -> WriteBatch {
        let content = try encoder.content(value, in: firestore)
        return add(doc, isConditional: true) { key throws(FirestoreError) in try content.update(key).on(precondition) }
    }

    /// Deletes a document, if a condition holds.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func deleteDocument(_ document: DocumentReference, precondition: Precondition) -> WriteBatch {
        add(document, isConditional: true) { key throws(FirestoreError) in
            try Write(key: key, operation: .delete).on(precondition)
        }
    }
}
