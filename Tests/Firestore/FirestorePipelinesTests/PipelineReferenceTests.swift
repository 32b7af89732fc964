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
        let file = repositoryRoot.appendingPathComponent(Self.page)
        let text = try String(contentsOf: file, encoding: .utf8)
        let parts = text.components(separatedBy: Self.begin)
        try #require(parts.count == 2, "\(Self.page) has no line \(Self.begin)")
        if ProcessInfo.processInfo.environment["HEARTH_WRITE_MODES"] == "1" {
            try Data((parts[0] + Self.begin + Self.tables).utf8).write(to: file)
            print("\(Self.page) is written")
        } else {
            #expect(parts[1] == Self.tables, "\(Self.page) is not what is registered: make pages")
        }
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
