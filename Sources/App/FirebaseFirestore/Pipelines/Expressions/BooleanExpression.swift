// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A condition on rows: true, false, null or an error.
///
/// Comparisons and tests of ``Expression`` are conditions; `&&`, `||`, `^` and `!` combine them. ``Expression/asBoolean()`` makes a
/// condition of any expression.
public protocol BooleanExpression: Expression {}

extension BooleanExpression {
    /// The number of rows for which the condition is true.
    public func countIf() -> AggregateFunction { AggregateFunction(functionName: "count_if", args: [self]) }
}

/// A condition that is a call, or an expression that serves as a condition.
struct BooleanContent: BooleanExpression, ContentExpression {
    let content: ExpressionContent

    init(content: ExpressionContent) { self.content = content }

    /// A logical function of two conditions. A call of the same function on the left is extended, so that a chain of any length is one
    /// call.
    init(joining name: String, _ left: any BooleanExpression, _ right: any BooleanExpression) {
        let (left, right) = (ExpressionContent(of: left), ExpressionContent(of: right))
        guard case .function(var call) = left.argument, equalUTF8(call.name, name), call.options.isEmpty else {
            content = ExpressionContent(call: name, [left, right])
            return
        }
        call.arguments.append(right.argument)
        let parts = ExpressionParts([left, right])
        content = ExpressionContent(
            .function(call), parts.faults, depth: max(left.depth, right.depth + 1), database: parts.database)
    }
}
