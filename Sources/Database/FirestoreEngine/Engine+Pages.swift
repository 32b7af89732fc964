// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreIndexing
import FirestoreSemantics

extension Engine {
    /// Reads about a megabyte at a time, each page over a separate snapshot, all as of the moment of the first one: between two pages
    /// only the position is retained. Later pages cost a step for each change of the scope since the first, and fail when the change log
    /// no longer reaches back to it.
    ///
    /// These reads return the whole result: reads of transactions, whose commit relies on it; vector searches; and results that a limit
    /// bounds to a small size.
    package func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext,
        page: @Sendable (QueryResponse) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        try await run(query, options: options, limits: PageLimits(), context: context, page: page)
    }

    func run(
        _ query: StructuredQuery, options: ReadOptions, limits: PageLimits, context: RequestContext,
        page: @Sendable (QueryResponse) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        var isWhole = query.nearest != nil || query.limit.map { $0 <= QueryRead.few } == true
        if case .transaction = options.moment { isWhole = true }
        if isWhole {
            _ = try await page(try await run(query, options: options, context: context))
            return
        }
        try QueryCheck.check(query, database: core.databaseID)
        try core.indexes.admit(query)
        func operation(_ rest: ResultPage.Rest) -> PageRead {
            PageRead(
                rest: rest, query: query, limits: limits, database: core.databaseID, indexes: core.indexes,
                report: ReadReport(context.meter))
        }
        let first = try await read(operation(.query(query)), options, context)
        var current = first.answer
        var isEmpty = true
        while true {
            let isLast = if case .nothing = current.rest { true } else { false }
            // An entry of a cursor may turn out to have no document.
            if !current.documents.isEmpty || (isEmpty && isLast) {
                isEmpty = false
                let documents = QueryAnswer.project(current.documents, for: query)
                guard try await page(QueryResponse(readTime: first.time, documents: documents)) == .next else { return }
            }
            if isLast { return }
            try admit(context)
            current = try await next(operation(current.rest), at: first.time)
        }
    }

    private func next(_ operation: PageRead, at time: DocumentVersion) async throws(FirestoreError) -> ResultPage {
        // Nothing is left to read.
        if case .documents(let documents) = operation.rest { return QueryExecutor.page(of: documents, operation.limits) }
        return try await core.answer(of: operation, at: time)
    }
}
