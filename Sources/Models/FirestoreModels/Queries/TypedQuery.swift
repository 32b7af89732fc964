// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore

/// A query whose documents are of one model.
///
/// ```swift
/// let big = cities.where { $0.population > 1_000_000 && $0.country == "DE" }
///     .order(by: \.population, descending: true)
///     .limit(to: 20)
/// let page = try await big.get()
/// ```
/// It is a value around a `Query`: building it reads nothing, and ``query`` is the query for everything that the typed form
/// does not offer.
///
/// Beyond the Apple SDK.
public struct TypedQuery<Model: FirestoreModel>: ModelQuery {
    /// The underlying query, without types.
    public let query: Query
    package let coder: ModelCoder<Model>

    package init(query: Query, coder: ModelCoder<Model>) {
        self.query = query
        self.coder = coder
    }

    /// A query whose documents are read as a model.
    ///
    /// - Parameters:
    ///   - query: Any query.
    ///   - encoder: Encodes operands and gives the names of fields: the encoder that the documents are written with. Its settings
    ///     are copied; the closures of its strategies must be safe to call from several tasks simultaneously.
    ///   - decoder: Decodes the documents. Its settings are copied as well.
    public init(_ query: Query, encoder: Firestore.Encoder? = nil, decoder: Firestore.Decoder? = nil) {
        self.init(query: query, coder: ModelCoder(encoder: encoder, decoder: decoder))
    }

    /// The query itself.
    public var typedQuery: TypedQuery { self }
}

/// A source of typed documents: a ``TypedQuery`` or a ``TypedCollection``.
///
/// Beyond the Apple SDK.
public protocol ModelQuery<Model>: Sendable {
    /// The type of the documents.
    associatedtype Model: FirestoreModel
    /// The documents as a typed query.
    var typedQuery: TypedQuery<Model> { get }
}

extension TypedQuery {
    /// A copy with another query.
    package func with(_ query: Query) -> TypedQuery { TypedQuery(query: query, coder: coder) }
}
