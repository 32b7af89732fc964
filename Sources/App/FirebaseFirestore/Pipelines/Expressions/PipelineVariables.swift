// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A variable that ``Pipeline/define(_:)`` or a function of arrays has bound.
public struct Variable: Expression, ContentExpression {
    let content: ExpressionContent

    /// The variable with a name. A name that is not bound makes the execution of the pipeline fail with `invalidArgument`.
    public init(_ name: String) { content = ExpressionContent(.variable(name)) }
}

/// The whole row, as a map.
///
/// Bind it to a variable to use it in a sub-pipeline: `.define([CurrentDocument().as("trail")])`, and inside
/// `Variable("trail").getField("name")`.
public struct CurrentDocument: Expression, ContentExpression {
    let content = ExpressionContent(call: "current_document", [])

    /// The whole row.
    public init() {}
}
