// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreSemantics

/// Explains pipelines in a text for people.
package enum PipelineReport {
    /// The stages of a pipeline, and what its source reads.
    package static func plan(of request: PipelineRequest, _ pipeline: CheckedPipeline) -> String {
        var lines = ["Plan"]
        for (index, stage) in request.stages.enumerated() {
            lines.append("  \(index + 1). \(PipelineText.print(stage))")
            if index == 0 { lines.append("     \(access(of: pipeline.source))") }
        }
        return lines.joined(separator: "\n")
    }

    private static func access(of source: CheckedSource) -> String {
        switch source {
        case .scope(.collection(let path), _): "documents of the collection \(path.path)"
        case .scope(.collectionGroup(let id, _), _): "documents of the collection group \(id)"
        case .scope(.kindless, _): "all documents"
        case .documents(let keys): "documents by name: \(keys.count)"
        case .literals(let rows): "rows of the request: \(rows.count)"
        case .subcollection(let path, _): "documents of the collection \(path) below each row"
        }
    }

    /// What an execution has cost.
    package static func statistics(rows: Int, _ counters: QueryCounters, duration: Duration) -> String {
        let milliseconds = Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1_000
        let rounded = Double(Int(milliseconds * 1_000)) / 1_000
        let indexes = Set(counters.indexes.map(\.description)).sorted()
        return """
            Execution
              rows: \(rows)
              documents read: \(counters.documentsRead)
              index entries read: \(counters.entriesRead)
              indexes: \(indexes.isEmpty ? "none" : indexes.joined(separator: "; "))
              duration: \(rounded) ms
            """
    }
}
