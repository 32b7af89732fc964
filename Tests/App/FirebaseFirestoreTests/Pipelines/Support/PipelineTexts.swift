// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import Testing

@testable import FirebaseFirestore

/// The text form of what an expression sends.
func text(_ expression: any FirebaseFirestore.Expression) -> String {
    let content = ExpressionContent(of: expression)
    return content.faults.isEmpty ? PipelineText.print(content.argument) : "\(content.faults.error)"
}

/// The text form of what an aggregate function sends.
func text(_ function: AggregateFunction) -> String { PipelineText.print(function.content.argument) }

/// The text form of what a pipeline sends, in one line.
func text(_ pipeline: Pipeline) throws -> String {
    PipelineText.print(try pipeline.runnable().1.stages).split(separator: "\n").joined(separator: " ")
}

/// Whether an expression is sent as a text says, which reads as the same expression.
func check(
    _ expression: any FirebaseFirestore.Expression, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(text(expression) == expected, sourceLocation: sourceLocation)
    let parsed = try? PipelineText.expression(expected)
    #expect(parsed == ExpressionContent(of: expression).argument, sourceLocation: sourceLocation)
}

func check(_ function: AggregateFunction, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(text(function) == expected, sourceLocation: sourceLocation)
}

/// Whether a pipeline is sent as a text says, which reads as the same pipeline.
func check(_ pipeline: Pipeline, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try text(pipeline) == expected, sourceLocation: sourceLocation)
    #expect(try PipelineText.parse(expected).stages == pipeline.runnable().1.stages, sourceLocation: sourceLocation)
}

/// The error of the construction of a pipeline.
func fault(of pipeline: Pipeline) -> NSError? {
    do {
        _ = try pipeline.runnable()
        return nil
    } catch {
        return error as NSError
    }
}
