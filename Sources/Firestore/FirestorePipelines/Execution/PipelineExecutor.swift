// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreSemantics

/// The rows of a pipeline.
package struct PipelineOutput: Sendable {
    package var rows: [PipelineRow] = []
    /// The ids that the last stage of a pipeline that writes gives to the rows; empty if it gives none.
    package var documentIDs: [String] = []
    /// Where the next page begins; nil behind the last one.
    package var next: PipelinePosition?
    /// Whether more documents would have been looked at than was permitted. Then the rows mean nothing.
    package var isGivenUp = false
}

/// Answers pipelines over one consistent snapshot of documents.
package enum PipelineExecutor {
    /// The rows of a pipeline, in order.
    ///
    /// - Parameters:
    ///   - time: The time of the request, which `current_timestamp` returns.
    ///   - random: The source of samples and of `rand`.
    ///   - part: What is made of the result.
    ///   - observe: Receives what each source was asked, and what that has cost.
    package static func run(
        _ pipeline: CheckedPipeline, over source: some DocumentSource, database: DatabaseID, time: TimestampValue, budget: PipelineBudget,
        counters: QueryCounters = QueryCounters(), random: any RandomNumberGenerator = SystemRandomNumberGenerator(),
        part: PipelinePart = .everything, observe: ((StructuredQuery, QueryCounters) -> Void)? = nil
    ) throws(FirestoreError) -> PipelineOutput {
        let execution = Execution(
            database: database, time: time, budget: budget, counters: counters, source: source, random: random, slots: pipeline.slots)
        execution.observe = observe
        return try run(pipeline, execution, part)
    }

    private static func run(
        _ pipeline: CheckedPipeline, _ execution: Execution, _ part: PipelinePart
    ) throws(FirestoreError) -> PipelineOutput {
        let (database, budget) = (execution.database, execution.budget)
        budget.reset()
        let pages = PipelinePages(part, size: budget.limits.page)
        execution.pages = pages
        execution.stepsPerRow = pipeline.counts.expressions / 64 + pipeline.counts.stages / 8
        if case .few(let count) = part { execution.documentsLeft = count }
        var output = PipelineOutput()
        try PipelineRun.run(pipeline, below: nil, execution) { (row) throws(FirestoreError) in
            if let modification = pipeline.modification, let id = modification.target?.documentID {
                output.documentIDs.append(try documentID(id, row, execution))
            }
            let stored = try pipeline.modification?.shape?.apply(to: row, execution).stored(in: database) ?? row.stored(in: database)
            try budget.take(row: stored)
            pages?.bytes += stored.weight
            output.rows.append(stored)
            return .next
        }
        output.next = pages?.next
        output.isGivenUp = execution.isGivenUp
        return output
    }

    private static func documentID(
        _ expression: Expression, _ row: Row, _ execution: Execution
    ) throws(FirestoreError) -> String {
        let value = try expression.value(row, execution)
        guard let id = value.string else { throw .invalidArgument("document_id is a string, not a value of the type \(value.type.name)") }
        return id
    }
}
