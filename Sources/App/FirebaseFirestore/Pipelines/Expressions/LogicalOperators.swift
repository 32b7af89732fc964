// SPDX-License-Identifier: Apache-2.0

/// True where both conditions are true.
public func && (
    lhs: any BooleanExpression, rhs: @autoclosure () throws -> any BooleanExpression
) rethrows -> any BooleanExpression {
    try BooleanContent(joining: "and", lhs, rhs())
}

/// True where at least one of the conditions is true.
public func || (
    lhs: any BooleanExpression, rhs: @autoclosure () throws -> any BooleanExpression
) rethrows -> any BooleanExpression {
    try BooleanContent(joining: "or", lhs, rhs())
}

/// True where exactly one of the conditions is true; in a chain, an odd number of them.
public func ^ (
    lhs: any BooleanExpression, rhs: @autoclosure () throws -> any BooleanExpression
) rethrows -> any BooleanExpression {
    try BooleanContent(joining: "xor", lhs, rhs())
}

/// True where the condition is false.
public prefix func ! (lhs: any BooleanExpression) -> any BooleanExpression {
    BooleanContent(content: ExpressionContent(call: "not", [ExpressionContent(of: lhs)]))
}

/// True where none of the conditions is true.
public func nor(_ condition: any BooleanExpression, _ conditions: any BooleanExpression...) -> any BooleanExpression {
    nor([condition] + conditions)
}

/// True where none of the conditions is true.
public func nor(_ conditions: [any BooleanExpression]) -> any BooleanExpression {
    BooleanContent(content: ExpressionContent(call: "nor", conditions.map { ExpressionContent(of: $0) }))
}
