// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import FirestoreCore

extension WriteBatch {
    /// Creates or overwrites a typed document.
    ///
    /// Throws `EncodingError`; the batch is unchanged then.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func set<Model>(_ value: Model, at document: TypedDocument<Model>) throws -> WriteBatch {
        try setData(from: value, forDocument: document.reference, encoder: document.coder.makeEncoder())
    }

    /// Creates a typed document, or with `merge` writes the fields of the value into it and leaves the others unchanged.
    ///
    /// Throws `EncodingError`; the batch is unchanged then.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func set<Model>(_ value: Model, at document: TypedDocument<Model>, merge: Bool) throws -> WriteBatch {
        try setData(from: value, forDocument: document.reference, merge: merge, encoder: document.coder.makeEncoder())
    }

    /// Changes fields of a typed document. If it does not exist, `commit` fails with `notFound`.
    ///
    /// A value that cannot be stored, and a field that is named twice, make `commit` fail with `invalidArgument`.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func update<Model>(_ updates: FieldUpdate<Model>..., at document: TypedDocument<Model>) -> WriteBatch {
        update(document.reference, FieldUpdate.result(updates, document.coder, in: document.reference.firestore))
    }

    /// Deletes a typed document.
    ///
    /// Beyond the Apple SDK.
    @discardableResult
    public func delete<Model>(_ document: TypedDocument<Model>) -> WriteBatch { deleteDocument(document.reference) }
}
