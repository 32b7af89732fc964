// SPDX-License-Identifier: Apache-2.0

/// What a pipeline reads: all of its sources, those of unions and sub-pipelines included, whether or not they are run.
package struct PipelineReads: Sendable, Hashable {
    /// Sources that find documents: their scopes, each with a filter that holds for every document that has an effect on the result.
    package let lists: [StructuredQuery]
    /// The documents that are named, in the order of the sources.
    package let keys: [DocumentKey]
    /// Whether a stage changes documents.
    package let writes: Bool

    /// Fails with `invalidArgument` for a pipeline whose sources cannot be known: one with a stage that this version does not know, with a
    /// source in another place than the first, or with a malformed source.
    package init(_ pipeline: PipelineRequest, in database: DatabaseID) throws(FirestoreError) {
        var walk = SourceWalk(database: database)
        try walk.pipeline(pipeline.stages, isNested: false, depth: 0)
        for option in pipeline.options.values { try walk.argument(option, depth: 0) }
        lists = walk.lists.map { StructuredQuery(scope: $0.scope, filter: Self.filter($0.rest, in: database)) }
        keys = walk.keys
        writes = walk.writes
    }

    private init(lists: [StructuredQuery], keys: [DocumentKey], writes: Bool) {
        self.lists = lists
        self.keys = keys
        self.writes = writes
    }

    /// Whether it reads no documents, as with literals alone.
    package var isEmpty: Bool { lists.isEmpty && keys.isEmpty }

    /// The reads in parts that name at most so many documents each: they may be too many to hold.
    package func parts(of count: Int) -> [PipelineReads] {
        guard keys.count > count else { return [self] }
        return stride(from: 0, to: keys.count, by: count).map { start in
            PipelineReads(lists: start == 0 ? lists : [], keys: Array(keys[start..<min(start + count, keys.count)]), writes: writes)
        }
    }

    /// What the conditions imply that look at stored documents, and at all of them: those before any stage but `sort`. A condition behind
    /// `limit` cannot hide that the documents before it have been looked at.
    private static func filter(_ stages: ArraySlice<PipelineStage>, in database: DatabaseID) -> QueryFilter? {
        var conditions: [PipelineArgument] = []
        for stage in stages {
            guard stage.kind == .where || stage.kind == .sort else { break }
            if stage.kind == .where, stage.arguments.count == 1 { conditions += stage.arguments }
        }
        return ImpliedFilter(conditions, in: database).filter
    }
}

/// Collects the sources of a pipeline.
private struct SourceWalk {
    let database: DatabaseID
    /// With the stages that follow.
    private(set) var lists: [(scope: QueryScope, rest: ArraySlice<PipelineStage>)] = []
    private(set) var keys: [DocumentKey] = []
    private(set) var writes = false

    init(database: DatabaseID) { self.database = database }

    mutating func pipeline(_ stages: [PipelineStage], isNested: Bool, depth: Int) throws(FirestoreError) {
        guard !stages.isEmpty else { throw .invalidArgument("a pipeline has no stages; begin with a source such as collection") }
        for (index, stage) in stages.enumerated() {
            do throws(FirestoreError) {
                try check(stage, isFirst: index == 0)
                if let source = try PipelineSource(stage, in: database) {
                    try add(source, before: stages[(index + 1)...], isNested: isNested)
                }
                for argument in stage.arguments { try self.argument(argument, depth: depth + 1) }
                for option in stage.options.values { try argument(option, depth: depth + 1) }
            } catch {
                var error = error
                error.location = "stage \(index + 1) (\(stage.name.quoted))" + (error.location.map { ", " + $0 } ?? "")
                throw error
            }
        }
    }

    private mutating func check(_ stage: PipelineStage, isFirst: Bool) throws(FirestoreError) {
        guard let kind = stage.kind else { throw .invalidArgument("there is no such stage") }
        guard kind.isSource == isFirst else {
            throw .invalidArgument(
                isFirst ? "a pipeline begins with a source, such as collection" : "only the first stage of a pipeline is a source")
        }
        if kind.writes { writes = true }
    }

    private mutating func add(
        _ source: PipelineSource, before rest: ArraySlice<PipelineStage>, isNested: Bool
    ) throws(FirestoreError) {
        switch source {
        case .scope(let scope): lists.append((scope, rest))
        case .documents(let keys): self.keys += keys
        case .literals: break
        case .subcollection(let path):
            guard isNested else { throw .invalidArgument("this source is for pipelines inside of expressions") }
            // The document above depends on the row around it, which may be any.
            lists.append((.collectionGroup(id: CollectionPath(trusted: path).id, under: nil), rest))
        }
    }

    mutating func argument(_ argument: PipelineArgument, depth: Int) throws(FirestoreError) {
        guard depth <= PipelineLimits.expressionDepth else {
            throw .invalidArgument("the expression nests more than \(PipelineLimits.expressionDepth) levels deep")
        }
        switch argument {
        case .constant, .field, .variable: break
        case .function(let function):
            for argument in function.arguments { try self.argument(argument, depth: depth + 1) }
            for option in function.options.values { try self.argument(option, depth: depth + 1) }
        case .pipeline(let stages): try pipeline(stages, isNested: true, depth: depth)
        case .array(let elements): for element in elements { try self.argument(element, depth: depth + 1) }
        case .map(let entries): for entry in entries { try self.argument(entry.value, depth: depth + 1) }
        }
    }
}
