// SPDX-License-Identifier: Apache-2.0

/// The role of a service that runs pipelines.
///
/// A pipeline may write, so this is a role of its own, and no method has a default: a service in front of another one states what it does
/// with pipelines.
package protocol PipelineService: Sendable {
    /// Runs a pipeline and delivers its rows in pages, in order, all as of one moment. `page` is awaited before more is read. An empty
    /// result is one empty page. `.stop` ends the run.
    func execute(
        _ pipeline: PipelineRequest, options: PipelineOptions, context: RequestContext,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError)

    /// Explains how a pipeline is executed; `analyze` runs it and returns counts.
    func explain(
        _ pipeline: PipelineRequest, analyze: Bool, options: PipelineOptions, context: RequestContext
    ) async throws(FirestoreError) -> PipelineExplanation
}

/// Options of a pipeline's execution, apart from the pipeline and its caller.
package struct PipelineOptions: Sendable, Hashable {
    package var read: ReadOptions
    /// Whether the transaction that the pipeline reads in is committed when the pipeline has run.
    package var commitsTransaction: Bool
    /// Whether a pipeline that writes more than one commit holds fails, instead of writing it in several.
    package var isAtomic: Bool

    package init(_ read: ReadOptions = .latest, commitsTransaction: Bool = false, isAtomic: Bool = false) {
        self.read = read
        self.commitsTransaction = commitsTransaction
        self.isAtomic = isAtomic
    }

    /// The latest state, including everything submitted before.
    package static let latest = PipelineOptions()
}

extension PipelineService {
    /// Returns all rows of a pipeline.
    package func execute(
        _ pipeline: PipelineRequest, options: PipelineOptions = .latest, context: RequestContext
    ) async throws(FirestoreError) -> PipelinePage {
        let pages = CollectedPages()
        try await execute(pipeline, options: options, context: context) { pages.append($0) }
        return try pages.all()
    }
}
