// SPDX-License-Identifier: Apache-2.0

/// What a pipeline has of everything that is counted, the pipelines in it included.
///
/// Counts while a pipeline is read, or walks one that was built in this process, and throws `invalidArgument` at the first count beyond
/// its limit.
package struct PipelineCounts: Sendable {
    package private(set) var stages = 0
    package private(set) var pipelines = 0
    package private(set) var expressions = 0
    package private(set) var variables = 0
    package private(set) var documents = 0
    /// How deep expressions nest in it, pipelines in them included. Known of pipelines that were walked.
    package private(set) var depth = 0

    package init() {}

    /// Checks a pipeline of this process.
    @discardableResult
    package static func check(_ request: PipelineRequest) throws(FirestoreError) -> PipelineCounts {
        var counts = PipelineCounts()
        try counts.take(stages: request.stages, isNested: false, depth: 0)
        try counts.take(request.options.values, depth: 0)
        return counts
    }

    // MARK: Counting

    package mutating func addPipeline() throws(FirestoreError) {
        pipelines += 1
        try Limit.pipelines.check(pipelines)
    }

    package mutating func addStages(_ count: Int) throws(FirestoreError) {
        stages += count
        try Limit.stages.check(stages)
    }

    /// Arguments, elements, entries, options: whatever is an expression, or a constant beside one.
    package mutating func addExpressions(_ count: Int) throws(FirestoreError) {
        expressions += count
        try Limit.expressions.check(expressions)
    }

    /// A stage, before its arguments are looked at.
    package mutating func addStage(_ name: String, arguments: Int, options: Int) throws(FirestoreError) {
        try addExpressions(arguments + options)
        switch PipelineStageKind(rawValue: name) {
        case .documents:
            documents += arguments
            try Limit.pipelineDocuments.check(documents)
        case .removeFields, .sort: try Limit.stageFields.check(arguments)
        default: break
        }
    }

    /// The entries of a map that is an argument of a stage: fields, groups, aggregates, variables.
    package mutating func addEntries(_ count: Int, of stage: String) throws(FirestoreError) {
        switch PipelineStageKind(rawValue: stage) {
        case .let:
            variables += count
            try Limit.stageFields.check(count)
            try Limit.variables.check(variables)
        case .select, .addFields, .distinct, .aggregate, .update, .upsert: try Limit.stageFields.check(count)
        default: break
        }
    }

    /// The functions that literals of arrays and maps are: they have as many arguments as elements, which `expressions` bounds.
    private static let literals: Set = ["array", "map"]

    /// A function, before its arguments are looked at.
    package mutating func addFunction(_ name: String, arguments: Int, options: Int) throws(FirestoreError) {
        if !Self.literals.contains(name) { try Limit.functionArguments.check(arguments) }
        try addExpressions(arguments + options)
    }

    // MARK: Walking

    private mutating func take(stages: [PipelineStage], isNested: Bool, depth: Int) throws(FirestoreError) {
        if isNested { try addPipeline() }
        try addStages(stages.count)
        for stage in stages {
            try addStage(stage.name, arguments: stage.arguments.count, options: stage.options.count)
            for argument in stage.arguments {
                if let count = argument.entryCount { try addEntries(count, of: stage.name) }
                try take(argument, depth: depth + 1)
            }
            try take(stage.options.values, depth: depth + 1)
        }
    }

    private mutating func take(_ arguments: some Sequence<PipelineArgument>, depth: Int) throws(FirestoreError) {
        for argument in arguments { try take(argument, depth: depth) }
    }

    private mutating func take(_ argument: PipelineArgument, depth: Int) throws(FirestoreError) {
        guard depth <= Limit.expressionDepth.value else { throw Limit.expressionDepth.exceeded() }
        self.depth = max(self.depth, depth)
        switch argument {
        case .constant, .field, .variable: break
        case .function(let function):
            try addFunction(function.name, arguments: function.arguments.count, options: function.options.count)
            try take(function.arguments, depth: depth + 1)
            try take(function.options.values, depth: depth + 1)
        case .pipeline(let stages): try take(stages: stages, isNested: true, depth: depth)
        case .array(let elements):
            try addExpressions(elements.count)
            try take(elements, depth: depth + 1)
        case .map(let entries):
            try addExpressions(entries.count)
            for entry in entries { try take(entry.value, depth: depth + 1) }
        }
    }
}

extension PipelineArgument {
    /// The number of entries of a map, constant or not; nil for anything else.
    package var entryCount: Int? {
        switch self {
        case .map(let entries): return entries.count
        case .constant(let bytes):
            defer { withExtendedLifetime(bytes) {} }
            guard bytes.view.kind == .map, bytes.view.vector == nil else { return nil }
            return bytes.view.fields?.reduce(0) { count, _ in count + 1 }
        default: return nil
        }
    }
}
