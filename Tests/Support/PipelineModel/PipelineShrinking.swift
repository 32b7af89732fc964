// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Makes smaller pipelines of one, so that what fails is found in a few stages.
package enum PipelineShrinking {
    /// The smallest pipeline of which `fails` is still true.
    package static func shrink(
        _ pipeline: PipelineRequest, while fails: (PipelineRequest) async throws -> Bool
    ) async rethrows -> PipelineRequest {
        var smallest = pipeline
        search: while true {
            for stages in smaller(smallest.stages) {
                let candidate = PipelineRequest(stages)
                guard try await fails(candidate) else { continue }
                smallest = candidate
                continue search
            }
            return smallest
        }
    }

    private static func smaller(_ stages: [PipelineStage]) -> [[PipelineStage]] {
        var results: [[PipelineStage]] = []
        for index in stages.indices.dropFirst() {
            var fewer = stages
            fewer.remove(at: index)
            results.append(fewer)
        }
        for (index, stage) in stages.enumerated() {
            for (position, argument) in stage.arguments.enumerated() {
                for smaller in smaller(argument) {
                    var changed = stages
                    changed[index].arguments[position] = smaller
                    results.append(changed)
                }
            }
        }
        return results
    }

    private static func smaller(_ argument: PipelineArgument) -> [PipelineArgument] {
        switch argument {
        case .function(let function):
            let inner = replacing(function.arguments, by: smaller).map { arguments in
                var function = function
                function.arguments = arguments
                return PipelineArgument.function(function)
            }
            return function.arguments + inner
        case .pipeline(let stages): return smaller(stages).map { .pipeline($0) }
        case .array(let elements): return replacing(elements, by: smaller).map { .array($0) }
        case .map(let entries):
            var results: [[PipelineEntry]] = []
            for index in entries.indices where entries.count > 1 {
                var fewer = entries
                fewer.remove(at: index)
                results.append(fewer)
            }
            for values in replacing(entries.map(\.value), by: smaller) {
                results.append(zip(entries, values).map { PipelineEntry($0.key, $1) })
            }
            return results.map { .map($0) }
        case .constant, .field, .variable: return []
        }
    }

    /// The lists in which one element is smaller.
    private static func replacing(_ all: [PipelineArgument], by smaller: (PipelineArgument) -> [PipelineArgument]) -> [[PipelineArgument]] {
        all.indices.flatMap { index in
            smaller(all[index]).map { argument in
                var changed = all
                changed[index] = argument
                return changed
            }
        }
    }
}
