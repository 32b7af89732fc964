// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A database whose commits and pages fail as a test says. Everything else is the other service's.
package final class FlakyService: DocumentService {
    package struct Plan: Sendable {
        /// Errors for the next commits in order; nil lets one pass.
        package var commits: [FirestoreError?] = []
        /// Errors behind the next first pages of queries; nil lets the query finish.
        package var queries: [FirestoreError?] = []
        package var submitted: [[DocumentKey]] = []
        package var moments: [ReadMoment] = []

        package init(commits: [FirestoreError?] = [], queries: [FirestoreError?] = []) { (self.commits, self.queries) = (commits, queries) }
    }

    package let plan: Mutex<Plan>
    /// Whether it is a connection to a server, as others see it.
    package let isShared: Bool
    private let service: any DocumentService

    package init(_ service: any DocumentService, _ plan: Plan = Plan(), isShared: Bool = false) {
        self.service = service
        self.plan = Mutex(plan)
        self.isShared = isShared
    }

    package var indexAdministration: (any IndexAdministration)? { service.indexAdministration }

    package var facts: (any FactService)? { service.facts }

    package var followed: (any FollowedDatabase)? { service.followed }

    package var expiryAdministration: (any ExpiryAdministration)? { service.expiryAdministration }

    package var storeAdministration: (any StoreAdministration)? { service.storeAdministration }

    package var history: DatabaseHistory? { service.history }

    package func documentsNow(_ keys: [DocumentKey], options: ReadOptions, context: RequestContext) throws(FirestoreError) -> LookupResponse? {
        try service.documentsNow(keys, options: options, context: context)
    }

    package func submit(
        _ writes: [Write], options: CommitOptions, context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        let failure: FirestoreError? = plan.withLock { plan in
            plan.submitted.append(writes.map(\.key))
            return plan.commits.isEmpty ? nil : plan.commits.removeFirst()
        }
        if let failure { return completion(.failure(failure)) }
        service.submit(writes, options: options, context: context, completion: completion)
    }

    package func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext,
        page: @Sendable (QueryResponse) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        let failure: FirestoreError? = plan.withLock { plan in
            plan.moments.append(options.moment)
            return plan.queries.isEmpty ? nil : plan.queries.removeFirst()
        }
        guard let failure else { return try await service.run(query, options: options, context: context, page: page) }
        // Half of a page arrives, then the connection breaks.
        let response = try await service.run(query, options: options, context: context)
        let half = QueryResponse(readTime: response.readTime, documents: Array(response.documents.prefix(response.documents.count / 2)))
        _ = try await page(half)
        throw failure
    }

    package func documents(_ keys: [DocumentKey], options: ReadOptions, context: RequestContext) async throws(FirestoreError) -> LookupResponse {
        try await service.documents(keys, options: options, context: context)
    }

    package func run(_ query: StructuredQuery, options: ReadOptions, context: RequestContext) async throws(FirestoreError) -> QueryResponse {
        try await service.run(query, options: options, context: context)
    }

    package func collectionIDs(
        under parent: DocumentKey?, after: String?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> CollectionIDsResponse {
        try await service.collectionIDs(under: parent, after: after, limit: limit, options: options, context: context)
    }

    package func documentKeys(
        in collection: CollectionPath, after: DocumentKey?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        try await service.documentKeys(in: collection, after: after, limit: limit, options: options, context: context)
    }

    package func partitions(
        of query: StructuredQuery, count: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        try await service.partitions(of: query, count: count, options: options, context: context)
    }

    package func aggregate(
        _ query: StructuredQuery, _ aggregations: [Aggregation], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> AggregationResponse {
        try await service.aggregate(query, aggregations, options: options, context: context)
    }

    package func explain(_ query: StructuredQuery, analyze: Bool, options: ReadOptions, context: RequestContext) async throws(FirestoreError) -> QueryExplanation {
        try await service.explain(query, analyze: analyze, options: options, context: context)
    }

    package func execute(
        _ pipeline: PipelineRequest, options: PipelineOptions, context: RequestContext,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        try await service.execute(pipeline, options: options, context: context, page: page)
    }

    package func explain(
        _ pipeline: PipelineRequest, analyze: Bool, options: PipelineOptions, context: RequestContext
    ) async throws(FirestoreError) -> PipelineExplanation {
        try await service.explain(pipeline, analyze: analyze, options: options, context: context)
    }

    package func beginTransaction(_ mode: TransactionMode, context: RequestContext) async throws(FirestoreError) -> TransactionID {
        try await service.beginTransaction(mode, context: context)
    }

    package func rollback(_ transaction: TransactionID, context: RequestContext) async throws(FirestoreError) {
        try await service.rollback(transaction, context: context)
    }

    package func watch(
        _ target: WatchTarget, from resumption: WatchResumption?, context: RequestContext, sink: any WatchSink
    ) -> any WatchHandle {
        service.watch(target, from: resumption, context: context, sink: sink)
    }

    package func watchTime(context: RequestContext) async throws(FirestoreError) -> DocumentVersion { try await service.watchTime(context: context) }

    package func watchRounds(context: RequestContext, _ body: @escaping @Sendable (DocumentVersion) -> Void) -> any WatchHandle {
        service.watchRounds(context: context, body)
    }

    package func session() throws(FirestoreError) -> any DocumentService { try service.session() }

    package func shutdown() async { await service.shutdown() }
}
