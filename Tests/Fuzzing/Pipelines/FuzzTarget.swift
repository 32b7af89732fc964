// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import FuzzFrame

/// Pipelines of strangers, read and then run over a few documents.
@main
enum FuzzTarget: String, CaseIterable, Fuzzer {
    case requests, text, expressions

    private static let target = chosen()

    static func run(_ input: [UInt8]) { target.run(input) }

    private func run(_ input: [UInt8]) {
        switch self {
        case .requests: Self.request(input)
        case .text: Self.text(input)
        case .expressions: Self.expression(input)
        }
    }

    /// The bytes of a request.
    private static func request(_ input: [UInt8]) {
        guard let request = try? ExecutePipelineRequest(decoding: ByteSlice(input)) else { return }
        FuzzExecution.run(request.pipeline)
    }

    /// The text form of a pipeline.
    private static func text(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        do throws(PipelineTextMistake) {
            let pipeline = try PipelineText.parse(text)
            let printed = PipelineText.print(pipeline.stages)
            guard let again = try? PipelineText.parse(printed) else { preconditionFailure("cannot be read again: \(printed)") }
            precondition(again == pipeline, "changes when it is read again: \(printed)")
            FuzzExecution.run(pipeline)
        } catch {
            let lines = 1 + input.count { $0 == UInt8(ascii: "\n") }
            precondition((1...lines).contains(error.line) && error.column >= 1 && !error.reason.isEmpty)
        }
    }

    /// Functions of the registered ones over values, as the bytes choose them.
    private static func expression(_ input: [UInt8]) {
        var choices = FuzzChoices(input)
        let expression = choices.expression(depth: 0)
        let fields = (try? PipelineArgument.entries([("x", expression)])) ?? .map([])
        FuzzExecution.run(PipelineRequest([FuzzExecution.source, PipelineStage(.select, [fields])]))
        FuzzExecution.run(PipelineRequest([FuzzExecution.source, PipelineStage(.where, [expression])]))
    }
}
