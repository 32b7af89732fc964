// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension DocumentReference {
    /// Creates or overwrites the document, without waiting.
    ///
    /// Like ``setData(_:completion:)`` without a handler: a failure is logged, unless the receipt is awaited.
    @discardableResult
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func setData(_ documentData: [String: Any]) -> WriteReceipt {
        setData(documentData, completion: nil)
    }

    /// Creates or overwrites the document.
    ///
    /// Returns immediately; reads and listeners started afterwards see the write. `completion` is called on the queue
    /// of the settings when the write is durable, or when the server has accepted it; not while the client is offline. It is
    /// called with an error if the write fails: `invalidArgument` for data that cannot be stored; the message names the field.
    /// Instead of passing a handler, you can await the receipt.
    @discardableResult
    public func setData(_ documentData: [String: Any], completion: (((any Error)?) -> Void)?) -> WriteReceipt {
        write(completion) { key throws(FirestoreError) in try self.firestore.content(documentData).set(key) }
    }

    /// Creates or overwrites the document and returns when the write is durable.
    ///
    /// For a database on a server: when the server has accepted it, or, with a cache, when it is queued and the client is
    /// offline (`settings.awaitedWrites`).
    ///
    /// - Throws: `invalidArgument` for an invalid path or data that cannot be stored, `permissionDenied` if security rules deny the
    ///   write.
    public nonisolated(nonsending) func setData(_ documentData: [String: Any]) async throws {
        try await firestore.wait(for: setData(documentData, completion: nil))
    }

    /// Creates the document, or with `merge` writes the given fields into it, without waiting.
    ///
    /// Like ``setData(_:merge:completion:)`` without a handler: a failure is logged, unless the receipt is awaited.
    @discardableResult
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func setData(_ documentData: [String: Any], merge: Bool) -> WriteReceipt {
        setData(documentData, merge: merge, completion: nil)
    }

    /// Creates the document, or with `merge` writes the given fields into it and leaves the others unchanged.
    ///
    /// Maps are merged field by field, arrays are replaced. Otherwise like ``setData(_:completion:)``.
    @discardableResult
    public func setData(
        _ documentData: [String: Any], merge: Bool, completion: (((any Error)?) -> Void)?
    ) -> WriteReceipt {
        write(completion) { key throws(FirestoreError) in try self.firestore.content(documentData).set(key, merge: merge) }
    }

    /// Creates the document or merges the given fields into it, and returns when the write is durable.
    ///
    /// For a database on a server: when the server has accepted it, or, with a cache, when it is queued and the client is
    /// offline (`settings.awaitedWrites`).
    ///
    /// - Throws: `invalidArgument` for an invalid path or data that cannot be stored, `permissionDenied` if security rules deny the
    ///   write.
    public nonisolated(nonsending) func setData(_ documentData: [String: Any], merge: Bool) async throws {
        try await firestore.wait(for: setData(documentData, merge: merge, completion: nil))
    }

    /// Creates the document or writes only the listed fields into it, without waiting.
    ///
    /// Like ``setData(_:mergeFields:completion:)`` without a handler: a failure is logged, unless the receipt is awaited.
    @discardableResult
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func setData(_ documentData: [String: Any], mergeFields: [Any]) -> WriteReceipt {
        setData(documentData, mergeFields: mergeFields, completion: nil)
    }

    /// Creates the document or writes only the listed fields into it, each as a whole.
    ///
    /// Fields are given as dotted strings or `FieldPath`s; a listed field that is not in the data is an
    /// `invalidArgument`. A field that is listed twice, or inside another listed field, has no further effect.
    /// Otherwise like ``setData(_:completion:)``.
    @discardableResult
    public func setData(
        _ documentData: [String: Any], mergeFields: [Any], completion: (((any Error)?) -> Void)?
    ) -> WriteReceipt {
        write(completion) { key throws(FirestoreError) in
            try self.firestore.content(documentData).merge(key, fields: try MergeFields.parse(mergeFields))
        }
    }

    /// Creates the document or writes only the listed fields into it, and returns when the write is durable.
    ///
    /// For a database on a server: when the server has accepted it, or, with a cache, when it is queued and the client is
    /// offline (`settings.awaitedWrites`).
    ///
    /// - Throws: `invalidArgument` for an invalid path or data that cannot be stored, `permissionDenied` if security rules deny the
    ///   write.
    public nonisolated(nonsending) func setData(_ documentData: [String: Any], mergeFields: [Any]) async throws {
        try await firestore.wait(for: setData(documentData, mergeFields: mergeFields, completion: nil))
    }

    /// Changes fields of an existing document, without waiting.
    ///
    /// Like ``updateData(_:completion:)`` without a handler: a failure is logged, unless the receipt is awaited.
    @discardableResult
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func updateData(_ fields: [AnyHashable: Any]) -> WriteReceipt {
        updateData(fields, completion: nil)
    }

    /// Changes fields of an existing document.
    ///
    /// A `String` key is a dotted path, a `FieldPath` key is taken literally; each value replaces the stored one.
    /// Returns immediately. `completion` is called with `notFound` if the document does not exist, and with
    /// `invalidArgument` for data that cannot be stored. Otherwise like ``setData(_:completion:)``.
    @discardableResult
    public func updateData(_ fields: [AnyHashable: Any], completion: (((any Error)?) -> Void)?) -> WriteReceipt {
        write(completion) { key throws(FirestoreError) in try self.firestore.update(key, with: fields) }
    }

    /// Changes fields of an existing document, and returns when the write is durable.
    ///
    /// For a database on a server: when the server has accepted it, or, with a cache, when it is queued and the client is
    /// offline (`settings.awaitedWrites`).
    ///
    /// Throws `notFound` if the document does not exist.
    public nonisolated(nonsending) func updateData(_ fields: [AnyHashable: Any]) async throws {
        try await firestore.wait(for: updateData(fields, completion: nil))
    }

    /// Deletes the document, without waiting.
    ///
    /// Like ``delete(completion:)`` without a handler: a failure is logged, unless the receipt is awaited.
    @discardableResult
    @preconcurrency
    @available(
        *, noasync,
        message: "it does not wait and only logs errors; top-level code picks it even with 'await': call it in main() of an @main type"
    )
    public func delete() -> WriteReceipt {
        delete(completion: nil)
    }

    /// Deletes the document.
    ///
    /// Deleting a document that does not exist succeeds. Collections below it are retained. Otherwise like
    /// ``setData(_:completion:)``.
    @discardableResult
    public func delete(completion: (((any Error)?) -> Void)?) -> WriteReceipt {
        write(completion) { key throws(FirestoreError) in Write(key: key, operation: .delete) }
    }

    /// Deletes the document and returns when the write is durable.
    ///
    /// For a database on a server: when the server has accepted it, or, with a cache, when it is queued and the client is
    /// offline (`settings.awaitedWrites`).
    ///
    /// - Throws: `invalidArgument` for an invalid path, `permissionDenied` if security rules deny the deletion.
    public nonisolated(nonsending) func delete() async throws {
        try await firestore.wait(for: delete(completion: nil))
    }

    /// Builds the write, submits it and reports its outcome.
    func write(
        _ completion: (((any Error)?) -> Void)?, onConflict policy: ConflictPolicy? = nil, isConditional: Bool = false,
        _ make: (DocumentKey) throws(FirestoreError) -> Write
    ) -> WriteReceipt {
        let writes = Result { () throws(FirestoreError) in
            let key = try location.get()
            do throws(FirestoreError) {
                return [try make(key)]
            } catch {
                throw error.inDocument(key)
            }
        }
        return firestore.submit(writes, onConflict: policy, isConditional: isConditional, completion: completion)
    }
}

extension FirestoreError {
    /// The error with the document's path before the field it names.
    func inDocument(_ key: DocumentKey) -> FirestoreError {
        var copy = self
        copy.location = location.map { $0.utf8.starts(with: key.path.utf8) ? $0 : "\(key.path), \($0)" } ?? key.path
        return copy
    }
}

/// The `mergeFields` argument.
enum MergeFields {
    static func parse(_ fields: [Any]) throws(FirestoreError) -> [FieldPathSegments] {
        try fields.map { (field) throws(FirestoreError) in try AnyValueParser.fieldPath(field) }
    }
}
