// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A call of a function, as an expression.
///
/// The methods of ``Expression`` make calls of the functions that Firestore has. Use the initializer for others: names are not checked
/// before the pipeline is executed.
///
/// `@unchecked Sendable`, because there are subclasses: the stored property is a constant of a `Sendable` type, and they add none.
public class FunctionExpression: Expression, @unchecked Sendable {
    let content: ExpressionContent

    init(content: ExpressionContent) { self.content = content }

    /// A call of any function.
    ///
    /// - Parameters:
    ///   - functionName: The name that the server gives the function, such as `string_concat`.
    ///   - args: The arguments.
    ///   - options: Options, by name.
    public init(functionName: String, args: [any Expression], options: [String: any Sendable]? = nil) {
        content = ExpressionContent(
            call: functionName, args.map { ExpressionContent(of: $0) },
            options: (options ?? [:]).map { ($0.key, ExpressionContent(literal: $0.value)) })
    }
}

extension FunctionExpression: ContentExpression {}

/// An array of values and expressions.
///
/// `@unchecked Sendable`: adds no state to its superclass.
public final class ArrayExpression: FunctionExpression, @unchecked Sendable {
    /// An array of elements. An absent element is null.
    public init(_ elements: [any Sendable]) { super.init(content: ExpressionContent(literal: elements)) }
}

/// A map of values and expressions.
///
/// `@unchecked Sendable`: adds no state to its superclass.
public final class MapExpression: FunctionExpression, @unchecked Sendable {
    /// A map of elements. An absent value leaves its key out.
    public init(_ elements: [String: any Sendable]) { super.init(content: ExpressionContent(literal: elements)) }
}

/// One of two expressions, by a condition.
///
/// `@unchecked Sendable`: adds no state to its superclass.
public final class ConditionalExpression: FunctionExpression, @unchecked Sendable {
    /// The first expression where the condition is true, otherwise the second. Only the chosen one is evaluated.
    public init(_ expression: any BooleanExpression, then thenExpression: any Expression, else elseExpression: any Expression) {
        super.init(
            content: ExpressionContent(call: "conditional", [expression, thenExpression, elseExpression].map { ExpressionContent(of: $0) }))
    }
}

/// The time at which the pipeline is executed.
///
/// `@unchecked Sendable`: adds no state to its superclass.
public final class CurrentTimestamp: FunctionExpression, @unchecked Sendable {
    /// The time of the execution, equal for all rows.
    public init() { super.init(content: ExpressionContent(call: "current_timestamp", [])) }
}

/// An error.
///
/// `@unchecked Sendable`: adds no state to its superclass.
public final class ErrorExpression: FunctionExpression, @unchecked Sendable {
    /// An error with a text. A pipeline that evaluates it fails, unless `ifError` catches it.
    public init(_ errorMessage: String) {
        super.init(content: ExpressionContent(call: "error", [ExpressionContent(Value.string(errorMessage))]))
    }
}

/// A random number.
///
/// `@unchecked Sendable`: adds no state to its superclass.
public final class RandomExpression: FunctionExpression, @unchecked Sendable {
    /// A number from 0, inclusive, to 1, exclusive: another one for each row.
    public init() { super.init(content: ExpressionContent(call: "rand", [])) }
}

/// A random number from 0, inclusive, to 1, exclusive: another one for each row.
public func rand() -> RandomExpression { RandomExpression() }

/// The result that follows the first true condition.
///
/// ```swift
/// switchOn(Field("stars").greaterThan(4), Constant("excellent"), Field("stars").greaterThan(2), Constant("fair"), Constant("poor"))
/// ```
/// Conditions and results take turns; a single expression at the end is the result if no condition is true. Without it, such a row is an
/// error.
public func switchOn(_ condition: any BooleanExpression, _ result: any Expression, _ others: any Expression...) -> any Expression {
    FunctionExpression(functionName: "switch_on", args: [condition, result] + others)
}
