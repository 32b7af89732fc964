// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreRPC
import FirestoreWire

extension RemoteService {
    /// A page is what has arrived, up to about a megabyte, as with queries. A pipeline is repeated only before its first page, and never if
    /// it writes.
    package func execute(
        _ pipeline: PipelineRequest, options: PipelineOptions, context: RequestContext,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        let request = try await request(pipeline, options, context)
        var isFirst = true
        try await connection.stream(
            .executePipeline, request, context.deadline, effect: pipeline.writes ? .change : RetryPolicy.Effect.none,
            isStillPossible: { isFirst }
        ) { stream throws(FirestoreError) in
            var next = PipelinePage(readTime: .none, rows: [])
            var bytes = 0
            while let message = try await stream.next() {
                let response = try ExecutePipelineResponse(decoding: message)
                if let time = response.executionTime { next.readTime = time }
                guard !response.rows.isEmpty else { continue }
                next.rows += response.rows
                bytes += message.count
                guard bytes > 1 << 20 else { continue }
                isFirst = false
                guard try await page(next) == .next else { return stream.cancel() }
                next.rows = []
                bytes = 0
            }
            if isFirst || !next.rows.isEmpty {
                isFirst = false
                _ = try await page(next)
            }
        }
    }

    package func explain(
        _ pipeline: PipelineRequest, analyze: Bool, options: PipelineOptions, context: RequestContext
    ) async throws(FirestoreError) -> PipelineExplanation {
        let request = try await request(pipeline, options, context, explain: analyze ? .analyze : .plan)
        // Analyzing it runs it.
        let writes = analyze && pipeline.writes
        return try await connection.stream(
            .executePipeline, request, context.deadline, effect: writes ? .change : RetryPolicy.Effect.none
        ) { stream throws(FirestoreError) in
            var explanation: PipelineExplanation?
            while let message = try await stream.next() {
                explanation = try ExecutePipelineResponse(decoding: message).explanation ?? explanation
            }
            guard let explanation else { throw FirestoreError(.unimplemented, "the server does not explain pipelines") }
            return explanation
        }
    }

    private func request(
        _ pipeline: PipelineRequest, _ options: PipelineOptions, _ context: RequestContext, explain: ExplainOptions? = nil
    ) async throws(FirestoreError) -> ExecutePipelineRequest {
        try await admit(context, reading: options.read)
        var request = ExecutePipelineRequest(
            database: connection.database, pipeline: pipeline, consistency: try consistency(of: options.read.moment),
            commitsTransaction: options.commitsTransaction, explain: explain)
        if options.isAtomic, pipeline.writes, case .latest = request.consistency {
            // A transaction of its own, which nothing else needs to know.
            request.consistency = .newTransaction(.readWrite(retrying: nil))
            request.commitsTransaction = true
        }
        return request
    }
}
