// SPDX-License-Identifier: Apache-2.0

/// The role of a service that reads documents.
package protocol ReadService: Sendable {
    /// Documents by key, nil where missing, all as of one moment.
    func documents(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> LookupResponse

    /// Reads documents immediately, on the calling thread; nil where that would have to wait: call `documents` then. Takes
    /// microseconds, or the time of reading a page from the disk.
    func documentsNow(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) throws(FirestoreError) -> LookupResponse?

    /// The result of a query.
    func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryResponse

    /// Runs a query and delivers its result in pages, all as of one moment. `page` receives each page in order and is awaited before more
    /// is read, so that only a page or two are in memory, however long the result. An empty result is one empty page. `.stop` ends the
    /// read.
    func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext,
        page: @Sendable (QueryResponse) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError)

    /// Computes aggregates over the result of a query (QR-62 … QR-69).
    func aggregate(
        _ query: StructuredQuery, _ aggregations: [Aggregation], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> AggregationResponse

    /// Explains how a query is answered (QR-71); `analyze` runs it and returns counts.
    func explain(
        _ query: StructuredQuery, analyze: Bool, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation

    /// Explains how aggregates over the result of a query are computed; `analyze` computes them and returns counts.
    func explain(
        _ query: StructuredQuery, _ aggregations: [Aggregation], analyze: Bool, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation
}

extension ReadService {
    /// Returns the latest state of documents.
    package func documents(_ keys: [DocumentKey], context: RequestContext) async throws(FirestoreError) -> LookupResponse {
        try await documents(keys, options: .latest, context: context)
    }

    /// Returns the latest result of a query.
    package func run(_ query: StructuredQuery, context: RequestContext) async throws(FirestoreError) -> QueryResponse {
        try await run(query, options: .latest, context: context)
    }

    /// Explains the query underlying the aggregates. Conformers that compute aggregates without reading the documents should
    /// override this.
    package func explain(
        _ query: StructuredQuery, _ aggregations: [Aggregation], analyze: Bool, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation {
        var explanation = try await explain(query, analyze: analyze, options: options, context: context)
        // The aggregates are returned as one row.
        explanation.statistics?.results = 1
        return explanation
    }

    /// Returns everything in one page. Conformers that can use less memory should override this.
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
