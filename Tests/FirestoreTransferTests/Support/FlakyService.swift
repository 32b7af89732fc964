// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine

/// A database whose commits and pages fail as a test says. Everything else is the engine's.
final class FlakyService: DocumentService {
    struct Plan {
        /// Errors for the next commits in order; nil lets one pass.
        var commits: [FirestoreError?] = []
        /// Errors behind the next first pages of queries; nil lets the query finish.
        var queries: [FirestoreError?] = []
        var submitted: [[DocumentKey]] = []
        var moments: [ReadMoment] = []
        /// Commits that do not finish until told to.
        var held: [@Sendable () -> Void]?
    }

    let engine: Engine
    let plan: Mutex<Plan>

    init(_ engine: Engine, _ plan: Plan = Plan()) {
        self.engine = engine
        self.plan = Mutex(plan)
    }

    var indexAdministration: (any IndexAdministration)? { engine }

    var facts: (any FactService)? { engine }

    var isShared: Bool { false }

    func documentsNow(_ keys: [DocumentKey], options: ReadOptions, context: RequestContext) throws(FirestoreError) -> LookupResponse? {
        try engine.documentsNow(keys, options: options, context: context)
    }

    func submit(
        _ writes: [Write], options: CommitOptions, context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        let failure: FirestoreError? = plan.withLock { plan in
            plan.submitted.append(writes.map(\.key))
            return plan.commits.isEmpty ? nil : plan.commits.removeFirst()
        }
        if let failure { return completion(.failure(failure)) }
        engine.submit(writes, options: options, context: context, completion: completion)
    }

    func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext,
        page: @Sendable (QueryResponse) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        let failure: FirestoreError? = plan.withLock { plan in
            plan.moments.append(options.moment)
            return plan.queries.isEmpty ? nil : plan.queries.removeFirst()
        }
        guard let failure else { return try await engine.run(query, options: options, context: context, page: page) }
        // Half of a page arrives, then the connection breaks.
        let response = try await engine.run(query, options: options, context: context)
        let half = QueryResponse(readTime: response.readTime, documents: Array(response.documents.prefix(response.documents.count / 2)))
        _ = try await page(half)
        throw failure
    }

    func documents(_ keys: [DocumentKey], options: ReadOptions, context: RequestContext) async throws(FirestoreError) -> LookupResponse {
        try await engine.documents(keys, options: options, context: context)
    }

    func run(_ query: StructuredQuery, options: ReadOptions, context: RequestContext) async throws(FirestoreError) -> QueryResponse {
        try await engine.run(query, options: options, context: context)
    }

    func collectionIDs(
        under parent: DocumentKey?, after: String?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> CollectionIDsResponse {
        try await engine.collectionIDs(under: parent, after: after, limit: limit, options: options, context: context)
    }

    func documentKeys(
        in collection: CollectionPath, after: DocumentKey?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        try await engine.documentKeys(in: collection, after: after, limit: limit, options: options, context: context)
    }

    func partitions(
        of query: StructuredQuery, count: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        try await engine.partitions(of: query, count: count, options: options, context: context)
    }

    func aggregate(
        _ query: StructuredQuery, _ aggregations: [Aggregation], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> AggregationResponse {
        try await engine.aggregate(query, aggregations, options: options, context: context)
    }

    func explain(_ query: StructuredQuery, analyze: Bool, options: ReadOptions, context: RequestContext) async throws(FirestoreError) -> QueryExplanation {
        try await engine.explain(query, analyze: analyze, options: options, context: context)
    }

    func beginTransaction(_ mode: TransactionMode, context: RequestContext) async throws(FirestoreError) -> TransactionID {
        try await engine.beginTransaction(mode, context: context)
    }

    func rollback(_ transaction: TransactionID, context: RequestContext) async throws(FirestoreError) {
        try await engine.rollback(transaction, context: context)
    }

    func watch(
        _ target: WatchTarget, from resumption: WatchResumption?, context: RequestContext, sink: any WatchSink
    ) -> any WatchHandle {
        engine.watch(target, from: resumption, context: context, sink: sink)
    }

    func watchTime(context: RequestContext) async throws(FirestoreError) -> DocumentVersion { try await engine.watchTime(context: context) }

    func watchRounds(context: RequestContext, _ body: @escaping @Sendable (DocumentVersion) -> Void) -> any WatchHandle {
        engine.watchRounds(context: context, body)
    }

    func session() throws(FirestoreError) -> any DocumentService { try engine.session() }

    func shutdown() async { await engine.shutdown() }
}
