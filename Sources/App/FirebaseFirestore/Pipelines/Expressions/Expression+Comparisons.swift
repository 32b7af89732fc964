// SPDX-License-Identifier: Apache-2.0

extension Expression {
    public func greaterThan(_ other: any Expression) -> any BooleanExpression { test("greater_than", other) }
    public func greaterThan(_ other: any Sendable) -> any BooleanExpression { test("greater_than", other) }
    public func greaterThanOrEqual(_ other: any Expression) -> any BooleanExpression { test("greater_than_or_equal", other) }
    public func greaterThanOrEqual(_ other: any Sendable) -> any BooleanExpression { test("greater_than_or_equal", other) }
    public func lessThan(_ other: any Expression) -> any BooleanExpression { test("less_than", other) }
    public func lessThan(_ other: any Sendable) -> any BooleanExpression { test("less_than", other) }
    public func lessThanOrEqual(_ other: any Expression) -> any BooleanExpression { test("less_than_or_equal", other) }
    public func lessThanOrEqual(_ other: any Sendable) -> any BooleanExpression { test("less_than_or_equal", other) }
    public func equal(_ other: any Expression) -> any BooleanExpression { test("equal", other) }
    public func equal(_ other: any Sendable) -> any BooleanExpression { test("equal", other) }
    public func notEqual(_ other: any Expression) -> any BooleanExpression { test("not_equal", other) }
    public func notEqual(_ other: any Sendable) -> any BooleanExpression { test("not_equal", other) }
    public func equalAny(_ others: [any Expression]) -> any BooleanExpression { test("equal_any", others) }
    public func equalAny(_ others: [any Sendable]) -> any BooleanExpression { test("equal_any", others) }
    public func equalAny(_ arrayExpression: any Expression) -> any BooleanExpression { test("equal_any", arrayExpression) }
    public func notEqualAny(_ others: [any Expression]) -> any BooleanExpression { test("not_equal_any", others) }
    public func notEqualAny(_ others: [any Sendable]) -> any BooleanExpression { test("not_equal_any", others) }
    public func notEqualAny(_ arrayExpression: any Expression) -> any BooleanExpression { test("not_equal_any", arrayExpression) }
    public func exists() -> any BooleanExpression { test("exists") }
    public func isError() -> any BooleanExpression { test("is_error") }
    public func isAbsent() -> any BooleanExpression { test("is_absent") }
    public func logicalMaximum(_ expressions: [any Expression]) -> FunctionExpression { call("maximum", arguments: expressions) }
    public func logicalMaximum(_ values: [any Sendable]) -> FunctionExpression { call("maximum", arguments: values) }
    public func logicalMinimum(_ expressions: [any Expression]) -> FunctionExpression { call("minimum", arguments: expressions) }
    public func logicalMinimum(_ values: [any Sendable]) -> FunctionExpression { call("minimum", arguments: values) }
}
