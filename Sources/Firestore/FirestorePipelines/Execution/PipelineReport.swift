// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreSemantics

/// Explains pipelines in a text for people.
package enum PipelineReport {
    /// The stages of a pipeline, and how a snapshot answers its sources.
    package static func plan(
        of request: PipelineRequest, _ pipeline: CheckedPipeline, over source: some DocumentSource, database: DatabaseID
    ) throws(FirestoreError) -> String {
        var lines = ["Plan"]
        for (index, stage) in request.stages.enumerated() { lines.append("  \(index + 1). \(PipelineText.print(stage))") }
        let execution = Execution(
            database: database, time: TimestampValue(seconds: 0, nanoseconds: 0), budget: PipelineBudget(), source: source,
            slots: pipeline.slots)
        // Any value of a variable is found in the same way.
        execution.frame = Array(repeating: .string(""), count: pipeline.slots)
        lines.append("Sources")
        for (place, pipeline) in pipeline.reads.sources {
            lines.append("  \(place): \(try access(of: pipeline, execution, over: source))")
        }
        if pipeline.reads.sources.isEmpty { lines.append("  none: nothing is read") }
        return lines.joined(separator: "\n")
    }

    private static func access(
        of pipeline: CheckedPipeline, _ execution: Execution, over source: some DocumentSource
    ) throws(FirestoreError) -> String {
        let most = PipelineRun.chain(pipeline, RowEnd { _ in .stop }, execution).expected
        switch pipeline.source {
        case .scope(let scope, let condition):
            return try SourceScan(scope, condition, execution).plan(over: source, most: most).description
        case .documents(let keys): return "look up \(keys.count) \(keys.count == 1 ? "document" : "documents")"
        case .literals: return "the rows of the request"
        case .subcollection(let path, let condition):
            let scope = QueryScope.collection(CollectionPath(trusted: "document/document/\(path)"))
            let plan = try SourceScan(scope, condition, execution).plan(over: source, most: most)
            return "below the document of each row: \(plan.description)"
        }
    }

    /// What an execution has cost.
    package static func statistics(rows: Int, _ counters: QueryCounters, duration: Duration) -> String {
        let milliseconds = Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1_000
        let rounded = Double(Int(milliseconds * 1_000)) / 1_000
        let indexes = Set(counters.indexes.map(\.description)).sorted()
        return """
            Execution:
              rows: \(rows)
              documents read: \(counters.documentsRead)
              index entries read: \(counters.entriesRead)
              indexes: \(indexes.isEmpty ? "none" : indexes.joined(separator: "; "))
              duration: \(rounded) ms
            """
    }
}
