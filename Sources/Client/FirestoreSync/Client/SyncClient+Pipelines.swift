// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestorePipelines

extension SyncClient {
    package func execute(
        _ pipeline: PipelineRequest, from source: ReadSource, options: PipelineOptions,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        guard source == .cache else {
            try admitToServer("a pipeline")
            return try await service.execute(pipeline, options: options, context: context, page: page)
        }
        guard case .latest = options.read.moment else { throw .invalidArgument("the cache has no earlier moments; use the source .server") }
        let budget = PipelineBudget(deadline: context.deadline)
        let result: Result<PipelinePage, FirestoreError> = await withTaskCancellationHandler {
            do throws(FirestoreError) {
                return .success(try await cached(pipeline, budget))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            budget.cancel()
        }
        _ = try await page(try result.get())
    }

    private func cached(_ pipeline: PipelineRequest, _ budget: PipelineBudget) async throws(FirestoreError) -> PipelinePage {
        try await onStore { (engine) throws(FirestoreError) in
            let checked = try PipelineCheck.check(pipeline, database: engine.store.configuration.databaseID)
            guard !checked.writes else {
                throw .invalidArgument("a pipeline that writes does not run on the cache; use the source .server")
            }
            return PipelinePage(
                readTime: engine.readTime, rows: try engine.store.rows(of: checked, budget: budget), isFromCache: true)
        }
    }

    package func explain(
        _ pipeline: PipelineRequest, analyze: Bool, from source: ReadSource
    ) async throws(FirestoreError) -> PipelineExplanation {
        guard source == .cache else {
            try admitToServer("an explanation")
            return try await service.explain(pipeline, analyze: analyze, options: .latest, context: context)
        }
        return try await onStore { (engine) throws(FirestoreError) in
            let checked = try PipelineCheck.check(pipeline, database: engine.store.configuration.databaseID)
            return PipelineExplanation(text: try engine.store.plan(of: checked, pipeline))
        }
    }
}
