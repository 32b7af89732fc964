// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestorePipelines
import FirestoreSemantics
import FirestoreStorage

extension LocalStore {
    /// The rows of a pipeline over the cached documents, pending writes included.
    func rows(
        of pipeline: CheckedPipeline, budget: PipelineBudget, counters: QueryCounters = QueryCounters()
    ) throws(FirestoreError) -> [PipelineRow] {
        try pipeline.withStack { () throws(FirestoreError) in
            try read(.executeQuery) { (snapshot, _) throws(FirestoreError) in
                try PipelineExecutor.run(
                    pipeline, over: EstimatedDocuments(base: snapshot), database: configuration.databaseID,
                    time: DocumentVersion(microseconds: configuration.clock.now()).timestamp, budget: budget,
                    counters: counters
                ).rows
            }
        }
    }

    /// How the cached documents answer a pipeline.
    func plan(of pipeline: CheckedPipeline, _ request: PipelineRequest) throws(FirestoreError) -> String {
        try read(.executeQuery) { (snapshot, _) throws(FirestoreError) in
            try PipelineReport.plan(
                of: request, pipeline, over: EstimatedDocuments(base: snapshot), database: configuration.databaseID)
        }
    }

    /// What it costs to run a pipeline over the cached documents.
    func statistics(of pipeline: CheckedPipeline, budget: PipelineBudget) throws(FirestoreError) -> String {
        let (counters, start) = (QueryCounters(), ContinuousClock.now)
        let rows = try rows(of: pipeline, budget: budget, counters: counters)
        return PipelineReport.statistics(rows: rows.count, counters, duration: ContinuousClock.now - start)
    }
}

/// Documents in which the estimates of pending server timestamps are the values: expressions know no others.
private struct EstimatedDocuments<Base: DocumentSource>: DocumentSource {
    let base: Base

    var readTime: DocumentVersion { base.readTime }

    func document(_ key: DocumentKey) throws(FirestoreError) -> Document? { try base.document(key)?.estimated }

    func scan(
        _ scope: QueryScope, range: KeyRange, descending: Bool,
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        try base.scan(scope, range: range, descending: descending) { (scanned) throws(FirestoreError) in
            try scanned.document().estimated.withScanned(body)
        }
    }

    /// None: in the entries of an index a timestamp that is not known yet follows all others, and is not its estimate.
    func indexes(on collectionID: String) throws(FirestoreError) -> [ReadyIndex] { [] }

    func entries(
        of index: ReadyIndex, in collection: CollectionPath?, range: IndexRange, descending: Bool
    ) throws(FirestoreError) -> any IndexCursor {
        try base.entries(of: index, in: collection, range: range, descending: descending)
    }

    func visit(
        _ handle: DocumentHandle, _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) -> ScanStep {
        try base.visit(handle) { (scanned) throws(FirestoreError) in try scanned.document().estimated.withScanned(body) }
    }
}

extension Document {
    fileprivate var estimated: Document {
        Document(key: key, createTime: createTime, updateTime: updateTime, fields: fields.reading(pendingTimestampsAs: .estimate))
    }
}
