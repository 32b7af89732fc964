// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import FirestoreCoding

/// A field of a model: its path, and the type of its values.
///
/// Fields are constants of the table ``FirestoreModel/Fields``. They are used in two ways: through the parameter of a closure,
/// `cities.where { $0.population > 1_000_000 }`, and as key paths into the table, `cities.order(by: \.population)`.
///
/// - `Model` is the type of the documents.
/// - `Value` is the type of the stored values, never optional.
/// - `Kind` says what can be done with the field: one of the types in ``FieldKind``.
///
/// Making a field reads nothing. A name that Firestore does not accept makes every query and write that uses the field fail
/// with `invalidArgument`.
///
/// Beyond the Apple SDK.
@dynamicMemberLookup
public struct ModelField<Model, Value, Kind>: Sendable {
    package let path: ModelPath

    package init(path: ModelPath) { self.path = path }

    /// A field of the document, named by its coding key.
    ///
    /// - Parameter key: A case of the type's `CodingKeys`. It carries the field's name, so that renaming happens in one place.
    public init(_ key: some CodingKey) { path = ModelPath([FieldKey(key)]) }
}

extension ModelField where Kind == FieldKind.DocumentID {
    /// The id of the document.
    public static var documentID: ModelField { ModelField(path: .documentID) }

    /// The id as the whole path of the document, which queries of a collection group compare.
    ///
    /// ```swift
    /// db.collectionGroup(City.landmarks).where { $0.id.reference > last }
    /// ```
    public var reference: ModelField<Model, DocumentReference, FieldKind.DocumentID> {
        ModelField<Model, DocumentReference, FieldKind.DocumentID>(path: path)
    }
}

extension ModelField: CustomStringConvertible {
    /// The path of the field, as `CodingKeys` name it.
    public var description: String { path.text }
}
