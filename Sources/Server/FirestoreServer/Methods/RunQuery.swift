// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreRules
import FirestoreWire

extension MethodContext {
    /// RunQuery: one message per document, no faster than the peer reads (QR-45).
    var runQuery: RPCMethod {
        streaming { (request: RunQueryRequest, context, stream) throws(FirestoreError) in
            let service = try await self.service(request.database, context)
            if request.explain != nil { try service.admitExplanation(context) }
            if request.explain == .plan {
                let explanation = try await service.explain(
                    request.query, analyze: false, options: .acknowledged(), context: context)
                return try await stream.send(RunQueryResponse(database: request.database, explanation: explanation))
            }
            let reading = try await self.reading(request.consistency, in: request.database, of: service, context)
            let run = QueryRun(
                request: request, service: service, options: reading.options, context: context, stream: stream, figures: figures)
            do throws(FirestoreError) {
                if let begun = reading.begun {
                    let token = tokens.token(of: begun, in: request.database, history: service.historyMark, for: context.caller)
                    try await stream.send(RunQueryResponse(database: request.database, transaction: token))
                }
                try await run.answer()
            } catch {
                // The result will not be used: the caller gets an error.
                if let begun = reading.begun { try? await service.rollback(begun, context: context) }
                throw error
            }
        }
    }
}

/// A query being answered.
private struct QueryRun: Sendable {
    let request: RunQueryRequest
    let service: any JudgedService
    let options: ReadOptions
    let context: RequestContext
    let stream: ResponseStream
    let figures: DocumentFigures?

    func answer() async throws(FirestoreError) {
        let progress = QueryProgress()
        try await service.run(request.query, options: options, context: context) {
            (page: QueryResponse) async throws(FirestoreError) -> ScanStep in
            // The first page reports how many documents an offset has skipped: all it could, if any are left.
            if progress.isFirst(page), request.query.offset > 0, !page.documents.isEmpty {
                try await skipped(request.query.offset, page.readTime)
            }
            for document in page.documents {
                try await stream.send(
                    RunQueryResponse(database: request.database, document: document, readTime: page.readTime))
            }
            figures?.read(page.documents.count)
            return .next
        }
        if progress.isEmpty {
            // QR-45: an empty result is a message, too.
            let offset = request.query.offset
            try await skipped(offset > 0 ? try await matches(upTo: offset, at: progress.readTime) : 0, progress.readTime)
        }
        if request.explain == .analyze {
            let explanation = try await service.explain(request.query, analyze: true, options: .acknowledged(), context: context)
            try await stream.send(
                RunQueryResponse(database: request.database, readTime: progress.readTime, explanation: explanation))
        }
    }

    /// Reports once, before the first document, how many were skipped (QR-41).
    private func skipped(_ count: Int, _ time: DocumentVersion) async throws(FirestoreError) {
        try await stream.send(RunQueryResponse(database: request.database, readTime: time, skippedResults: count))
    }

    private func matches(upTo most: Int, at time: DocumentVersion) async throws(FirestoreError) -> Int {
        var query = request.query
        query.offset = 0
        query.limit = nil
        query.projection = nil
        query.nearest = nil
        // Rules refer to the query as sent.
        let granted = try await service.grant(request.query, options: options, context: context)
        var options = granted.options
        if case .latest = options.moment { options.moment = .past(time) }
        let counted = try await granted.service.aggregate(query, [Aggregation(.count(upTo: most))], options: options, context: context)
        guard case .integer(let count)? = counted.values.first?.value else { return 0 }
        return Int(count)
    }
}

/// The part of a result that was sent. Pages are sent one after the other.
private final class QueryProgress: Sendable {
    private struct State {
        var pages = 0
        var documents = 0
        var readTime = DocumentVersion.none
    }

    private let state = Mutex(State())

    /// Records a page; returns true for the first.
    func isFirst(_ page: QueryResponse) -> Bool {
        state.withLock { state in
            state.pages += 1
            state.documents += page.documents.count
            state.readTime = page.readTime
            return state.pages == 1
        }
    }

    var isEmpty: Bool { state.withLock { $0.documents == 0 } }
    var readTime: DocumentVersion { state.withLock { $0.readTime } }
}
