// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

// Functions for every operator: for generated code, and for expressions that take the compiler long.

extension ModelField where Value: Encodable {
    /// Finds documents whose field equals a value: `==`.
    public func isEqual(to value: Value) -> ModelCondition<Model> { ModelCondition(path, .equal, Operand(value)) }

    /// Finds documents whose field exists, is not null and differs from a value: `!=`.
    ///
    /// Documents without the field are not found, nor those with null.
    public func isNotEqual(to value: Value) -> ModelCondition<Model> { ModelCondition(path, .notEqual, Operand(value)) }

    /// Finds documents whose field equals one of the values. At most 30 values.
    public func isIn(_ values: some Sequence<Value>) -> ModelCondition<Model> { ModelCondition(path, .in, Operand(list: values)) }

    /// Finds documents whose field exists, is not null and equals none of the values. At most 10 values, and only one such
    /// condition in a query.
    ///
    /// Documents without the field are not found, nor those with null.
    public func isNotIn(_ values: some Sequence<Value>) -> ModelCondition<Model> { ModelCondition(path, .notIn, Operand(list: values)) }
}

extension ModelField where Value: FirestoreOrderable & Encodable {
    /// Finds documents whose field is less than a value: `<`.
    public func isLess(than value: Value) -> ModelCondition<Model> { ModelCondition(path, .lessThan, Operand(value)) }

    /// Finds documents whose field is at most a value: `<=`.
    public func isLessOrEqual(to value: Value) -> ModelCondition<Model> { ModelCondition(path, .lessThanOrEqual, Operand(value)) }

    /// Finds documents whose field is greater than a value: `>`.
    public func isGreater(than value: Value) -> ModelCondition<Model> { ModelCondition(path, .greaterThan, Operand(value)) }

    /// Finds documents whose field is at least a value: `>=`.
    public func isGreaterOrEqual(to value: Value) -> ModelCondition<Model> { ModelCondition(path, .greaterThanOrEqual, Operand(value)) }
}

extension ModelField where Kind == FieldKind.ExplicitNull {
    /// Finds documents whose field is null: `== nil`. Documents without the field are not found.
    public var isNull: ModelCondition<Model> { ModelCondition(path, .equal, .plain(.null)) }

    /// Finds documents whose field exists and is not null: `!= nil`.
    public var isNotNull: ModelCondition<Model> { ModelCondition(path, .notEqual, .plain(.null)) }
}

extension ModelField where Value: FirestoreArray, Value.Element: Encodable {
    /// Finds documents whose array contains an element.
    public func contains(_ element: Value.Element) -> ModelCondition<Model> { ModelCondition(path, .arrayContains, Operand(element)) }

    /// Finds documents whose array contains at least one of the elements. At most 30 elements.
    public func containsAny(_ elements: some Sequence<Value.Element>) -> ModelCondition<Model> {
        ModelCondition(path, .arrayContainsAny, Operand(list: elements))
    }
}
