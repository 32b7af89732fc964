// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// What every expression of this module is besides.
protocol ContentExpression: Expression {
    var content: ExpressionContent { get }
}

extension Expression {
    /// A call of a function with this expression as first argument. Arguments may be expressions and values.
    func call(_ name: String, _ arguments: (any Sendable)?..., options: [(String, any Sendable)] = []) -> FunctionExpression {
        call(name, arguments: arguments, options: options)
    }

    /// A call of a function with this expression as first argument.
    func call(_ name: String, arguments: [(any Sendable)?], options: [(String, any Sendable)] = []) -> FunctionExpression {
        FunctionExpression(
            content: ExpressionContent(
                call: name, [ExpressionContent(of: self)] + arguments.map { ExpressionContent(literal: $0) },
                options: options.map { ($0.0, ExpressionContent(literal: $0.1)) }))
    }

    /// A condition that is a call of a function with this expression as first argument.
    func test(_ name: String, _ arguments: (any Sendable)?...) -> any BooleanExpression {
        BooleanContent(content: call(name, arguments: arguments).content)
    }

    /// An aggregate function of this expression.
    func aggregate(_ name: String) -> AggregateFunction { AggregateFunction(functionName: name, args: [self]) }
}
