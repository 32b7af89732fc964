// SPDX-License-Identifier: Apache-2.0

extension Expression {
    public func round() -> FunctionExpression { call("round") }
    public func sqrt() -> FunctionExpression { call("sqrt") }
    public func ln() -> FunctionExpression { call("ln") }
    public func floor() -> FunctionExpression { call("floor") }
    public func exp() -> FunctionExpression { call("exp") }
    public func ceil() -> FunctionExpression { call("ceil") }
    public func abs() -> FunctionExpression { call("abs") }
    public func trunc() -> FunctionExpression { call("trunc") }
    public func pow(_ exponent: any Sendable) -> FunctionExpression { call("pow", exponent) }
    public func pow(_ exponent: any Expression) -> FunctionExpression { call("pow", exponent) }
    public func truncToPrecision(_ decimalPlace: any Sendable) -> FunctionExpression { call("trunc", decimalPlace) }
    public func truncToPrecision(_ decimalPlace: any Expression) -> FunctionExpression { call("trunc", decimalPlace) }
    public func add(_ value: any Expression) -> FunctionExpression { call("add", value) }
    public func add(_ value: any Sendable) -> FunctionExpression { call("add", value) }
    public func subtract(_ other: any Expression) -> FunctionExpression { call("subtract", other) }
    public func subtract(_ other: any Sendable) -> FunctionExpression { call("subtract", other) }
    public func multiply(_ value: any Expression) -> FunctionExpression { call("multiply", value) }
    public func multiply(_ value: any Sendable) -> FunctionExpression { call("multiply", value) }
    public func divide(_ other: any Expression) -> FunctionExpression { call("divide", other) }
    public func divide(_ other: any Sendable) -> FunctionExpression { call("divide", other) }
    public func mod(_ other: any Expression) -> FunctionExpression { call("mod", other) }
    public func mod(_ other: any Sendable) -> FunctionExpression { call("mod", other) }
}
