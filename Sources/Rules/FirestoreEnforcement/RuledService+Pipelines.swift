// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreRules

/// Pipelines are proved like lists: every source must be granted, whether or not it is read. Pipelines that write are for administrators.
extension RuledService {
    /// The documents that are judged at a time.
    private static let part = 100

    package func execute(
        _ pipeline: PipelineRequest, options: PipelineOptions, context: RequestContext,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        let version = enforcement.rules.current.number
        let options = try await admit(pipeline, options, context)
        try await service.execute(pipeline, options: options, context: context) { (found) async throws(FirestoreError) in
            // What was sent before is of the time before.
            if !context.isAdministrator, enforcement.rules.current.number != version {
                _ = try await admit(pipeline, options, context)
            }
            return try await page(found)
        }
    }

    /// Judged before and after, as explanations of queries are.
    package func explain(
        _ pipeline: PipelineRequest, analyze: Bool, options: PipelineOptions, context: RequestContext
    ) async throws(FirestoreError) -> PipelineExplanation {
        try admitExplanation(context)
        let judged = try await admit(pipeline, options, context)
        let explanation = try await service.explain(pipeline, analyze: analyze, options: options, context: context)
        if judged != options { _ = try await admit(pipeline, options, context) }
        return explanation
    }

    /// Proves that the rules grant a pipeline, and returns the options to run it with, as `admit` does for queries.
    private func admit(
        _ pipeline: PipelineRequest, _ options: PipelineOptions, _ context: RequestContext
    ) async throws(FirestoreError) -> PipelineOptions {
        // Before anything is done for each of its stages and documents.
        try PipelineCounts.check(pipeline)
        guard judges(context) else { return options }
        var options = options
        for part in try PipelineReads(pipeline, in: enforcement.database).parts(of: Self.part) {
            options.read = try await admit(.pipeline(part), options.read, context)
        }
        return options
    }
}
