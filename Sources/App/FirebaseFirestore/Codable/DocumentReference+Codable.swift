// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension DocumentReference {
    /// Encodes a value and creates or overwrites the document with it.
    ///
    /// Throws `EncodingError` before anything is written; `completion` is not called then. Otherwise returns
    /// immediately: reads and listeners started afterwards see the write. `completion` is called on the queue of the
    /// settings when the write is durable, or when the server has accepted it; not while the client is offline. It is called
    /// with an error if the write fails. Instead of passing a handler, you can await the receipt.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, encoder: Firestore.Encoder = Firestore.Encoder(), completion: (((any Error)?) -> Void)? = nil
    ) throws -> WriteReceipt {
        let content = try encoder.content(value, in: firestore)
        return write(completion) { key throws(FirestoreError) in try content.set(key) }
    }

    /// Encodes a value and, with `merge`, writes its fields into the document and leaves the others unchanged.
    ///
    /// Properties that are nil are not written, except `@ExplicitNull` and `@ServerTimestamp` ones. Otherwise like
    /// ``setData(from:encoder:completion:)``.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, merge: Bool, encoder: Firestore.Encoder = Firestore.Encoder(),
        completion: (((any Error)?) -> Void)? = nil
    ) throws -> WriteReceipt {
        let content = try encoder.content(value, in: firestore)
        return write(completion) { key throws(FirestoreError) in try content.set(key, merge: merge) }
    }

    /// Encodes a value and writes only the listed fields, each as a whole.
    ///
    /// Fields are given by their stored names; a listed field that was not encoded is an `invalidArgument`. Otherwise
    /// like ``setData(from:encoder:completion:)``.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, mergeFields: [Any], encoder: Firestore.Encoder = Firestore.Encoder(),
        completion: (((any Error)?) -> Void)? = nil
    ) throws -> WriteReceipt {
        let content = try encoder.content(value, in: firestore)
        return write(completion) { key throws(FirestoreError) in
            try content.merge(key, fields: try MergeFields.parse(mergeFields))
        }
    }

    /// Encodes a value and writes its fields into an existing document.
    ///
    /// Like `setData(from:merge:)`, but fails with `notFound` if the document does not exist.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func updateData<T: Encodable>(
        from value: T, encoder: Firestore.Encoder = Firestore.Encoder(), completion: (((any Error)?) -> Void)? = nil
    ) throws -> WriteReceipt {
        let content = try encoder.content(value, in: firestore)
        return write(completion) { key throws(FirestoreError) in content.update(key) }
    }

    /// Reads the document and decodes it. Optional types turn a missing document into nil.
    ///
    /// `completion` is called on the queue of the settings, with the error of the read or a `DecodingError`.
    public func getDocument<T: Decodable>(
        as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none,
        decoder: Firestore.Decoder = .init(), source: FirestoreSource = .default,
        completion: @escaping (Result<T, any Error>) -> Void
    ) {
        getDocument(source: source) { snapshot, error in
            completion(
                Result {
                    guard let snapshot else { throw error ?? FirestoreError(.internal, "no document and no error").publicError }
                    return try snapshot.data(as: type, with: serverTimestampBehavior, decoder: decoder)
                })
        }
    }

    /// Reads the document and decodes it. Optional types turn a missing document into nil.
    ///
    /// Throws the error of the read or a `DecodingError`. The read sees every write made before the call.
    public nonisolated(nonsending) func getDocument<T: Decodable>(
        as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none,
        decoder: Firestore.Decoder = .init(), source: FirestoreSource = .default
    ) async throws -> T {
        try await getDocument(source: source).data(as: type, with: serverTimestampBehavior, decoder: decoder)
    }
}

extension CollectionReference {
    /// Encodes a value and creates a document with it, under a random id.
    ///
    /// Throws `EncodingError` before anything is written. Otherwise returns the new reference immediately: reads and
    /// listeners started afterwards see the document. `completion` is called on the queue of the settings when the write
    /// is durable, or when the server has accepted it; not while the client is offline. It is called with an error if the
    /// write fails.
    @discardableResult
    public func addDocument<T: Encodable>(
        from value: T, encoder: Firestore.Encoder = Firestore.Encoder(), completion: (((any Error)?) -> Void)? = nil
    ) throws -> DocumentReference {
        let reference = document()
        try reference.setData(from: value, encoder: encoder, completion: completion)
        return reference
    }

    /// Encodes a value, creates a document with it under a random id, and returns the receipt of the write as well.
    ///
    /// ```swift
    /// let (reference, receipt) = try books.addDocument(from: book)
    /// try await receipt.acknowledged
    /// ```
    /// Throws `EncodingError` before anything is written. Otherwise returns immediately; see ``WriteReceipt``. If the
    /// result is assigned to a single name, as in `let reference = try books.addDocument(from: book)`, the compiler
    /// selects the form that returns the reference alone.
    ///
    /// Beyond the Apple SDK.
    @_disfavoredOverload
    public func addDocument<T: Encodable>(
        from value: T, encoder: Firestore.Encoder = Firestore.Encoder()
    ) throws -> (reference: DocumentReference, receipt: WriteReceipt) {
        let reference = document()
        return (reference, try reference.setData(from: value, encoder: encoder))
    }
}

extension DocumentSnapshot {
    /// Decodes the document.
    ///
    /// A missing document is nil for optional types and `DecodingError.valueNotFound` for others. Errors name the
    /// document, the field, the stored and the expected type. `serverTimestampBehavior` selects the value of server timestamps
    /// that are not known yet; with `previous` this may be a value of another type. Decodes the stored bytes directly, without
    /// building a dictionary.
    public func data<T: Decodable>(
        as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none,
        decoder: Firestore.Decoder = .init()
    ) throws -> T {
        try decoder.decode(type, from: fields(serverTimestampBehavior), of: reference)
    }
}
