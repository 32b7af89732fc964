// SPDX-License-Identifier: Apache-2.0

// Expressions that must not compile, and the reason that the compiler gives (MP-49).

extension ModelField {
    /// Not available: the type has no order.
    @available(
        *, unavailable,
        message: "this type has no order in Firestore queries; compare a field of it, or conform it to FirestoreOrderable"
    )
    public static func < (field: ModelField, value: Value) -> ModelCondition<Model> { .rejected }

    /// Not available: the type has no order.
    @available(
        *, unavailable,
        message: "this type has no order in Firestore queries; compare a field of it, or conform it to FirestoreOrderable"
    )
    public static func <= (field: ModelField, value: Value) -> ModelCondition<Model> { .rejected }

    /// Not available: the type has no order.
    @available(
        *, unavailable,
        message: "this type has no order in Firestore queries; compare a field of it, or conform it to FirestoreOrderable"
    )
    public static func > (field: ModelField, value: Value) -> ModelCondition<Model> { .rejected }

    /// Not available: the type has no order.
    @available(
        *, unavailable,
        message: "this type has no order in Firestore queries; compare a field of it, or conform it to FirestoreOrderable"
    )
    public static func >= (field: ModelField, value: Value) -> ModelCondition<Model> { .rejected }

    /// Not available: the field is not an array.
    @available(*, unavailable, message: "contains needs an array field")
    public func contains(_ element: Value) -> ModelCondition<Model> { .rejected }

    /// Not available: the field is not an array.
    @available(*, unavailable, message: "containsAny needs an array field")
    public func containsAny(_ elements: [Value]) -> ModelCondition<Model> { .rejected }
}

extension ModelField where Value: RawRepresentable {
    /// Not available: the enum's raw values decide.
    @available(
        *, unavailable,
        message: "stored raw values sort as they are stored, strings alphabetically; conform the enum to FirestoreOrderable to accept that"
    )
    public static func < (field: ModelField, value: Value) -> ModelCondition<Model> { .rejected }

    /// Not available: the enum's raw values decide.
    @available(
        *, unavailable,
        message: "stored raw values sort as they are stored, strings alphabetically; conform the enum to FirestoreOrderable to accept that"
    )
    public static func <= (field: ModelField, value: Value) -> ModelCondition<Model> { .rejected }

    /// Not available: the enum's raw values decide.
    @available(
        *, unavailable,
        message: "stored raw values sort as they are stored, strings alphabetically; conform the enum to FirestoreOrderable to accept that"
    )
    public static func > (field: ModelField, value: Value) -> ModelCondition<Model> { .rejected }

    /// Not available: the enum's raw values decide.
    @available(
        *, unavailable,
        message: "stored raw values sort as they are stored, strings alphabetically; conform the enum to FirestoreOrderable to accept that"
    )
    public static func >= (field: ModelField, value: Value) -> ModelCondition<Model> { .rejected }
}

extension ModelField where Kind == FieldKind.Optional {
    /// Not available: no document has null there.
    @available(
        *, unavailable,
        message: "a missing field cannot be found by a query; make the property @ExplicitNull, so that nil is stored as null"
    )
    public static func == (field: ModelField, null: _OptionalNilComparisonType) -> ModelCondition<Model> { .rejected }

    /// Not available: no document has null there.
    @available(
        *, unavailable,
        message: "a missing field cannot be found by a query; make the property @ExplicitNull, so that nil is stored as null"
    )
    public static func != (field: ModelField, null: _OptionalNilComparisonType) -> ModelCondition<Model> { .rejected }
}

extension ModelField where Kind == FieldKind.Required {
    /// Not available: no document has null there.
    @available(*, unavailable, message: "the property is not optional, so that no document has null there")
    public static func == (field: ModelField, null: _OptionalNilComparisonType) -> ModelCondition<Model> { .rejected }

    /// Not available: no document has null there.
    @available(*, unavailable, message: "the property is not optional, so that no document has null there")
    public static func != (field: ModelField, null: _OptionalNilComparisonType) -> ModelCondition<Model> { .rejected }
}

extension ModelField where Kind == FieldKind.ServerTimestamp {
    /// Not available: no document has null there.
    @available(
        *, unavailable,
        message: "a missing field cannot be found by a query; make the property @ExplicitNull, so that nil is stored as null"
    )
    public static func == (field: ModelField, null: _OptionalNilComparisonType) -> ModelCondition<Model> { .rejected }

    /// Not available: no document has null there.
    @available(
        *, unavailable,
        message: "a missing field cannot be found by a query; make the property @ExplicitNull, so that nil is stored as null"
    )
    public static func != (field: ModelField, null: _OptionalNilComparisonType) -> ModelCondition<Model> { .rejected }
}

extension ModelCondition {
    /// The result type of the unavailable functions, which never run.
    static var rejected: ModelCondition { ModelCondition(.or([])) }
}
