// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore

/// A collection whose documents are of one model.
///
/// ```swift
/// let cities = db.collection("cities", of: City.self)
/// try await cities.document("berlin").set(berlin)
/// let big = try await cities.where { $0.population > 1_000_000 }.get()
/// ```
/// It is a value around a `CollectionReference`: creating it reads nothing.
///
/// Beyond the Apple SDK.
public struct TypedCollection<Model: FirestoreModel>: ModelQuery, Hashable {
    /// The collection without types.
    public let reference: CollectionReference
    package let coder: ModelCoder<Model>

    package init(reference: CollectionReference, coder: ModelCoder<Model>) {
        self.reference = reference
        self.coder = coder
    }

    /// A collection whose documents are of a model.
    ///
    /// - Parameters:
    ///   - reference: Any collection.
    ///   - encoder: Encodes documents and operands. Its settings are copied; the closures of its strategies must be safe to call
    ///     from several tasks simultaneously.
    ///   - decoder: Decodes the documents. Its settings are copied as well.
    public init(_ reference: CollectionReference, encoder: Firestore.Encoder? = nil, decoder: Firestore.Decoder? = nil) {
        self.init(reference: reference, coder: ModelCoder(encoder: encoder, decoder: decoder))
    }

    /// All documents of the collection.
    public var query: Query { reference }

    /// All documents of the collection, as a typed query.
    public var typedQuery: TypedQuery<Model> { TypedQuery(query: reference, coder: coder) }

    /// A document of the collection. Nothing is read.
    public func document(_ id: String) -> TypedDocument<Model> { TypedDocument(reference: reference.document(id), coder: coder) }

    /// A new document with a random id. Nothing is written.
    public func document() -> TypedDocument<Model> { TypedDocument(reference: reference.document(), coder: coder) }

    /// Creates a document with a random id and returns when the write is durable.
    ///
    /// Throws `EncodingError` before anything is written. For a database on a server, the write is durable when the server has
    /// accepted it, or, with a cache, when it is queued and the client is offline (`settings.awaitedWrites`).
    @discardableResult
    public nonisolated(nonsending) func add(_ value: Model) async throws -> TypedDocument<Model> {
        let document = document()
        try await document.set(value)
        return document
    }

    /// Equal when both are the same collection of the same Firestore instance.
    public static func == (left: TypedCollection, right: TypedCollection) -> Bool { left.reference == right.reference }

    /// Hashes the collection.
    public func hash(into hasher: inout Hasher) { hasher.combine(reference) }
}
