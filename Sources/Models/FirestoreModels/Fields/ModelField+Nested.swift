// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding

// Nested structs (MP-51). One subscript for each kind of the outer field, so that never two of them apply.

extension ModelField where Kind == FieldKind.Required, Value: FirestoreModel {
    /// A field of a nested struct: `$0.address.city`.
    public subscript<Inner, InnerKind>(
        dynamicMember member: KeyPath<Value.Fields, ModelField<Value, Inner, InnerKind>>
    ) -> ModelField<Model, Inner, InnerKind> {
        ModelField<Model, Inner, InnerKind>(path: path.appending(Value.fields[keyPath: member].path))
    }
}

extension ModelField where Kind: DeletableFieldKind, Value: FirestoreModel {
    /// A field of an optional nested struct. A document without the struct lacks the field.
    public subscript<Inner, InnerKind: ModelFieldKind>(
        dynamicMember member: KeyPath<Value.Fields, ModelField<Value, Inner, InnerKind>>
    ) -> ModelField<Model, Inner, InnerKind.ThroughOptional> {
        ModelField<Model, Inner, InnerKind.ThroughOptional>(path: path.appending(Value.fields[keyPath: member].path))
    }
}

extension ModelField {
    /// Not available: the nested type has no table of fields.
    @available(*, unavailable, message: "the nested type has no table of fields: conform it to FirestoreModel, in its file")
    @_disfavoredOverload
    public subscript<Inner>(dynamicMember member: KeyPath<Value, Inner>) -> ModelField<Model, Inner, FieldKind.Required> {
        ModelField<Model, Inner, FieldKind.Required>(path: path)
    }

    /// An entry of a dictionary: `$0.names["de"]`. The key is taken literally, dots included, and no key strategy changes it.
    public subscript<Entry>(key: String) -> ModelField<Model, Entry, FieldKind.Optional> where Value == [String: Entry] {
        ModelField<Model, Entry, FieldKind.Optional>(path: path.appending(dictionaryKey: key))
    }

    /// An entry of a dictionary with numbers as keys, which are stored in decimal.
    public subscript<Entry>(key: Int) -> ModelField<Model, Entry, FieldKind.Optional> where Value == [Int: Entry] {
        ModelField<Model, Entry, FieldKind.Optional>(path: path.appending(dictionaryKey: String(key)))
    }
}
