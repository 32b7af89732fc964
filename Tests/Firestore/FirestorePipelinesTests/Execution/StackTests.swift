// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import Testing

@testable import FirestorePipelines

/// What the limits permit is checked, executed and destroyed on a thread with the smallest stack that a system gives to threads of apps, in a
/// debug build, too. A test that fails ends the process.
@Suite struct StackTests {
    private static let stackBytes = 512 << 10

    private func withSmallStack<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            thread.stackSize = Self.stackBytes
            thread.start()
        }
    }

    /// Checks and runs what `make` makes. Returns the failure if there is one.
    private func outcome(_ make: @escaping @Sendable () -> PipelineRequest) async -> FirestoreError? {
        await withSmallStack {
            let request = make()
            do throws(FirestoreError) {
                _ = try PipelineReads(request, in: PipelineWorkbench.database)
                _ = try PipelineWorkbench.run(request)
                return nil
            } catch {
                return error
            }
        }
    }

    private static let source = PipelineStage(.collection, [.value(.reference("/c"))])
    private static let most = Limit.stages.value

    private static func field(_ name: String) -> PipelineArgument { .field(FieldPathSegments([name])) }

    /// One stage of each kind that can be repeated.
    private static let kinds: [String: [PipelineStage]] = [
        "where": [PipelineStage(.where, [.call("exists", field("n"))])],
        "select": [
            PipelineStage(
                .select, [.map([PipelineEntry("a", field("a")), PipelineEntry("n", .call("add", field("n"), .value(.integer(1))))])])
        ],
        "add_fields": [PipelineStage(.addFields, [.map([PipelineEntry("m", field("n"))])])],
        "remove_fields": [PipelineStage(.removeFields, [field("x")])],
        "distinct": [PipelineStage(.distinct, [.map([PipelineEntry("n", field("n"))])])],
        "aggregate": [PipelineStage(.aggregate, [.map([PipelineEntry("n", .call("count"))])])],
        "unnest": [PipelineStage(.unnest, [field("a"), field("e")])],
        "let": [PipelineStage(.let, [.map([PipelineEntry("v", field("n"))])])],
        "replace_with": [PipelineStage(.replaceWith, [.map([PipelineEntry("n", field("n"))])])],
        "sample": [PipelineStage(.sample, [.value(.integer(5)), .value(.string("documents"))])],
        "sample part": [PipelineStage(.sample, [.value(.double(1)), .value(.string("percent"))])],
        "limit": [PipelineStage(.limit, [.value(.integer(5))])],
        "offset": [PipelineStage(.offset, [.value(.integer(0))])],
        "sort, limit": [
            PipelineStage(.sort, [.map([PipelineEntry("expression", field("n"))])]), PipelineStage(.limit, [.value(.integer(5))]),
        ],
        "union, limit": [
            PipelineStage(.union, [.pipeline([source])]), PipelineStage(.limit, [.value(.integer(5))]),
        ],
        "find_nearest": [PipelineStage(.findNearest, [field("n"), .value(.vector([1])), .value(.string("euclidean"))])],
        "unnest, select": [
            PipelineStage(.unnest, [field("a"), field("e")]),
            PipelineStage(.select, [.map([PipelineEntry("a", field("a")), PipelineEntry("e", field("e"))])]),
        ],
    ]

    private static func repeated(_ kind: String, stages: Int) -> PipelineRequest {
        let part = kinds[kind] ?? []
        let isUnion = kind.hasPrefix("union")
        var all = [source]
        while all.count + (isUnion ? all.count / 2 : 0) + part.count + (isUnion ? 1 : 0) <= stages { all += part }
        return PipelineRequest(all)
    }

    @Test(arguments: kinds.keys.sorted()) func `as many stages of a kind as are permitted run`(kind: String) async {
        let error = await outcome { Self.repeated(kind, stages: kind.hasPrefix("union") ? 120 : Self.most) }
        #expect(error == nil, "\(kind)")
    }

    @Test(arguments: kinds.keys.sorted()) func `12,000 stages of a kind are refused with the limit`(kind: String) async {
        let error = await outcome { Self.repeated(kind, stages: 12_000) }
        #expect(error?.code == .invalidArgument, "\(kind)")
        #expect(error?.message.contains("at most") == true, "\(kind): \(error?.message ?? "")")
    }

    /// Pipelines in each other, as deep as they may be, with as many stages as there may be, at the bottom of expressions that are as deep
    /// as they may be.
    @Test func `the deepest pipelines in pipelines run`() async {
        let error = await outcome {
            let depth = Limit.pipelineDepth.value
            let stages = Self.most / (depth + 1) - 3
            var inner = [Self.source]
            for level in 0..<depth {
                // Each pipeline is three levels of expression above the next one; the others are calls around the innermost field.
                var value = PipelineArgument.call("array", .pipeline(inner))
                if level == depth - 1 { value = (0..<30).reduce(value) { value, _ in .call("coalesce", value, .value(.null)) } }
                let fill = Array(repeating: PipelineStage(.unnest, [Self.field("a"), Self.field("e")]), count: stages)
                // One row each, of which the next pipeline makes an array.
                let one = PipelineStage(.limit, [.value(.integer(1))])
                inner = [Self.source] + fill + [one, PipelineStage(.select, [.map([PipelineEntry("a", value)])])]
            }
            return PipelineRequest(inner)
        }
        #expect(error == nil)
    }

    @Test func `the deepest expressions run`() async {
        for name in ["abs", "coalesce", "and", "array", "conditional"] {
            let error = await outcome {
                // The map of the stage is a level, too.
                let deep = (0..<Limit.expressionDepth.value - 2).reduce(Self.field(name == "and" ? "x" : "n")) { inner, level in
                    switch name {
                    case "abs": .call(name, inner)
                    case "conditional": .call(name, .value(.boolean(true)), inner, .value(.null))
                    // No deeper values than there may be.
                    case "array": level % 2 == 0 ? .array([inner]) : .call("array_first", inner)
                    default: .call(name, inner, .value(.null))
                    }
                }
                return PipelineRequest([Self.source, PipelineStage(.select, [.map([PipelineEntry("x", deep)])])])
            }
            #expect(error == nil, "\(name)")
        }
    }

    @Test func `unions in unions run`() async {
        let error = await outcome {
            var inner = [Self.source]
            for _ in 0..<Limit.pipelineDepth.value {
                inner = [Self.source] + Array(repeating: PipelineStage(.unnest, [Self.field("a"), Self.field("e")]), count: 6)
                    + [PipelineStage(.union, [.pipeline(inner)])]
            }
            return PipelineRequest(inner)
        }
        #expect(error == nil)
    }
}
