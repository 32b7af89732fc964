// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore

extension FieldUpdate {
    /// Sets a field.
    public static func set<Value: Encodable, Kind: StoredFieldKind>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, to value: Value
    ) -> FieldUpdate {
        FieldUpdate(field, .set(value))
    }

    /// Sets a field of an optional property; nil deletes the field, as a document that is written anew lacks it.
    public static func set<Value: Encodable>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, FieldKind.Optional>>, to value: Value?
    ) -> FieldUpdate {
        FieldUpdate(field, value.map { .set($0) } ?? .delete)
    }

    /// Sets a field of an `@ExplicitNull` property; nil is stored as null.
    public static func set<Value: Encodable>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, FieldKind.ExplicitNull>>, to value: Value?
    ) -> FieldUpdate {
        FieldUpdate(field, .set(value))
    }

    /// Deletes a field of an optional property.
    public static func delete<Value, Kind: DeletableFieldKind>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>
    ) -> FieldUpdate {
        FieldUpdate(field, .delete)
    }

    /// Sets a field to the time of the commit: one of a `@ServerTimestamp` property, or of type `Date` or `Timestamp`.
    public static func serverTimestamp<Value: ServerTimestampWrappable, Kind: StoredFieldKind>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>
    ) -> FieldUpdate {
        FieldUpdate(field, .serverTimestamp)
    }

    /// Adds to a number, without reading it. A missing field is treated as zero; integers saturate at the limits of 64 bits.
    public static func increment<Value: FirestoreNumber, Kind: StoredFieldKind>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, by number: Value
    ) -> FieldUpdate {
        FieldUpdate(field, .increment(number))
    }

    /// Stores the smaller of the stored number and this one. A missing field gets this one.
    public static func minimum<Value: FirestoreNumber, Kind: StoredFieldKind>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, _ number: Value
    ) -> FieldUpdate {
        FieldUpdate(field, .minimum(number))
    }

    /// Stores the larger of the stored number and this one. A missing field gets this one.
    public static func maximum<Value: FirestoreNumber, Kind: StoredFieldKind>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, _ number: Value
    ) -> FieldUpdate {
        FieldUpdate(field, .maximum(number))
    }

    /// Appends the elements that an array does not contain yet, without reading it.
    public static func arrayUnion<Value: FirestoreArray, Kind: StoredFieldKind>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, _ elements: [Value.Element]
    ) -> FieldUpdate where Value.Element: Encodable {
        FieldUpdate(field, .arrayUnion(elements))
    }

    /// Removes all elements equal to one of the given ones from an array, without reading it.
    public static func arrayRemove<Value: FirestoreArray, Kind: StoredFieldKind>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, _ elements: [Value.Element]
    ) -> FieldUpdate where Value.Element: Encodable {
        FieldUpdate(field, .arrayRemove(elements))
    }
}

// Expressions that must not compile, and the reason that the compiler gives (MP-49).
extension FieldUpdate {
    /// Not available: a document without the field could not be decoded.
    @available(*, unavailable, message: "only optional properties can be deleted: without this field a document does not decode")
    public static func delete<Value, Kind>(_ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>) -> FieldUpdate {
        FieldUpdate(field, .delete)
    }

    /// Not available: a document without the field could not be decoded.
    @available(*, unavailable, message: "only optional properties can be set to nil: without this field a document does not decode")
    public static func set<Value>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, FieldKind.Required>>, to value: Value?
    ) -> FieldUpdate {
        FieldUpdate(field, .delete)
    }

    /// Not available: the field is not a time.
    @available(*, unavailable, message: "only a @ServerTimestamp property, a Date or a Timestamp can be set to the time of the commit")
    public static func serverTimestamp<Value, Kind>(_ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>) -> FieldUpdate {
        FieldUpdate(field, .serverTimestamp)
    }

    /// Not available: the id is not a field.
    @available(*, unavailable, message: "the id of a document is not a field and cannot be changed")
    public static func set<Value>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Value, FieldKind.DocumentID>>, to value: Value
    ) -> FieldUpdate {
        FieldUpdate(field, .delete)
    }
}
