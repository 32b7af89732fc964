import FirestoreCore

extension DocumentReference {
    /// Encodes a value and creates or overwrites the document with it.
    ///
    /// Throws `EncodingError` before anything is written; then `completion` is never called. Otherwise returns at once:
    /// reads and listeners started afterwards see the write, `completion` is called on the queue of the settings when it
    /// is durable, and the receipt can be awaited.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, encoder: Firestore.Encoder = Firestore.Encoder(), completion: (((any Error)?) -> Void)? = nil
    ) throws -> WriteReceipt {
        let content = try encoder.content(value, in: firestore)
        return write(completion) { key throws(FirestoreError) in try content.set(key) }
    }

    /// Encodes a value and, with `merge`, writes its fields into the document and leaves the others alone.
    ///
    /// Nil optionals are left alone, `@ExplicitNull` and `@ServerTimestamp` are written. Otherwise like
    /// ``setData(from:encoder:completion:)``.
    @discardableResult
    public func setData<T: Encodable>(
        from value: T, merge: Bool, encoder: Firestore.Encoder = Firestore.Encoder(),
        completion: (((any Error)?) -> Void)? = nil
    ) throws -> WriteReceipt {
        let content = try encoder.content(value, in: firestore)
        return write(completion) { key throws(FirestoreError) in merge ? content.merge(key) : try content.set(key) }
    }

    /// Encodes a value and writes only the listed fields, each as a whole.
    ///
    /// Fields go by their stored names; one that encoded to nothing is an `invalidArgument`. Otherwise like
    /// ``setData(from:encoder:completion:)``.
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

    /// Encodes a value and writes its fields into a document that exists.
    ///
    /// Like `setData(from:merge:)`, but fails with `notFound` if there is no document.
    @discardableResult
    public func updateData<T: Encodable>(
        from value: T, encoder: Firestore.Encoder = Firestore.Encoder(), completion: (((any Error)?) -> Void)? = nil
    ) throws -> WriteReceipt {
        let content = try encoder.content(value, in: firestore)
        return write(completion) { key throws(FirestoreError) in content.update(key) }
    }

    /// Reads the document and decodes it; optional types turn a missing document into nil.
    ///
    /// `completion` is called on the queue of the settings, with the error of the read or the `DecodingError`.
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

    /// Reads the document and decodes it; optional types turn a missing document into nil.
    ///
    /// Throws the error of the read or the `DecodingError`. The read sees every write made before the call.
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
    /// Throws `EncodingError` before anything is written. Otherwise returns the new reference at once: reads and
    /// listeners started afterwards see the document, `completion` is called when the write is durable.
    @discardableResult
    public func addDocument<T: Encodable>(
        from value: T, encoder: Firestore.Encoder = Firestore.Encoder(), completion: (((any Error)?) -> Void)? = nil
    ) throws -> DocumentReference {
        let reference = document()
        try reference.setData(from: value, encoder: encoder, completion: completion)
        return reference
    }

    /// Encodes a value and creates a document with it, under a random id; gives the receipt of the write, too. (Hearth's.)
    ///
    /// ```swift
    /// let (reference, receipt) = try books.addDocument(from: book)
    /// try await receipt.acknowledged
    /// ```
    /// Throws `EncodingError` before anything is written. Otherwise returns at once; see ``WriteReceipt``. Assigned to one
    /// name, `let reference = try books.addDocument(from: book)`, the call is the form that gives the reference alone.
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
    /// A missing document is nil for optional types and `DecodingError.valueNotFound` for others. Errors name document,
    /// field, stored and expected type. With the embedded database timestamps are never pending, so
    /// `serverTimestampBehavior` makes no difference. Reads the bytes directly: no dictionary is built.
    public func data<T: Decodable>(
        as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none,
        decoder: Firestore.Decoder = .init()
    ) throws -> T {
        try decoder.decode(type, from: document, of: reference)
    }
}
