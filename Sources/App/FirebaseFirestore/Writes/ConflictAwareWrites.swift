// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension DocumentReference {
    /// Creates or overwrites the document, unless a conflict policy finds that others have changed it.
    ///
    /// With `merge`, the fields are written into the document. Returns immediately; otherwise like ``setData(_:completion:)``, and the
    /// write has succeeded when its conflict is resolved.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func setData(
        _ documentData: [String: Any], merge: Bool = false, onConflict policy: ConflictPolicy, completion: (((any Error)?) -> Void)?
    ) -> WriteReceipt {
        write(completion, onConflict: policy) { key throws(FirestoreError) in
            try self.firestore.content(documentData).set(key, merge: merge)
        }
    }

    /// Creates or overwrites the document, unless a conflict policy finds that others have changed it, and returns when the write is
    /// durable.
    ///
    /// Beyond the Apple SDK.
    public nonisolated(nonsending) func setData(
        _ documentData: [String: Any], merge: Bool = false, onConflict policy: ConflictPolicy
    ) async throws {
        try await firestore.wait(for: setData(documentData, merge: merge, onConflict: policy, completion: nil))
    }

    /// Encodes a value and creates or overwrites the document with it, unless a conflict policy finds that others have changed it.
    ///
    /// With `merge`, its fields are written into the document. Otherwise like ``setData(from:encoder:completion:)``.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, merge: Bool = false, onConflict policy: ConflictPolicy, encoder: Firestore.Encoder = Firestore.Encoder(),
        completion: (((any Error)?) -> Void)? = nil
    ) throws -> WriteReceipt {
        let content = try encoder.content(value, in: firestore)
        return write(completion, onConflict: policy) { key throws(FirestoreError) in try content.set(key, merge: merge) }
    }

    /// Changes fields of an existing document, unless a conflict policy finds that others have changed it.
    ///
    /// Returns immediately; otherwise like ``updateData(_:completion:)``.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func updateData(
        _ fields: [AnyHashable: Any], onConflict policy: ConflictPolicy, completion: (((any Error)?) -> Void)?
    ) -> WriteReceipt {
        write(completion, onConflict: policy) { key throws(FirestoreError) in try self.firestore.update(key, with: fields) }
    }

    /// Changes fields of an existing document, unless a conflict policy finds that others have changed it, and returns when the write
    /// is durable.
    ///
    /// Beyond the Apple SDK.
    public nonisolated(nonsending) func updateData(_ fields: [AnyHashable: Any], onConflict policy: ConflictPolicy) async throws {
        try await firestore.wait(for: updateData(fields, onConflict: policy, completion: nil))
    }

    /// Deletes the document, unless a conflict policy finds that others have changed it.
    ///
    /// Returns immediately; otherwise like ``delete(completion:)``.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func delete(onConflict policy: ConflictPolicy, completion: (((any Error)?) -> Void)?) -> WriteReceipt {
        write(completion, onConflict: policy) { key throws(FirestoreError) in Write(key: key, operation: .delete) }
    }

    /// Deletes the document, unless a conflict policy finds that others have changed it, and returns when the write is durable.
    ///
    /// Beyond the Apple SDK.
    public nonisolated(nonsending) func delete(onConflict policy: ConflictPolicy) async throws {
        try await firestore.wait(for: delete(onConflict: policy, completion: nil))
    }
}

extension WriteBatch {
    /// Commits all writes atomically, unless a conflict policy finds that others have changed one of the documents.
    ///
    /// A handler is called for each of these documents, in the order of the writes; then the remaining writes are
    /// committed, again atomically.
    /// Otherwise like ``commit(completion:)``.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func commit(onConflict policy: ConflictPolicy, completion: (((any Error)?) -> Void)?) -> WriteReceipt {
        let batch = take()
        return firestore.submit(batch.writes, onConflict: policy, isConditional: batch.isConditional, completion: completion)
    }

    /// Commits all writes atomically, unless a conflict policy finds that others have changed one of the documents, and returns when
    /// they are durable.
    ///
    /// Beyond the Apple SDK.
    public nonisolated(nonsending) func commit(onConflict policy: ConflictPolicy) async throws {
        try await firestore.wait(for: commit(onConflict: policy, completion: nil))
    }
}

extension FirestoreSettings {
    /// The policy for writes of this instance whose documents others have changed, unless the call names another policy.
    ///
    /// ``ConflictPolicy/lastWriteWins`` by default, as in the Apple SDK.
    ///
    /// Beyond the Apple SDK.
    public var conflictPolicy: ConflictPolicy {
        get { values.conflictPolicy }
        set { values.conflictPolicy = newValue }
    }

    /// Decides about conflicts of writes that have no handler: those made with ``ConflictPolicy/requireUnchanged``, and those whose
    /// handler ended with an earlier process.
    ///
    /// nil by default: then the handler of `conflictPolicy` decides, and without one such writes become failed ones
    /// (``Firestore/failedWrites``).
    ///
    /// Beyond the Apple SDK.
    public var conflictHandler: WriteConflict.Handler? {
        get { values.conflictHandler?.resolve }
        set { values.conflictHandler = newValue.map { ConflictPolicy.Handler($0) } }
    }

    /// Decides for the client behind an instance.
    package var engineConflictHandler: ConflictHandler? { values.engineConflictHandler }
}
