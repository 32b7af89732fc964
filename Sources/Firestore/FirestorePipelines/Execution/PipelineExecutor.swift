// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreSemantics

/// Answers pipelines over one consistent snapshot of documents.
package enum PipelineExecutor {
    /// The rows of a pipeline, in order.
    ///
    /// - Parameters:
    ///   - time: The time of the request, which `current_timestamp` returns.
    ///   - random: The source of samples and of `rand`.
    package static func run(
        _ pipeline: CheckedPipeline, over source: some DocumentSource, database: DatabaseID, time: TimestampValue, budget: PipelineBudget,
        counters: QueryCounters = QueryCounters(), random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) throws(FirestoreError) -> [PipelineRow] {
        budget.reset()
        let execution = Execution(
            database: database, time: time, budget: budget, counters: counters, source: source, random: random, slots: pipeline.slots)
        var rows: [PipelineRow] = []
        try PipelineRun.run(pipeline, below: nil, execution) { (row) throws(FirestoreError) in
            let stored = row.stored(in: database)
            try budget.hold(stored.weight)
            rows.append(stored)
            return .next
        }
        return rows
    }
}
