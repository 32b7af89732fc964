// SPDX-License-Identifier: Apache-2.0

/// The role of a service that answers questions about documents.
package protocol ReadService: Sendable {
    /// Documents by key, nil where missing, all from one moment.
    func documents(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> LookupResponse

    /// The same right now, on the calling thread; nil where that would mean to wait: then ask `documents`. Takes
    /// microseconds, or the time of a page read from the disk.
    func documentsNow(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) throws(FirestoreError) -> LookupResponse?

    /// The result of a query.
    func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryResponse

    /// The same in pages, all from one moment: `page` gets each, in order, and is waited for before more is read, so that
    /// no more than a page or two is in memory however long the result. An empty result is one empty page. `.stop` ends it.
    func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext,
        page: @Sendable (QueryResponse) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError)

    /// Aggregates over the result of a query (QR-62 … QR-69).
    func aggregate(
        _ query: StructuredQuery, _ aggregations: [Aggregation], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> AggregationResponse

    /// How a query is answered (QR-71); `analyze` runs it and counts.
    func explain(
        _ query: StructuredQuery, analyze: Bool, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation

    /// How aggregates over the result of a query are computed; `analyze` computes them and counts.
    func explain(
        _ query: StructuredQuery, _ aggregations: [Aggregation], analyze: Bool, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation
}

extension ReadService {
    /// The latest state of documents.
    package func documents(_ keys: [DocumentKey], context: RequestContext) async throws(FirestoreError) -> LookupResponse {
        try await documents(keys, options: .latest, context: context)
    }

    /// The latest result of a query.
    package func run(_ query: StructuredQuery, context: RequestContext) async throws(FirestoreError) -> QueryResponse {
        try await run(query, options: .latest, context: context)
    }

    /// Explains the query below the aggregates. Conformers that can compute aggregates without the documents should override
    /// this.
    package func explain(
        _ query: StructuredQuery, _ aggregations: [Aggregation], analyze: Bool, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation {
        var explanation = try await explain(query, analyze: analyze, options: options, context: context)
        // One row of aggregates is what comes back.
        explanation.statistics?.results = 1
        return explanation
    }

    /// All in one page. Conformers that can hold less in memory should override this.
    package func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext,
        page: @Sendable (QueryResponse) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        _ = try await page(try await run(query, options: options, context: context))
    }
}

package struct LookupResponse: Sendable {
    package var readTime: DocumentVersion
    /// In the order of the keys.
    package var documents: [Document?]

    package init(readTime: DocumentVersion, documents: [Document?]) {
        self.readTime = readTime
        self.documents = documents
    }
}

package struct QueryResponse: Sendable {
    package var readTime: DocumentVersion
    package var documents: [Document]

    package init(readTime: DocumentVersion, documents: [Document]) {
        self.readTime = readTime
        self.documents = documents
    }
}
