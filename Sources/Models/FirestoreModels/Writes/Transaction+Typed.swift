// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import FirestoreCore

extension Transaction {
    /// Reads a typed document and waits for the result; nil if it does not exist.
    ///
    /// Blocks its thread, so call it only on the thread on which the block runs. Throws the errors of `getDocument(_:)`, and
    /// `DecodingError`.
    ///
    /// Beyond the Apple SDK.
    public func get<Model>(_ document: TypedDocument<Model>) throws -> Model? {
        try document.coder.decode(try getDocument(document.reference))
    }

    /// Runs a typed query and waits for its result.
    ///
    /// If the result has changed by the time of the commit, the block runs again. Blocks its thread, so call it only on the thread
    /// on which the block runs. Throws the errors of `getDocuments(_:)`.
    ///
    /// Beyond the Apple SDK.
    public func get<Model>(_ query: some ModelQuery<Model>) throws -> DecodedDocuments<Model> {
        let typed = query.typedQuery
        return typed.coder.decode(try getDocuments(typed.query))
    }

    /// Runs a typed pipeline and waits for its result.
    ///
    /// If what it has read has changed by the time of the commit, the block runs again. Blocks its thread, so call it only on the thread
    /// on which the block runs. Throws the errors of `execute(_:)`.
    ///
    /// Beyond the Apple SDK.
    public func execute<Model>(_ pipeline: TypedPipeline<Model>) throws -> DecodedResults<Model> {
        pipeline.coder.decode(try execute(pipeline.pipeline))
    }

    /// Creates or overwrites a typed document.
    ///
    /// Throws `EncodingError`; nothing is added then.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func set<Model>(_ value: Model, at document: TypedDocument<Model>) throws -> Transaction {
        try setData(from: value, forDocument: document.reference, encoder: document.coder.makeEncoder())
    }

    /// Creates a typed document, or with `merge` writes the fields of the value into it and leaves the others unchanged.
    ///
    /// Throws `EncodingError`; nothing is added then.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func set<Model>(_ value: Model, at document: TypedDocument<Model>, merge: Bool) throws -> Transaction {
        try setData(from: value, forDocument: document.reference, merge: merge, encoder: document.coder.makeEncoder())
    }

    /// Changes fields of a typed document. If it does not exist, the commit fails.
    ///
    /// A value that cannot be stored, and a field that is named twice, make the commit fail with `invalidArgument`.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func update<Model>(_ updates: FieldUpdate<Model>..., at document: TypedDocument<Model>) -> Transaction {
        update(document.reference, FieldUpdate.result(updates, document.coder, in: document.reference.firestore))
    }

    /// Deletes a typed document.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func delete<Model>(_ document: TypedDocument<Model>) -> Transaction { deleteDocument(document.reference) }
}
