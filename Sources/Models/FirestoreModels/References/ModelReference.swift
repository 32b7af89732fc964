// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore

/// A stored reference to a document of a model.
///
/// ```swift
/// struct Landmark: Codable {
///     var name: String
///     var city: ModelReference<City>
/// }
/// let city = try await landmark.city.get()
/// let inBerlin = landmarks.where { $0.city == ModelReference(berlin) }
/// ```
/// It is stored as a plain document reference, so that it can replace a `DocumentReference` without changing documents. Which
/// collection the reference names is not checked. Like `DocumentReference` it can be coded by Firestore's coders only.
///
/// Beyond the Apple SDK.
public struct ModelReference<Model: FirestoreModel>: Codable, Hashable, Sendable, FirestoreOrderable {
    /// The document without types.
    public let reference: DocumentReference

    /// A reference to any document.
    public init(_ reference: DocumentReference) { self.reference = reference }

    /// A reference to a typed document.
    public init(_ document: TypedDocument<Model>) { reference = document.reference }

    /// Reads a stored reference; throws `FirestoreDecodingError` for anything else, and in other decoders.
    public init(from decoder: any Decoder) throws { reference = try DocumentReference(from: decoder) }

    /// Stores the reference. Other encoders throw.
    public func encode(to encoder: any Encoder) throws { try reference.encode(to: encoder) }

    /// The last segment of the path.
    public var id: String { reference.documentID }

    /// The document, read and written with default strategies. For others use `TypedDocument(reference, encoder:decoder:)`.
    public var document: TypedDocument<Model> { TypedDocument(reference) }

    /// Reads the document; nil if it does not exist.
    ///
    /// Throws as ``TypedDocument/get(source:)``.
    public nonisolated(nonsending) func get(source: FirestoreSource = .default) async throws -> Model? {
        try await document.get(source: source)
    }
}
