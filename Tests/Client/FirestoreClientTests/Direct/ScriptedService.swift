// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A service that does what a test asks for, when the test asks.
final class ScriptedService: DocumentService {
    struct State {
        var submitted: [[Write]] = []
        var completions: [@Sendable (Result<CommitResponse, FirestoreError>) -> Void] = []
        var queries: [StructuredQuery] = []
        var answers: [Document] = []
        var watches: [Watch] = []
        var isShutDown = false
        /// How the transactions have begun.
        var transactions: [TransactionMode] = []
        var rounds: [@Sendable (DocumentVersion) -> Void] = []
    }

    final class Watch: WatchHandle {
        let target: WatchTarget
        let sink: any WatchSink
        private let cancelled = Mutex(false)

        init(target: WatchTarget, sink: any WatchSink) {
            self.target = target
            self.sink = sink
        }

        var isCancelled: Bool { cancelled.withLock { $0 } }
        func cancel() { cancelled.withLock { $0 = true } }
    }

    let state = Mutex(State())

    var indexAdministration: (any IndexAdministration)? { nil }

    var facts: (any FactService)? { nil }

    var followed: (any FollowedDatabase)? { nil }

    var expiryAdministration: (any ExpiryAdministration)? { nil }

    var storeAdministration: (any StoreAdministration)? { nil }

    var history: DatabaseHistory? { nil }

    let isShared: Bool

    init(isShared: Bool = false) { self.isShared = isShared }

    func submit(
        _ writes: [Write], options: CommitOptions, context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        state.withLock {
            $0.submitted.append(writes)
            $0.completions.append(completion)
        }
    }

    /// Completes the oldest commit that waits.
    func acknowledge(_ result: Result<CommitResponse, FirestoreError> = .success(CommitResponse(commitTime: .none, results: []))) {
        state.withLock { $0.completions.removeFirst() }(result)
    }

    func documents(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> LookupResponse {
        LookupResponse(readTime: .none, documents: keys.map { _ in nil })
    }

    func run(
        _ query: StructuredQuery, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryResponse {
        state.withLock { state in
            state.queries.append(query)
            return QueryResponse(readTime: .none, documents: state.answers)
        }
    }

    func documentsNow(
        _ keys: [DocumentKey], options: ReadOptions, context: RequestContext
    ) throws(FirestoreError) -> LookupResponse? { nil }

    private static let unscripted = FirestoreError(.unimplemented, "not part of the script")

    func aggregate(
        _ query: StructuredQuery, _ aggregations: [Aggregation], options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> AggregationResponse { throw Self.unscripted }

    func explain(
        _ query: StructuredQuery, analyze: Bool, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation { throw Self.unscripted }

    func beginTransaction(
        _ mode: TransactionMode, context: RequestContext
    ) async throws(FirestoreError) -> TransactionID {
        state.withLock { state in
            state.transactions.append(mode)
            return TransactionID(UInt64(state.transactions.count))
        }
    }

    func rollback(_ transaction: TransactionID, context: RequestContext) async throws(FirestoreError) {
        throw Self.unscripted
    }

    func execute(
        _ pipeline: PipelineRequest, options: PipelineOptions, context: RequestContext,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        throw FirestoreError(.unimplemented, "the script has no such call")
    }

    func explain(
        _ pipeline: PipelineRequest, analyze: Bool, options: PipelineOptions, context: RequestContext
    ) async throws(FirestoreError) -> PipelineExplanation {
        throw FirestoreError(.unimplemented, "the script has no such call")
    }

    func collectionIDs(
        under parent: DocumentKey?, after: String?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> CollectionIDsResponse {
        throw FirestoreError(.unimplemented, "the script has no such call")
    }

    func documentKeys(
        in collection: CollectionPath, after: DocumentKey?, limit: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        throw FirestoreError(.unimplemented, "the script has no such call")
    }

    func partitions(
        of query: StructuredQuery, count: Int, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse {
        throw FirestoreError(.unimplemented, "the script has no such call")
    }

    func watchTime(context: RequestContext) async throws(FirestoreError) -> DocumentVersion {
        throw FirestoreError(.unimplemented, "the script has no such call")
    }

    func session() throws(FirestoreError) -> any DocumentService {
        throw FirestoreError(.unimplemented, "the script has no such call")
    }

    func watch(
        _ target: WatchTarget, from resumption: WatchResumption?, context: RequestContext, sink: any WatchSink
    ) -> any WatchHandle {
        let watch = Watch(target: target, sink: sink)
        state.withLock { $0.watches.append(watch) }
        return watch
    }

    func watchRounds(context: RequestContext, _ body: @escaping @Sendable (DocumentVersion) -> Void) -> any WatchHandle {
        state.withLock { $0.rounds.append(body) }
        return RoundsHandle(self)
    }

    private final class RoundsHandle: WatchHandle {
        private let service: ScriptedService
        init(_ service: ScriptedService) { self.service = service }
        func cancel() { service.state.withLock { $0.rounds = [] } }
    }

    /// Ends a round.
    func endRound() { for body in state.withLock({ $0.rounds }) { body(.none) } }

    func shutdown() async { state.withLock { $0.isShutDown = true } }

    var lastWatch: Watch? { state.withLock { $0.watches.last } }
}

/// A queue whose jobs run when the test says so.
final class ManualQueue: Sendable {
    private let jobs = Mutex<[@Sendable () -> Void]>([])

    var count: Int { jobs.withLock { $0.count } }

    func add(_ job: @escaping @Sendable () -> Void) { jobs.withLock { $0.append(job) } }

    /// Runs what waits, including what that adds.
    func drain() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { job() }
    }
}
