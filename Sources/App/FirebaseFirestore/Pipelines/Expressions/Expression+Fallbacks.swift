// SPDX-License-Identifier: Apache-2.0

extension Expression {
    public func ifError(_ catchExpression: any Expression) -> FunctionExpression { call("if_error", catchExpression) }
    public func ifError(_ catchValue: any Sendable) -> FunctionExpression { call("if_error", catchValue) }
    public func ifAbsent(_ defaultValue: any Sendable) -> FunctionExpression { call("if_absent", defaultValue) }
    public func ifNull(_ value: any Sendable) -> FunctionExpression { call("if_null", value) }
    public func ifNull(_ value: any Expression) -> FunctionExpression { call("if_null", value) }
    public func coalesce(_ values: [any Expression]) -> FunctionExpression { call("coalesce", arguments: values) }
    public func type() -> FunctionExpression { call("type") }
    public func isType(_ type: String) -> any BooleanExpression { test("is_type", type) }
}
