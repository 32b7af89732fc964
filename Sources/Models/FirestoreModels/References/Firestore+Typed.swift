// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore

extension Firestore {
    /// The collection at a slash-separated path, with documents of a model.
    ///
    /// ```swift
    /// let cities = db.collection("cities", of: City.self)
    /// ```
    /// Creating it reads nothing. If the path does not name a collection, every operation fails with `invalidArgument`.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameters:
    ///   - path: The path of the collection.
    ///   - model: The type of its documents.
    ///   - encoder: Encodes documents and operands, and gives the names of fields; nil for the default strategies. Its settings are
    ///     copied; the closures of its strategies must be safe to call from several tasks simultaneously.
    ///   - decoder: Decodes the documents; nil for the default strategies. Its settings are copied as well.
    public func collection<Model: FirestoreModel>(
        _ path: String, of model: Model.Type, encoder: Firestore.Encoder? = nil, decoder: Firestore.Decoder? = nil
    ) -> TypedCollection<Model> {
        TypedCollection(collection(path), encoder: encoder, decoder: decoder)
    }

    /// The document at a slash-separated path, of a model.
    ///
    /// Creating it reads nothing. If the path does not name a document, every operation fails with `invalidArgument`.
    ///
    /// Beyond the Apple SDK.
    public func document<Model: FirestoreModel>(
        _ path: String, of model: Model.Type, encoder: Firestore.Encoder? = nil, decoder: Firestore.Decoder? = nil
    ) -> TypedDocument<Model> {
        TypedDocument(document(path), encoder: encoder, decoder: decoder)
    }

    /// All collections with an id, at any depth, with documents of a model.
    ///
    /// Beyond the Apple SDK.
    public func collectionGroup<Model: FirestoreModel>(
        _ id: String, of model: Model.Type, encoder: Firestore.Encoder? = nil, decoder: Firestore.Decoder? = nil
    ) -> TypedQuery<Model> {
        TypedQuery(collectionGroup(id), encoder: encoder, decoder: decoder)
    }

    /// All collections with the id of a subcollection, at any depth.
    ///
    /// Beyond the Apple SDK.
    public func collectionGroup<Parent, Child>(
        _ subcollection: Subcollection<Parent, Child>, encoder: Firestore.Encoder? = nil, decoder: Firestore.Decoder? = nil
    ) -> TypedQuery<Child> {
        TypedQuery(collectionGroup(subcollection.id), encoder: encoder, decoder: decoder)
    }
}
