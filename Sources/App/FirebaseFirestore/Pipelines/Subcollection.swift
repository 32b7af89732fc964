// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A pipeline over a collection below each row of another pipeline.
///
/// ```swift
/// db.pipeline().collection("trails")
///     .addFields([Subcollection("reports").aggregate([CountAll().as("count")]).toScalarExpression().as("reports")])
/// ```
/// It cannot be executed by itself.
///
/// `@unchecked Sendable`: adds no state to its superclass.
public final class Subcollection: Pipeline, @unchecked Sendable {
    /// The documents of the collection at a path below the document of the outer row.
    public init(_ path: String) {
        var content = PipelineContent(database: nil)
        content.append(PipelineStageKind.subcollection.rawValue, [ExpressionContent(Value.string(path))], options: [])
        super.init(firestore: nil, content: content)
    }
}

extension Pipeline {
    /// Binds variables, which later stages and the pipelines in them read as ``Variable``.
    public func define(_ variables: [AliasedExpression]) -> Pipeline { adding(.let, [ExpressionContent(fields: variables)]) }

    /// The rows of this pipeline, as an array in each row of another pipeline.
    ///
    /// Rows with one field are that field's value, others are maps.
    public func toArrayExpression() -> any Expression {
        FunctionExpression(content: ExpressionContent(call: "array", [content.argument]))
    }

    /// The only row of this pipeline, as a value in each row of another pipeline; null if it has no rows, an error if it has several.
    ///
    /// A row with one field is that field's value, another one is a map.
    public func toScalarExpression() -> any Expression {
        FunctionExpression(content: ExpressionContent(call: "scalar", [content.argument]))
    }
}
