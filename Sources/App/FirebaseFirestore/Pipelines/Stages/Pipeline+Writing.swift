// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Pipeline {
    /// Writes each row into a new document. The last stage of a pipeline; its result is one row with the number of documents.
    ///
    /// A document that exists makes the execution fail with `alreadyExists`.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameters:
    ///   - collection: The path of the collection; nil for the collection of the row's document.
    ///   - documentId: The id of the new document; nil for the id of the row's document, or a random one.
    public func insert(collection: String? = nil, documentId: (any Expression)? = nil) -> Pipeline {
        adding(.insert, options: target(collection.map { location(at: $0) }, documentId))
    }

    /// Writes each row into a new document of a collection. The last stage of a pipeline; its result is one row with the number of
    /// documents.
    ///
    /// A document that exists makes the execution fail with `alreadyExists`.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameters:
    ///   - collection: The collection.
    ///   - documentId: The id of the new document; nil for the id of the row's document, or a random one.
    public func insert(collection: CollectionReference, documentId: (any Expression)? = nil) -> Pipeline {
        adding(.insert, options: target(location(of: collection), documentId))
    }

    /// Writes each row into a document, which is created or replaced. The last stage of a pipeline; its result is one row with the number
    /// of documents.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameters:
    ///   - fields: Fields to add to the row before it is written.
    ///   - collection: The path of the collection; nil for the collection of the row's document.
    ///   - documentId: The id of the document; nil for the id of the row's document, or a random one.
    public func upsert(
        _ fields: [any Selectable] = [], collection: String? = nil, documentId: (any Expression)? = nil
    ) -> Pipeline {
        adding(
            .upsert, [ExpressionContent(fields: fields)],
            options: target(collection.map { location(at: $0) }, documentId))
    }

    /// Writes each row into a document of a collection, which is created or replaced. The last stage of a pipeline; its result is one row
    /// with the number of documents.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameters:
    ///   - fields: Fields to add to the row before it is written.
    ///   - collection: The collection.
    ///   - documentId: The id of the document; nil for the id of the row's document, or a random one.
    public func upsert(
        _ fields: [any Selectable] = [], collection: CollectionReference, documentId: (any Expression)? = nil
    ) -> Pipeline {
        adding(.upsert, [ExpressionContent(fields: fields)], options: target(location(of: collection), documentId))
    }

    /// Replaces the fields of the rows' documents by those of the rows. The last stage of a pipeline; its result is one row with the number
    /// of documents.
    ///
    /// ```swift
    /// try await db.pipeline().collection("trails").where(Field("open").equal(false)).update([Constant("closed").as("state")]).execute()
    /// ```
    /// Beyond the Apple SDK.
    ///
    /// - Parameter fields: Fields to add to the row before it is written.
    public func update(_ fields: [any Selectable] = []) -> Pipeline { adding(.update, [ExpressionContent(fields: fields)]) }

    /// Deletes the rows' documents. The last stage of a pipeline; its result is one row with the number of documents.
    ///
    /// Without a condition before it, it empties the collection.
    ///
    /// Beyond the Apple SDK.
    public func delete() -> Pipeline { adding(.delete) }

    private func location(at path: String) -> ExpressionContent {
        ExpressionContent(source: Result { () throws(FirestoreError) in try PathCheck.collectionPath(path).path })
    }

    private func location(of collection: CollectionReference) -> ExpressionContent {
        ExpressionContent(source: collection.location.map(\.path), of: collection.firestore, in: firestore)
    }

    private func target(_ collection: ExpressionContent?, _ documentId: (any Expression)?) -> [(String, ExpressionContent?)] {
        [("collection", collection), ("document_id", documentId.map { ExpressionContent(of: $0) })]
    }
}
