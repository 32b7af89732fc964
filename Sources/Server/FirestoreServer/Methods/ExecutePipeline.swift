// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreWire

extension MethodContext {
    /// ExecutePipeline (QR-72): rows in messages of about a megabyte, no faster than the peer reads.
    var executePipeline: RPCMethod {
        .stream { call in
            SingleRequestHandler(call) { message, handler in
                answer(call, handler) { () throws(FirestoreError) in
                    let caller = try await identification.identify(call.info)
                    try RequestSize.check(message)
                    let request = try ExecutePipelineRequest(decoding: message)
                    let writes = request.pipeline.writes && request.explain != .plan
                    if writes, let refusal = caller.identity.pipelineWriteRefusal { throw refusal }
                    try await execute(request, caller.context, ResponseStream(call: call))
                }
            }
        }
    }

    private func execute(
        _ request: ExecutePipelineRequest, _ context: RequestContext, _ stream: ResponseStream
    ) async throws(FirestoreError) {
        let service = try await self.service(request.database, context)
        if request.explain != nil { try service.admitExplanation(context) }
        if request.explain == .plan {
            let explanation = try await service.explain(
                request.pipeline, analyze: false, options: PipelineOptions(.acknowledged()), context: context)
            return try await stream.send(ExecutePipelineResponse(explanation: request.asked(explanation)))
        }
        let reading = try await self.reading(request.consistency, in: request.database, of: service, context)
        let options = PipelineOptions(
            reading.options, commitsTransaction: request.commitsTransaction,
            isAtomic: request.commitsTransaction && reading.begun != nil)
        let run = PipelineRun(
            request: request, service: service, options: options, context: context, stream: stream, figures: figures)
        do throws(FirestoreError) {
            if let begun = reading.begun {
                let token = tokens.token(of: begun, in: request.database, history: service.historyMark, for: context.caller)
                try await stream.send(ExecutePipelineResponse(transaction: token))
            }
            try await run.answer()
        } catch {
            // The result will not be used: the caller gets an error.
            if let begun = reading.begun { try? await service.rollback(begun, context: context) }
            throw error
        }
    }
}

/// A pipeline being answered.
private struct PipelineRun: Sendable {
    let request: ExecutePipelineRequest
    let service: any JudgedService
    let options: PipelineOptions
    let context: RequestContext
    let stream: ResponseStream
    let figures: DocumentFigures?

    /// The size from which on a message gets no further row.
    private static let messageBytes = 1 << 20

    func answer() async throws(FirestoreError) {
        let pages = Mutex(0)
        let time = Mutex(DocumentVersion.none)
        try await service.execute(request.pipeline, options: options, context: context) {
            (page: PipelinePage) async throws(FirestoreError) -> ScanStep in
            let isFirst = pages.withLock { pages in
                pages += 1
                return pages == 1
            }
            time.withLock { $0 = page.readTime }
            // An empty result is a message, too: clients want its time.
            if !page.rows.isEmpty || isFirst { try await send(page) }
            if request.pipeline.writes { figures?.modified(page.documentsModified) } else { figures?.read(page.rows.count) }
            return .next
        }
        if request.explain == .analyze {
            // A pipeline that writes is not run for a second time.
            let explanation = try await service.explain(
                request.pipeline, analyze: !request.pipeline.writes, options: PipelineOptions(.acknowledged()), context: context)
            try await stream.send(
                ExecutePipelineResponse(executionTime: time.withLock { $0 }, explanation: request.asked(explanation)))
        }
    }

    private func send(_ page: PipelinePage) async throws(FirestoreError) {
        var next = ExecutePipelineResponse(executionTime: page.readTime)
        var bytes = 0
        for row in page.rows {
            next.rows.append(row)
            bytes += row.messageSize
            guard bytes >= Self.messageBytes else { continue }
            try await stream.send(next)
            next.rows = []
            bytes = 0
        }
        if !next.rows.isEmpty || page.rows.isEmpty { try await stream.send(next) }
    }
}

extension ExecutePipelineRequest {
    /// An explanation in the form that was asked for.
    fileprivate func asked(_ explanation: PipelineExplanation) -> PipelineExplanation {
        switch explanationForm {
        case .text: explanation
        case .json: PipelineExplanation(text: explanation.json.text())
        }
    }
}
