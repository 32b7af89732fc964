// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEnforcement

/// A service in front of another one, to which it hands on whatever it does not implement.
package protocol ServiceInFront: DocumentService {
    associatedtype Inner: DocumentService

    var inner: Inner { get }

    /// Stands in front of another service: of a session of this one, or of one that has granted a list.
    func inFront(of other: some DocumentService) -> any DocumentService
}

extension ServiceInFront {
    package var indexAdministration: (any IndexAdministration)? { inner.indexAdministration }
    package var facts: (any FactService)? { inner.facts }
    package var followed: (any FollowedDatabase)? { inner.followed }
    package var expiryAdministration: (any ExpiryAdministration)? { inner.expiryAdministration }
    package var storeAdministration: (any StoreAdministration)? { inner.storeAdministration }
    package var history: DatabaseHistory? { inner.history }
    package var isShared: Bool { inner.isShared }

    package func session() throws(FirestoreError) -> any DocumentService { inFront(of: try inner.session()) }

    package func shutdown() async { await inner.shutdown() }

    // MARK: Commits and transactions

    package func submit(
        _ writes: [Write], options: CommitOptions, context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        inner.submit(writes, options: options, context: context, completion: completion)
    }

    package func beginTransaction(_ mode: TransactionMode, context: RequestContext) async throws(FirestoreError) -> TransactionID {
        try await inner.beginTransaction(mode, context: context)
    }

    package func rollback(_ transaction: TransactionID, context: RequestContext) async throws(FirestoreError) {
        try await inner.rollback(transaction, context: context)
    }

    // MARK: Reads

    package func documents(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> LookupResponse {
        try await inner.documents(keys, options: options, context: context)
    }

    package func documentsNow(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) throws(FirestoreError) -> LookupResponse? {
        try inner.documentsNow(keys, options: options, context: context)
    }

    package func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryResponse {
        try await inner.run(query, options: options, context: context)
    }

    package func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext,
        page: @Sendable (QueryResponse) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        try await inner.run(query, options: options, context: context, page: page)
    }

    package func aggregate(
        _ query: StructuredQuery, _ aggregations: [Aggregation], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> AggregationResponse {
        try await inner.aggregate(query, aggregations, options: options, context: context)
    }

    package func explain(
        _ query: StructuredQuery, analyze: Bool, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation {
        try await inner.explain(query, analyze: analyze, options: options, context: context)
    }

    package func explain(
        _ query: StructuredQuery, _ aggregations: [Aggregation], analyze: Bool, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation {
        try await inner.explain(query, aggregations, analyze: analyze, options: options, context: context)
    }

    // MARK: Listings

    package func collectionIDs(
        under parent: DocumentKey?, after: String?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> CollectionIDsResponse {
        try await inner.collectionIDs(under: parent, after: after, limit: limit, options: options, context: context)
    }

    package func documentKeys(
        in collection: CollectionPath, after: DocumentKey?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        try await inner.documentKeys(in: collection, after: after, limit: limit, options: options, context: context)
    }

    package func partitions(
        of query: StructuredQuery, count: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        try await inner.partitions(of: query, count: count, options: options, context: context)
    }

    // MARK: Watches

    package func watch(
        _ target: WatchTarget, from resumption: WatchResumption?, context: RequestContext, sink: any WatchSink
    ) -> any WatchHandle {
        inner.watch(target, from: resumption, context: context, sink: sink)
    }

    package func watchTime(context: RequestContext) async throws(FirestoreError) -> DocumentVersion {
        try await inner.watchTime(context: context)
    }

    package func watchRounds(context: RequestContext, _ body: @escaping @Sendable (DocumentVersion) -> Void) -> any WatchHandle {
        inner.watchRounds(context: context, body)
    }

    package func afterWatches(context: RequestContext, _ body: @escaping @Sendable () -> Void) {
        inner.afterWatches(context: context, body)
    }
}

extension ServiceInFront where Inner: JudgedService {
    package func judges(_ context: RequestContext) -> Bool { inner.judges(context) }

    package func grant(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> (service: any DocumentService, options: ReadOptions) {
        let granted = try await inner.grant(query, options: options, context: context)
        return (inFront(of: granted.service), granted.options)
    }

    package func documentsNow(
        _ reads: [(key: DocumentKey, context: RequestContext)]
    ) throws(FirestoreError) -> [RuledService.Reading]? {
        try inner.documentsNow(reads)
    }

    package func admitExplanation(_ context: RequestContext) throws(FirestoreError) { try inner.admitExplanation(context) }

    package var unjudged: any DocumentService { inner.unjudged }
}
