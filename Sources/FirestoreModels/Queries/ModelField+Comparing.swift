// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

// Functions for every operator: for generated code, and for expressions that take the compiler long.

extension ModelField where Value: Encodable {
    /// Finds documents whose field equals a value: `==`.
    public func isEqual(to value: Value) -> Condition<Model> { Condition(path, .equal, Operand(value)) }

    /// Finds documents whose field exists, is not null and differs from a value: `!=`.
    ///
    /// Documents without the field are not found, nor those with null.
    public func isNotEqual(to value: Value) -> Condition<Model> { Condition(path, .notEqual, Operand(value)) }

    /// Finds documents whose field equals one of the values. At most 30 values.
    public func isIn(_ values: some Sequence<Value>) -> Condition<Model> { Condition(path, .in, Operand(list: values)) }

    /// Finds documents whose field exists, is not null and equals none of the values. At most 10 values, and only one such
    /// condition in a query.
    ///
    /// Documents without the field are not found, nor those with null.
    public func isNotIn(_ values: some Sequence<Value>) -> Condition<Model> { Condition(path, .notIn, Operand(list: values)) }
}

extension ModelField where Value: FirestoreOrderable & Encodable {
    /// Finds documents whose field is less than a value: `<`.
    public func isLess(than value: Value) -> Condition<Model> { Condition(path, .lessThan, Operand(value)) }

    /// Finds documents whose field is at most a value: `<=`.
    public func isLessOrEqual(to value: Value) -> Condition<Model> { Condition(path, .lessThanOrEqual, Operand(value)) }

    /// Finds documents whose field is greater than a value: `>`.
    public func isGreater(than value: Value) -> Condition<Model> { Condition(path, .greaterThan, Operand(value)) }

    /// Finds documents whose field is at least a value: `>=`.
    public func isGreaterOrEqual(to value: Value) -> Condition<Model> { Condition(path, .greaterThanOrEqual, Operand(value)) }
}

extension ModelField where Kind == Nullable {
    /// Finds documents whose field is null: `== nil`. Documents without the field are not found.
    public var isNull: Condition<Model> { Condition(path, .equal, .plain(.null)) }

    /// Finds documents whose field exists and is not null: `!= nil`.
    public var isNotNull: Condition<Model> { Condition(path, .notEqual, .plain(.null)) }
}

extension ModelField where Value: FirestoreArray, Value.Element: Encodable {
    /// Finds documents whose array contains an element.
    public func contains(_ element: Value.Element) -> Condition<Model> { Condition(path, .arrayContains, Operand(element)) }

    /// Finds documents whose array contains at least one of the elements. At most 30 elements.
    public func containsAny(_ elements: some Sequence<Value.Element>) -> Condition<Model> {
        Condition(path, .arrayContainsAny, Operand(list: elements))
    }
}
