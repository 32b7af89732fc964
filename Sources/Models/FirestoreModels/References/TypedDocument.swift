// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import FirestoreCore

/// A document of one model, which may exist or not.
///
/// ```swift
/// let berlin = cities.document("berlin")
/// try await berlin.update(.increment(\.population, by: 10), .arrayUnion(\.tags, ["port"]))
/// ```
/// It is a value around a `DocumentReference`: creating it reads nothing.
///
/// Beyond the Apple SDK.
public struct TypedDocument<Model: FirestoreModel>: Hashable, Sendable {
    /// The document without types.
    public let reference: DocumentReference
    package let coder: ModelCoder<Model>

    package init(reference: DocumentReference, coder: ModelCoder<Model>) {
        self.reference = reference
        self.coder = coder
    }

    /// A document of a model.
    ///
    /// - Parameters:
    ///   - reference: Any document.
    ///   - encoder: Encodes the document and the values of updates. Its settings are copied; the closures of its strategies must
    ///     be safe to call from several tasks simultaneously.
    ///   - decoder: Decodes the document. Its settings are copied as well.
    public init(_ reference: DocumentReference, encoder: Firestore.Encoder? = nil, decoder: Firestore.Decoder? = nil) {
        self.init(reference: reference, coder: ModelCoder(encoder: encoder, decoder: decoder))
    }

    /// The last segment of the path.
    public var id: String { reference.documentID }

    /// The slash-separated path.
    public var path: String { reference.path }

    /// A collection below the document, with the coders of this one; versions that they migrate or store are those of this model
    /// only.
    public func collection<Child>(_ subcollection: Subcollection<Model, Child>) -> TypedCollection<Child> {
        TypedCollection(reference: reference.collection(subcollection.id), coder: coder.of(Child.self))
    }

    /// Equal when both are the same document of the same Firestore instance.
    public static func == (left: TypedDocument, right: TypedDocument) -> Bool { left.reference == right.reference }

    /// Hashes the document's path.
    public func hash(into hasher: inout Hasher) { hasher.combine(reference) }
}

extension TypedDocument {
    /// Reads the document; nil if it does not exist.
    ///
    /// Throws `DecodingError` if the document does not fit the model, and what reading throws. The read sees every write made
    /// before the call. With a cache and while offline, it comes from the cache, unless `source` is `.server`.
    public nonisolated(nonsending) func get(source: FirestoreSource = .default) async throws -> Model? {
        try coder.decode(try await reference.getDocument(source: source))
    }

    /// The document now and after every change, as an asynchronous sequence; nil while it does not exist.
    ///
    /// An element is a failure when the document cannot be decoded; the sequence continues.
    public var snapshots: TypedDocumentSnapshots<Model> { TypedDocumentSnapshots(document: self) }

    /// Creates or overwrites the document and returns when the write is durable.
    ///
    /// Fields that the model does not know are deleted; `update` preserves them. Throws `EncodingError` before anything is written.
    /// For a database on a server, the write is durable when the server has accepted it, or, with a cache, when it is queued and
    /// the client is offline (`settings.awaitedWrites`).
    public nonisolated(nonsending) func set(_ value: Model) async throws {
        let receipt = try reference.setData(from: value, encoder: coder.makeEncoder())
        try await reference.firestore.wait(for: receipt)
    }

    /// Creates the document, or with `merge` writes the fields of the value into it and leaves the others unchanged.
    ///
    /// - Throws: `EncodingError` if the value cannot be encoded, `permissionDenied` if security rules deny the write.
    public nonisolated(nonsending) func set(_ value: Model, merge: Bool) async throws {
        let receipt = try reference.setData(from: value, merge: merge, encoder: coder.makeEncoder())
        try await reference.firestore.wait(for: receipt)
    }

    /// Sets one field of an existing document and returns when the write is durable.
    ///
    /// Throws `notFound` if the document does not exist, and `invalidArgument` if the value cannot be stored.
    public nonisolated(nonsending) func update<Value: Encodable, Kind: StoredFieldKind>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, to value: Value
    ) async throws {
        try await update(.set(field, to: value))
    }

    /// Sets one field of an existing document, or deletes it for nil, and returns when the write is durable.
    public nonisolated(nonsending) func update<Value: Encodable>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, FieldKind.Optional>>, to value: Value?
    ) async throws {
        try await update(.set(field, to: value))
    }

    /// Sets one field of an existing document, to null for nil, and returns when the write is durable.
    public nonisolated(nonsending) func update<Value: Encodable>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, FieldKind.ExplicitNull>>, to value: Value?
    ) async throws {
        try await update(.set(field, to: value))
    }

    /// Not available: a document without the field could not be decoded.
    @available(*, unavailable, message: "only optional properties can be set to nil: without this field a document does not decode")
    public nonisolated(nonsending) func update<Value>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, FieldKind.Required>>, to value: Value?
    ) async throws {}

    /// Changes fields of an existing document atomically, and returns when the write is durable.
    ///
    /// ```swift
    /// try await berlin.update(.set(\.address.zip, to: "10115"), .delete(\.nickname), .serverTimestamp(\.updatedAt))
    /// ```
    /// All other fields stay as they are. Throws `notFound` if the document does not exist, and `invalidArgument` if a value cannot
    /// be stored, or if the updates name a field twice or a field inside another one.
    public nonisolated(nonsending) func update(_ updates: FieldUpdate<Model>...) async throws {
        try await update(updates)
    }

    /// Changes fields of an existing document atomically: ``update(_:)`` for updates in an array.
    public nonisolated(nonsending) func update(_ updates: [FieldUpdate<Model>]) async throws {
        let receipt = reference.update(FieldUpdate.result(updates, coder, in: reference.firestore))
        try await reference.firestore.wait(for: receipt)
    }

    /// Deletes the document and returns when the write is durable.
    ///
    /// Deleting a document that does not exist succeeds. Collections below it are retained.
    ///
    /// - Throws: `permissionDenied` if security rules deny the deletion.
    public nonisolated(nonsending) func delete() async throws { try await reference.delete() }
}

/// The states of a typed document, one after the other; see ``TypedDocument/snapshots``.
///
/// Beyond the Apple SDK.
public struct TypedDocumentSnapshots<Model: FirestoreModel>: AsyncSequence, Sendable {
    /// The value, nil for a missing document, or the error that prevented decoding it.
    public typealias Element = Result<Model?, any Error>
    /// The error of the listener.
    public typealias Failure = any Error

    let document: TypedDocument<Model>

    /// Starts a listener.
    public func makeAsyncIterator() -> Iterator {
        Iterator(snapshots: document.reference.snapshots.makeAsyncIterator(), coder: document.coder)
    }

    /// Ends its listener when it is destroyed.
    public struct Iterator: AsyncIteratorProtocol {
        var snapshots: DocumentReference.DocumentSnapshotsSequence.Iterator
        let coder: ModelCoder<Model>

        /// The next state; nil when the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws -> Result<Model?, any Error>? {
            guard let snapshot = try await snapshots.next() else { return nil }
            return Result { try coder.decode(snapshot) }
        }
    }
}
