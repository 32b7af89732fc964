// SPDX-License-Identifier: Apache-2.0

// What does not compile, and the reason that the compiler gives (MP-49).

extension ModelField {
    /// Not available: the type has no order.
    @available(
        *, unavailable,
        message: "this type has no order in Firestore queries; compare a field of it, or conform it to FirestoreOrderable"
    )
    public static func < (field: ModelField, value: Value) -> Condition<Model> { .refused }

    /// Not available: the type has no order.
    @available(
        *, unavailable,
        message: "this type has no order in Firestore queries; compare a field of it, or conform it to FirestoreOrderable"
    )
    public static func <= (field: ModelField, value: Value) -> Condition<Model> { .refused }

    /// Not available: the type has no order.
    @available(
        *, unavailable,
        message: "this type has no order in Firestore queries; compare a field of it, or conform it to FirestoreOrderable"
    )
    public static func > (field: ModelField, value: Value) -> Condition<Model> { .refused }

    /// Not available: the type has no order.
    @available(
        *, unavailable,
        message: "this type has no order in Firestore queries; compare a field of it, or conform it to FirestoreOrderable"
    )
    public static func >= (field: ModelField, value: Value) -> Condition<Model> { .refused }

    /// Not available: the field is not an array.
    @available(*, unavailable, message: "contains needs an array field")
    public func contains(_ element: Value) -> Condition<Model> { .refused }

    /// Not available: the field is not an array.
    @available(*, unavailable, message: "containsAny needs an array field")
    public func containsAny(_ elements: [Value]) -> Condition<Model> { .refused }
}

extension ModelField where Value: RawRepresentable {
    /// Not available: the enum's raw values decide.
    @available(
        *, unavailable,
        message: "stored raw values sort as they are stored, strings alphabetically; conform the enum to FirestoreOrderable to accept that"
    )
    public static func < (field: ModelField, value: Value) -> Condition<Model> { .refused }

    /// Not available: the enum's raw values decide.
    @available(
        *, unavailable,
        message: "stored raw values sort as they are stored, strings alphabetically; conform the enum to FirestoreOrderable to accept that"
    )
    public static func <= (field: ModelField, value: Value) -> Condition<Model> { .refused }

    /// Not available: the enum's raw values decide.
    @available(
        *, unavailable,
        message: "stored raw values sort as they are stored, strings alphabetically; conform the enum to FirestoreOrderable to accept that"
    )
    public static func > (field: ModelField, value: Value) -> Condition<Model> { .refused }

    /// Not available: the enum's raw values decide.
    @available(
        *, unavailable,
        message: "stored raw values sort as they are stored, strings alphabetically; conform the enum to FirestoreOrderable to accept that"
    )
    public static func >= (field: ModelField, value: Value) -> Condition<Model> { .refused }
}

extension ModelField where Kind == Maybe {
    /// Not available: no document has null there.
    @available(
        *, unavailable,
        message: "a missing field cannot be found by a query; make the property @ExplicitNull, so that nil is stored as null"
    )
    public static func == (field: ModelField, null: _OptionalNilComparisonType) -> Condition<Model> { .refused }

    /// Not available: no document has null there.
    @available(
        *, unavailable,
        message: "a missing field cannot be found by a query; make the property @ExplicitNull, so that nil is stored as null"
    )
    public static func != (field: ModelField, null: _OptionalNilComparisonType) -> Condition<Model> { .refused }
}

extension ModelField where Kind == Required {
    /// Not available: no document has null there.
    @available(*, unavailable, message: "the property is not optional, so that no document has null there")
    public static func == (field: ModelField, null: _OptionalNilComparisonType) -> Condition<Model> { .refused }

    /// Not available: no document has null there.
    @available(*, unavailable, message: "the property is not optional, so that no document has null there")
    public static func != (field: ModelField, null: _OptionalNilComparisonType) -> Condition<Model> { .refused }
}

extension ModelField where Kind == Stamped {
    /// Not available: no document has null there.
    @available(
        *, unavailable,
        message: "a missing field cannot be found by a query; make the property @ExplicitNull, so that nil is stored as null"
    )
    public static func == (field: ModelField, null: _OptionalNilComparisonType) -> Condition<Model> { .refused }

    /// Not available: no document has null there.
    @available(
        *, unavailable,
        message: "a missing field cannot be found by a query; make the property @ExplicitNull, so that nil is stored as null"
    )
    public static func != (field: ModelField, null: _OptionalNilComparisonType) -> Condition<Model> { .refused }
}

extension Condition {
    /// What the unavailable functions would return.
    fileprivate static var refused: Condition { Condition(.or([])) }
}
