// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension SyncClient {
    package func execute(
        _ pipeline: PipelineRequest, from source: ReadSource, options: PipelineOptions,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        guard source != .cache else { throw FirestoreError(.unimplemented, "pipelines do not run on the cache yet; use the source .server") }
        try admitToServer("a pipeline")
        try await service.execute(pipeline, options: options, context: context, page: page)
    }

    package func explain(
        _ pipeline: PipelineRequest, analyze: Bool, from source: ReadSource
    ) async throws(FirestoreError) -> PipelineExplanation {
        guard source != .cache else { throw FirestoreError(.unimplemented, "pipelines do not run on the cache yet; use the source .server") }
        try admitToServer("an explanation")
        return try await service.explain(pipeline, analyze: analyze, options: .latest, context: context)
    }
}
