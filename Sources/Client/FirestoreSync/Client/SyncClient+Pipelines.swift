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
        let cached = try await onCache(pipeline) { (engine, checked, budget) throws(FirestoreError) in
            guard !checked.writes else {
                throw .invalidArgument("a pipeline that writes does not run on the cache; use the source .server")
            }
            return PipelinePage(
                readTime: engine.readTime, rows: try engine.store.rows(of: checked, budget: budget), isFromCache: true)
        }
        _ = try await page(cached)
    }

    package func explain(
        _ pipeline: PipelineRequest, analyze: Bool, from source: ReadSource
    ) async throws(FirestoreError) -> PipelineExplanation {
        guard source == .cache else {
            try admitToServer("an explanation")
            return try await service.explain(pipeline, analyze: analyze, options: .latest, context: context)
        }
        return try await onCache(pipeline) { (engine, checked, budget) throws(FirestoreError) in
            var parts = [try engine.store.plan(of: checked, pipeline)]
            if analyze, !checked.writes { parts.append(try engine.store.statistics(of: checked, budget: budget)) }
            return PipelineExplanation(text: parts.joined(separator: "\n"))
        }
    }

    /// Runs `body` on the engine's queue, with a pipeline that was checked and a budget that ends when the task is cancelled.
    private func onCache<R: Sendable>(
        _ pipeline: PipelineRequest,
        _ body: @escaping @Sendable (SyncEngine, CheckedPipeline, PipelineBudget) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let budget = PipelineBudget(deadline: context.deadline)
        let result: Result<R, FirestoreError> = await withTaskCancellationHandler {
            do throws(FirestoreError) {
                return .success(
                    try await onStore { (engine) throws(FirestoreError) in
                        try body(engine, try PipelineCheck.check(pipeline, database: engine.store.configuration.databaseID), budget)
                    })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            budget.cancel()
        }
        return try result.get()
    }
}
