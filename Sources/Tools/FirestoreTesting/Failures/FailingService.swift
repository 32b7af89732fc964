// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

/// A service that fails planned operations and forwards the others to another service.
final class FailingService: DocumentService {
    private let service: any DocumentService
    private let plan: FailurePlan
    /// The queue on which failed commits are reported: never on the caller's thread.
    private let queue = DispatchQueue(label: "hearth.testing.failures")

    init(_ service: any DocumentService, _ plan: FailurePlan) {
        self.service = service
        self.plan = plan
    }

    var indexAdministration: (any IndexAdministration)? { service.indexAdministration }

    var facts: (any FactService)? { service.facts }

    var followed: (any FollowedDatabase)? { service.followed }

    var expiryAdministration: (any ExpiryAdministration)? { service.expiryAdministration }

    var storeAdministration: (any StoreAdministration)? { service.storeAdministration }

    var history: DatabaseHistory? { service.history }

    var isShared: Bool { service.isShared }

    func submit(
        _ writes: [Write], options: CommitOptions, context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        guard let error = plan.failure(of: .writes, on: writes.map { .path($0.key.path) }) else {
            return service.submit(writes, options: options, context: context, completion: completion)
        }
        guard let transaction = options.transaction else { return queue.async { completion(.failure(error)) } }
        // The transaction ends in both cases (TX-9).
        Task { [service] in
            try? await service.rollback(transaction, context: context)
            completion(.failure(error))
        }
    }

    func documents(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> LookupResponse {
        if let error = plan.failure(of: .reads, on: keys.map { .path($0.path) }) { throw error }
        return try await service.documents(keys, options: options, context: context)
    }

    func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryResponse {
        try passRead(query)
        return try await service.run(query, options: options, context: context)
    }

    func aggregate(
        _ query: StructuredQuery, _ aggregations: [Aggregation], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> AggregationResponse {
        try passRead(query)
        return try await service.aggregate(query, aggregations, options: options, context: context)
    }

    func explain(
        _ query: StructuredQuery, analyze: Bool, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation {
        try passRead(query)
        return try await service.explain(query, analyze: analyze, options: options, context: context)
    }

    func explain(
        _ query: StructuredQuery, _ aggregations: [Aggregation], analyze: Bool, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation {
        try passRead(query)
        return try await service.explain(query, aggregations, analyze: analyze, options: options, context: context)
    }

    func beginTransaction(
        _ mode: TransactionMode, context: RequestContext
    ) async throws(FirestoreError) -> TransactionID {
        try await service.beginTransaction(mode, context: context)
    }

    func rollback(_ transaction: TransactionID, context: RequestContext) async throws(FirestoreError) {
        try await service.rollback(transaction, context: context)
    }

    func documentsNow(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) throws(FirestoreError) -> LookupResponse? {
        if let error = plan.failure(of: .reads, on: keys.map { .path($0.path) }) { throw error }
        return try service.documentsNow(keys, options: options, context: context)
    }

    func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext,
        page: @Sendable (QueryResponse) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        try passRead(query)
        try await service.run(query, options: options, context: context, page: page)
    }

    func collectionIDs(
        under parent: DocumentKey?, after: String?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> CollectionIDsResponse {
        if let parent { try passRead(below: parent.path) }
        return try await service.collectionIDs(under: parent, after: after, limit: limit, options: options, context: context)
    }

    func documentKeys(
        in collection: CollectionPath, after: DocumentKey?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        try passRead(below: collection.path)
        return try await service.documentKeys(in: collection, after: after, limit: limit, options: options, context: context)
    }

    func partitions(
        of query: StructuredQuery, count: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        try passRead(query)
        return try await service.partitions(of: query, count: count, options: options, context: context)
    }

    func execute(
        _ pipeline: PipelineRequest, options: PipelineOptions, context: RequestContext,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        try passRead(pipeline)
        try await service.execute(pipeline, options: options, context: context, page: page)
    }

    func explain(
        _ pipeline: PipelineRequest, analyze: Bool, options: PipelineOptions, context: RequestContext
    ) async throws(FirestoreError) -> PipelineExplanation {
        try passRead(pipeline)
        return try await service.explain(pipeline, analyze: analyze, options: options, context: context)
    }

    func afterWatches(context: RequestContext, _ body: @escaping @Sendable () -> Void) { service.afterWatches(context: context, body) }

    func watchTime(context: RequestContext) async throws(FirestoreError) -> DocumentVersion {
        try await service.watchTime(context: context)
    }

    func session() throws(FirestoreError) -> any DocumentService {
        FailingService(try service.session(), plan)
    }

    func watch(
        _ target: WatchTarget, from resumption: WatchResumption?, context: RequestContext, sink: any WatchSink
    ) -> any WatchHandle {
        let place: OperationTarget =
            switch target {
            case .document(let key): .path(key.path)
            case .query(let query): OperationTarget(query.scope)
            }
        guard let error = plan.failure(of: .listeners, on: [place]) else {
            return service.watch(target, from: resumption, context: context, sink: sink)
        }
        let rejected = RejectedWatch(sink)
        queue.async { rejected.fail(error) }
        return rejected
    }

    func watchRounds(
        context: RequestContext, _ body: @escaping @Sendable (DocumentVersion) -> Void
    ) -> any WatchHandle {
        service.watchRounds(context: context, body)
    }

    func shutdown() async { await service.shutdown() }

    private func passRead(below path: String) throws(FirestoreError) {
        if let error = plan.failure(of: .reads, on: [.path(path)]) { throw error }
    }

    /// A pipeline reads what its first source names.
    private func passRead(_ pipeline: PipelineRequest) throws(FirestoreError) {
        if let error = plan.failure(of: pipeline.writes ? .writes : .reads, on: [.path(pipeline.source ?? "")]) { throw error }
    }

    private func passRead(_ query: StructuredQuery) throws(FirestoreError) {
        if let error = plan.failure(of: .reads, on: [OperationTarget(query.scope)]) { throw error }
    }
}

/// The handle of a watch that was not started.
private final class RejectedWatch: WatchHandle {
    private let sink: Mutex<(any WatchSink)?>

    init(_ sink: any WatchSink) { self.sink = Mutex(sink) }

    func fail(_ error: FirestoreError) { take()?.fail(error) }

    func cancel() { _ = take() }

    private func take() -> (any WatchSink)? {
        sink.withLock { $0.take() }
    }
}
