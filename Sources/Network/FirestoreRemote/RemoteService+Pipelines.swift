// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension RemoteService {
    package func execute(
        _ pipeline: PipelineRequest, options: PipelineOptions, context: RequestContext,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        throw FirestoreError(.unimplemented, "pipelines are not offered yet")
    }

    package func explain(
        _ pipeline: PipelineRequest, analyze: Bool, options: PipelineOptions, context: RequestContext
    ) async throws(FirestoreError) -> PipelineExplanation {
        throw FirestoreError(.unimplemented, "pipelines are not offered yet")
    }
}
