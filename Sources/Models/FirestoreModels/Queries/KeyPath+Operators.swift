// SPDX-License-Identifier: Apache-2.0

// The same comparisons with key paths, one for each argument of `where`: `cities.where(\.population > 1, \.country == "DE")`.

/// Finds documents whose field equals a value.
public func == <Model: FirestoreModel, Value: Encodable, Kind>(
    field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, value: Value
) -> ModelCondition<Model> {
    Model.fields[keyPath: field].isEqual(to: value)
}

/// Finds documents whose field exists, is not null and differs from a value.
public func != <Model: FirestoreModel, Value: Encodable, Kind>(
    field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, value: Value
) -> ModelCondition<Model> {
    Model.fields[keyPath: field].isNotEqual(to: value)
}

/// Finds documents whose field is less than a value.
public func < <Model: FirestoreModel, Value: FirestoreOrderable & Encodable, Kind>(
    field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, value: Value
) -> ModelCondition<Model> {
    Model.fields[keyPath: field].isLess(than: value)
}

/// Finds documents whose field is at most a value.
public func <= <Model: FirestoreModel, Value: FirestoreOrderable & Encodable, Kind>(
    field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, value: Value
) -> ModelCondition<Model> {
    Model.fields[keyPath: field].isLessOrEqual(to: value)
}

/// Finds documents whose field is greater than a value.
public func > <Model: FirestoreModel, Value: FirestoreOrderable & Encodable, Kind>(
    field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, value: Value
) -> ModelCondition<Model> {
    Model.fields[keyPath: field].isGreater(than: value)
}

/// Finds documents whose field is at least a value.
public func >= <Model: FirestoreModel, Value: FirestoreOrderable & Encodable, Kind>(
    field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, value: Value
) -> ModelCondition<Model> {
    Model.fields[keyPath: field].isGreaterOrEqual(to: value)
}

/// Finds documents whose field is null.
public func == <Model: FirestoreModel, Value>(
    field: KeyPath<Model.Fields, ModelField<Model, Value, FieldKind.ExplicitNull>>, null: _OptionalNilComparisonType
) -> ModelCondition<Model> {
    Model.fields[keyPath: field].isNull
}

/// Finds documents whose field exists and is not null.
public func != <Model: FirestoreModel, Value>(
    field: KeyPath<Model.Fields, ModelField<Model, Value, FieldKind.ExplicitNull>>, null: _OptionalNilComparisonType
) -> ModelCondition<Model> {
    Model.fields[keyPath: field].isNotNull
}
