// SPDX-License-Identifier: Apache-2.0

extension Expression {
    public func arrayReverse() -> FunctionExpression { call("array_reverse") }
    public func arrayConcat(_ arrays: [any Expression]) -> FunctionExpression { call("array_concat", arguments: arrays) }
    public func arrayConcat(_ arrays: [[any Sendable]]) -> FunctionExpression { call("array_concat", arguments: arrays) }
    public func arrayLength() -> FunctionExpression { call("array_length") }
    public func arrayContains(_ element: any Expression) -> any BooleanExpression { test("array_contains", element) }
    public func arrayContains(_ element: any Sendable) -> any BooleanExpression { test("array_contains", element) }
    public func arrayContainsAll(_ values: [any Expression]) -> any BooleanExpression { test("array_contains_all", values) }
    public func arrayContainsAll(_ values: [any Sendable]) -> any BooleanExpression { test("array_contains_all", values) }
    public func arrayContainsAll(_ arrayExpression: any Expression) -> any BooleanExpression { test("array_contains_all", arrayExpression) }
    public func arrayContainsAny(_ values: [any Expression]) -> any BooleanExpression { test("array_contains_any", values) }
    public func arrayContainsAny(_ values: [any Sendable]) -> any BooleanExpression { test("array_contains_any", values) }
    public func arrayContainsAny(_ arrayExpression: any Expression) -> any BooleanExpression { test("array_contains_any", arrayExpression) }
    public func arrayFilter(alias: String, filter: any BooleanExpression) -> FunctionExpression { call("array_filter", alias, filter) }
    public func arrayTransform(elementAlias: String, transform: any Expression) -> FunctionExpression {
        call("array_transform", elementAlias, transform)
    }
    public func arrayTransformWithIndex(elementAlias: String, indexAlias: String, transform: any Expression) -> FunctionExpression {
        call("array_transform", elementAlias, indexAlias, transform)
    }
    public func arraySlice(offset: Int) -> FunctionExpression { call("array_slice", offset) }
    public func arraySlice(offset: any Expression) -> FunctionExpression { call("array_slice", offset) }
    public func arraySlice(offset: Int, length: Int) -> FunctionExpression { call("array_slice", offset, length) }
    public func arraySlice(offset: any Expression, length: any Expression) -> FunctionExpression { call("array_slice", offset, length) }
    public func arraySlice(offset: Int, length: any Expression) -> FunctionExpression { call("array_slice", offset, length) }
    public func arraySlice(offset: any Expression, length: Int) -> FunctionExpression { call("array_slice", offset, length) }
    public func arrayFirst() -> FunctionExpression { call("array_first") }
    public func arrayFirstN(_ n: Int) -> FunctionExpression { call("array_first_n", n) }
    public func arrayFirstN(_ n: any Expression) -> FunctionExpression { call("array_first_n", n) }
    public func arrayLast() -> FunctionExpression { call("array_last") }
    public func arrayLastN(_ n: Int) -> FunctionExpression { call("array_last_n", n) }
    public func arrayLastN(_ n: any Expression) -> FunctionExpression { call("array_last_n", n) }
    public func arrayGet(_ offset: Int) -> FunctionExpression { call("array_get", offset) }
    public func arrayGet(_ offsetExpression: any Expression) -> FunctionExpression { call("array_get", offsetExpression) }
    public func arrayIndexOf(_ value: any Sendable) -> FunctionExpression { call("array_index_of", value, "first") }
    public func arrayIndexOf(_ value: any Expression) -> FunctionExpression { call("array_index_of", value, "first") }
    public func arrayLastIndexOf(_ value: any Sendable) -> FunctionExpression { call("array_index_of", value, "last") }
    public func arrayLastIndexOf(_ value: any Expression) -> FunctionExpression { call("array_index_of", value, "last") }
    public func arrayIndexOfAll(_ value: any Sendable) -> FunctionExpression { call("array_index_of_all", value) }
    public func arrayIndexOfAll(_ value: any Expression) -> FunctionExpression { call("array_index_of_all", value) }
    public func arrayMaximum() -> FunctionExpression { call("maximum") }
    public func arrayMinimum() -> FunctionExpression { call("minimum") }
    public func arrayMaximumN(_ n: Int) -> FunctionExpression { call("maximum_n", n) }
    public func arrayMaximumN(_ n: any Expression) -> FunctionExpression { call("maximum_n", n) }
    public func arrayMinimumN(_ n: Int) -> FunctionExpression { call("minimum_n", n) }
    public func arrayMinimumN(_ n: any Expression) -> FunctionExpression { call("minimum_n", n) }
    public func join(delimiter: String) -> FunctionExpression { call("join", delimiter) }
}
