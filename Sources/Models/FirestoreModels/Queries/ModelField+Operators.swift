// SPDX-License-Identifier: Apache-2.0

// Comparisons of fields, for closures. There is one overload for each kind of left side, and none with an optional on the right,
// so that the compiler decides quickly (MP-57).

extension ModelField where Value: Encodable {
    /// Finds documents whose field equals a value.
    public static func == (field: ModelField, value: Value) -> ModelCondition<Model> { field.isEqual(to: value) }

    /// Finds documents whose field exists, is not null and differs from a value.
    public static func != (field: ModelField, value: Value) -> ModelCondition<Model> { field.isNotEqual(to: value) }
}

extension ModelField where Value: FirestoreOrderable & Encodable {
    /// Finds documents whose field is less than a value of the same kind.
    public static func < (field: ModelField, value: Value) -> ModelCondition<Model> { field.isLess(than: value) }

    /// Finds documents whose field is at most a value of the same kind.
    public static func <= (field: ModelField, value: Value) -> ModelCondition<Model> { field.isLessOrEqual(to: value) }

    /// Finds documents whose field is greater than a value of the same kind.
    public static func > (field: ModelField, value: Value) -> ModelCondition<Model> { field.isGreater(than: value) }

    /// Finds documents whose field is at least a value of the same kind.
    public static func >= (field: ModelField, value: Value) -> ModelCondition<Model> { field.isGreaterOrEqual(to: value) }
}

extension ModelField where Kind == FieldKind.ExplicitNull {
    /// Finds documents whose field is null.
    public static func == (field: ModelField, null: _OptionalNilComparisonType) -> ModelCondition<Model> { field.isNull }

    /// Finds documents whose field exists and is not null.
    public static func != (field: ModelField, null: _OptionalNilComparisonType) -> ModelCondition<Model> { field.isNotNull }
}
