// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension OpenPlace {
    /// The documents of a query, one page at a time; an error of `body` ends it. (With `limit(toLast:)` as one page:
    /// the service answers in the reverse order.)
    func forEachPage(of query: ClientQuery, _ body: @escaping @Sendable ([Document]) throws -> Void) async throws {
        if query.limitsToLast {
            return try body(try await service.run(query.serviceQuery, context: stream).documents.reversed())
        }
        let pages = PageHandling(body)
        try await service.run(query.serviceQuery, options: .latest, context: stream) { page throws(FirestoreError) in
            pages.handle(page.documents)
        }
        try pages.end()
    }

    /// The rows of a pipeline, one page at a time; an error of `body` ends it.
    func forEachPage(
        of pipeline: PipelineRequest, at moment: ReadMoment, _ body: @escaping @Sendable ([PipelineRow]) throws -> Void
    ) async throws {
        let pages = PageHandling(body)
        let options = PipelineOptions(ReadOptions(moment))
        try await service.execute(pipeline, options: options, context: stream) { page throws(FirestoreError) in
            pages.handle(page.rows)
        }
        try pages.end()
    }
}

/// Hands pages on until one of them fails or the command is interrupted.
private final class PageHandling<Element: Sendable>: Sendable {
    private let failure = Mutex<(any Error)?>(nil)
    private let body: @Sendable ([Element]) throws -> Void

    init(_ body: @escaping @Sendable ([Element]) throws -> Void) { self.body = body }

    func handle(_ page: [Element]) -> ScanStep {
        if Task.isCancelled { return .stop }
        do {
            try body(page)
            return .next
        } catch {
            failure.withLock { $0 = error }
            return .stop
        }
    }

    /// Throws what has ended the pages.
    func end() throws {
        if let error = failure.withLock({ $0 }) { throw error }
        try Task.checkCancellation()
    }
}
