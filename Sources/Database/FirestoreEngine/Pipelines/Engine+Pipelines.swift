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
        guard case .transaction(let id) = options.read.moment else { return try await stream(checked, options, context, page: page) }
        let found = try await read(checked, options, context)
        if options.commitsTransaction { _ = try await commit([], in: id, context: context) }
        for rows in PipelinePage.parts(of: found.answer.output.rows, core.pipelines.page) {
            guard try await page(PipelinePage(readTime: found.time, rows: Array(rows))) == .next else { return }
        }
    }

    /// Reads the rows a page at a time, if the pipeline streams, each page over a snapshot of the moment of the first one. Nothing is held
    /// between two pages, but for their rows, while the reader is slow.
    private func stream(
        _ pipeline: CheckedPipeline, _ options: PipelineOptions, _ context: RequestContext,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        var operation = operation(pipeline, context)
        if pipeline.isStreaming { operation.part = .firstPage }
        let first = try await execute(operation) { (operation) async throws(FirestoreError) in
            try await read(operation, options.read, context)
        }
        var output = first.answer.output
        var isEmpty = true
        while true {
            // Filters may leave nothing of a page.
            if !output.rows.isEmpty || (isEmpty && output.next == nil) {
                isEmpty = false
                for rows in PipelinePage.parts(of: output.rows, core.pipelines.page) {
                    guard try await page(PipelinePage(readTime: first.time, rows: Array(rows))) == .next else { return }
                }
            }
            guard let next = output.next else { return }
            try admit(context)
            operation.part = .page(next)
            output = try await execute(operation) { (operation) async throws(FirestoreError) in
                try await core.answer(of: operation, at: first.time)
            }.output
        }
    }

    package func explain(
        _ pipeline: PipelineRequest, analyze: Bool, options: PipelineOptions, context: RequestContext
    ) async throws(FirestoreError) -> PipelineExplanation {
        let checked = try PipelineCheck.check(pipeline, database: core.databaseID)
        let plan = PipelinePlanRead(request: pipeline, pipeline: checked, database: core.databaseID)
        var parts = [try await read(plan, ReadOptions.acknowledged(), context).answer]
        if analyze, !checked.writes {
            var operation = operation(checked, context)
            operation.isAnalyzed = true
            let found = try await execute(operation) { (operation) async throws(FirestoreError) in
                try await read(operation, options.read, context)
            }
            parts.append(found.answer.statistics)
        }
        return PipelineExplanation(text: parts.joined(separator: "\n"))
    }

    /// All rows.
    func read(
        _ pipeline: CheckedPipeline, _ options: PipelineOptions, _ context: RequestContext
    ) async throws(FirestoreError) -> Timed<PipelineRead.Answer> {
        try await execute(operation(pipeline, context)) { (operation) async throws(FirestoreError) in
            try await read(operation, options.read, context)
        }
    }

    private func operation(_ pipeline: CheckedPipeline, _ context: RequestContext) -> PipelineRead {
        PipelineRead(
            pipeline: pipeline, database: core.databaseID, time: DocumentVersion(microseconds: core.clock.now()).timestamp,
            budget: PipelineBudget(
                limits: core.pipelines, deadline: context.deadline, memory: core.pipelineMemory, caller: context.pipelineCaller,
                now: core.pipelineClock),
            lane: core.pipelineLane, memory: core.memorySnapshots, indexes: core.indexes, report: ReadReport(context.meter))
    }

    /// Executes a read whose scan runs on another thread, which no cancellation of this task reaches.
    private func execute<R: Sendable>(
        _ operation: PipelineRead, _ body: (PipelineRead) async throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let result: Result<R, FirestoreError> = await withTaskCancellationHandler {
            do throws(FirestoreError) {
                return .success(try await body(operation))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            operation.budget.cancel()
        }
        return try result.get()
    }
}

extension RequestContext {
    /// Who takes turns with others: a user on all devices; without a user, the place that the call comes from.
    fileprivate var pipelineCaller: String {
        let owner = SequenceOwner(caller)
        return owner.isOneUser ? owner.name : "\(owner.name)@\(origin ?? "")"
    }
}

extension PipelinePage {
    /// Rows in parts of about a size in bytes; one empty part if there are none.
    static func parts(of rows: [PipelineRow], _ size: Int) -> [ArraySlice<PipelineRow>] {
        var parts: [ArraySlice<PipelineRow>] = []
        var (start, bytes) = (0, 0)
        for index in rows.indices {
            bytes += rows[index].fields.bytes.count
            if bytes >= size {
                parts.append(rows[start...index])
                (start, bytes) = (index + 1, 0)
            }
        }
        if start < rows.count || parts.isEmpty { parts.append(rows[start...]) }
        return parts
    }
}
