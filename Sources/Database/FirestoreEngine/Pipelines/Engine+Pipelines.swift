// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestorePipelines

extension Engine {
    package func execute(
        _ pipeline: PipelineRequest, options: PipelineOptions, context: RequestContext,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        let checked = try PipelineCheck.check(pipeline, database: core.databaseID)
        if checked.writes {
            _ = try await page(try await write(checked, options, context))
            return
        }
        let found = try await read(checked, options, context)
        if options.commitsTransaction, case .transaction(let id) = options.read.moment {
            _ = try await commit([], in: id, context: context)
        }
        // Nothing of the snapshot is held while the reader is slow.
        for rows in PipelinePage.parts(of: found.answer.output.rows) {
            guard try await page(PipelinePage(readTime: found.time, rows: Array(rows))) == .next else { return }
            try admit(context)
        }
    }

    package func explain(
        _ pipeline: PipelineRequest, analyze: Bool, options: PipelineOptions, context: RequestContext
    ) async throws(FirestoreError) -> PipelineExplanation {
        try admit(context)
        let checked = try PipelineCheck.check(pipeline, database: core.databaseID)
        var parts = [PipelineReport.plan(of: pipeline, checked)]
        if analyze, !checked.writes { parts.append(try await read(checked, options, context, isAnalyzed: true).answer.statistics) }
        return PipelineExplanation(text: parts.joined(separator: "\n"))
    }

    func read(
        _ pipeline: CheckedPipeline, _ options: PipelineOptions, _ context: RequestContext, isAnalyzed: Bool = false
    ) async throws(FirestoreError) -> Timed<PipelineRead.Answer> {
        let budget = PipelineBudget(limits: core.pipelines, deadline: context.deadline)
        let operation = PipelineRead(
            pipeline: pipeline, database: core.databaseID, time: DocumentVersion(microseconds: core.clock.now()).timestamp, budget: budget,
            indexes: core.indexes, report: ReadReport(context.meter), isAnalyzed: isAnalyzed)
        // The scan runs on another thread, which no cancellation of this task reaches.
        let result: Result<Timed<PipelineRead.Answer>, FirestoreError> = await withTaskCancellationHandler {
            do throws(FirestoreError) {
                return .success(try await read(operation, options.read, context))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            budget.cancel()
        }
        return try result.get()
    }
}

extension PipelinePage {
    /// The size of a page, in bytes.
    private static let partBytes = 1 << 20

    /// Rows in parts of about a megabyte; one empty part if there are none.
    static func parts(of rows: [PipelineRow]) -> [ArraySlice<PipelineRow>] {
        var parts: [ArraySlice<PipelineRow>] = []
        var (start, bytes) = (0, 0)
        for index in rows.indices {
            bytes += rows[index].fields.bytes.count
            if bytes >= partBytes {
                parts.append(rows[start...index])
                (start, bytes) = (index + 1, 0)
            }
        }
        if start < rows.count || parts.isEmpty { parts.append(rows[start...]) }
        return parts
    }
}
