// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestorePipelines

/// The reference of pipelines lists what is registered, and nothing else.
@Suite struct PipelineReferenceTests {
    private static let page = "docs/reference/pipelines.md"
    private static let begin = "<!-- Made from what is registered: make pages -->\n"

    @Test func `docs/reference/pipelines.md lists the stages and functions that are registered`() throws {
        try expectGenerated(Self.page, after: Self.begin, Self.tables)
    }

    // MARK: The tables

    private static var tables: String {
        """

        ## Stages

        | Place | Stages |
        |---|---|
        | first | \(names { $0.isSource }) |
        | between | \(names { !$0.isSource && !$0.writes }) |
        | last | \(names(where: \.writes)) |

        ## Functions

        | Function | Arguments |
        |---|---|
        \(functions.joined(separator: "\n"))

        ## Aggregate functions

        | Function | Arguments |
        |---|---|
        \(AccumulatorFunction.allCases.map { row($0.rawValue, PipelineCheck.text(of: $0.arity)) }.sorted().joined(separator: "\n"))

        """
    }

    private static func names(where isListed: (PipelineStageKind) -> Bool) -> String {
        PipelineStageKind.allCases.filter(isListed).map { "`\($0.rawValue)`" }.joined(separator: ", ")
    }

    private static var functions: [String] {
        let registered = FunctionTable.all.map { row($0.name, PipelineCheck.text(of: $0.arity)) }
        let elements = [
            row("array_filter", "an array, the name of its elements, a condition"),
            row("array_transform", "an array, the name of its elements, perhaps that of their places, an expression"),
        ]
        let pipelines = [row("scalar", "a pipeline"), row("current_document", "0 arguments")]
        return (registered + elements + pipelines).sorted()
    }

    private static func row(_ name: String, _ arguments: String) -> String { "| `\(name)` | \(arguments) |" }
}
