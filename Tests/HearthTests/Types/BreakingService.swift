// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine

/// A database behind a connection that breaks in the middle of the next results. Everything else is the engine's.
final class BreakingService: DocumentService {
    let engine: Engine
    /// How many results still break, and how many were asked for.
    let state: Mutex<(breaks: Int, queries: Int)>

    init(_ engine: Engine, breaks: Int) {
        self.engine = engine
        state = Mutex((breaks, 0))
    }

    var indexAdministration: (any IndexAdministration)? { engine }
    var facts: (any FactService)? { engine }
    var isShared: Bool { true }

    func documentsNow(_ keys: [DocumentKey], options: ReadOptions, context: RequestContext) throws(FirestoreError) -> LookupResponse? {
        try engine.documentsNow(keys, options: options, context: context)
    }

    func submit(
        _ writes: [Write], options: CommitOptions, context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        engine.submit(writes, options: options, context: context, completion: completion)
    }

    func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext,
        page: @Sendable (QueryResponse) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        let isBroken = state.withLock { state in
            state.queries += 1
            state.breaks -= 1
            return state.breaks >= 0
        }
        guard isBroken else { return try await engine.run(query, options: options, context: context, page: page) }
        // Some documents arrive, then the connection breaks.
        let response = try await engine.run(query, options: options, context: context)
        _ = try await page(QueryResponse(readTime: response.readTime, documents: Array(response.documents.prefix(3))))
        throw FirestoreError(.unavailable, "gone")
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
