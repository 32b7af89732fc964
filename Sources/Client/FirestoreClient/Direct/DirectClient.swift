// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSemantics

/// A client without a cache: every read and write goes to the service, and listeners follow its watch.
///
/// Whatever source a read or a listener names, it is answered by the service: no snapshot comes from a cache, and none shows
/// a write that the service has not applied. In front of the embedded engine that is the whole truth, because the authority
/// is in the process; in front of a server it means that nothing can be read offline.
package final class DirectClient: ClientBackend {
    private let service: any DocumentService
    private let callers: any CallerSource
    private let pendingWrites = OperationsInFlight()
    private let listeners = ListenerSet<ResultView>()
    /// The number of answers that wait until listeners are notified.
    private let waitingAnswers = Mutex(0)

    package init(service: any DocumentService, callers: any CallerSource = FixedCaller(.embedded)) {
        self.service = service
        self.callers = callers
    }

    private var context: RequestContext { callers.context }

    package func write(
        _ writes: [Write], saved: @escaping @Sendable (_ id: Int64) -> Void,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        commit(writes, in: nil, completion: completion)
    }

    package func commit(
        _ writes: [Write], in transaction: TransactionID?,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        if let error = listeners.terminationError { return completion(.failure(error)) }
        let ticket = pendingWrites.issued()
        let caller = context
        service.submit(writes, in: transaction, context: caller) { [self] result in
            afterListeners(caller) { [pendingWrites] in
                completion(result)
                pendingWrites.finished(ticket)
            }
        }
    }

    /// Runs `body` when listeners have been notified of what is acknowledged: their calls precede the completion of the write. The
    /// order of the answers is that of the acknowledgements. Costs nothing while nothing is listened to.
    private func afterListeners(_ context: RequestContext, _ body: @escaping @Sendable () -> Void) {
        let waits = waitingAnswers.withLock { waitingAnswers in
            guard !service.isShared, !listeners.isEmpty || waitingAnswers > 0 else { return false }
            waitingAnswers += 1
            return true
        }
        guard waits else { return body() }
        service.afterWatches(context: context) { [self] in
            body()
            waitingAnswers.withLock { $0 -= 1 }
        }
    }

    package func documents(
        _ keys: [DocumentKey], from source: ReadSource, at moment: ReadMoment
    ) async throws(FirestoreError) -> LookupSnapshot {
        if let error = listeners.terminationError { throw error }
        let response = try await service.documents(keys, options: ReadOptions(moment), context: context)
        return LookupSnapshot(readTime: response.readTime, documents: response.documents)
    }

    package func beginTransaction(_ mode: TransactionMode) async throws(FirestoreError) -> TransactionID {
        if let error = listeners.terminationError { throw error }
        return try await service.beginTransaction(mode, context: context)
    }

    package func rollback(_ transaction: TransactionID) async {
        // A transaction that cannot be rolled back has ended, or will expire.
        try? await service.rollback(transaction, context: context)
    }

    package func run(
        _ query: ClientQuery, from source: ReadSource, at moment: ReadMoment
    ) async throws(FirestoreError) -> ViewSnapshot {
        if let error = listeners.terminationError { throw error }
        let response = try await service.run(query.serviceQuery, options: ReadOptions(moment), context: context)
        let documents = query.limitsToLast ? response.documents.reversed() : response.documents
        return ViewSnapshot(documents: DocumentList(sharing: documents), changes: nil, readTime: response.readTime)
    }

    package func aggregate(
        _ query: ClientQuery, _ aggregations: [Aggregation], from source: ReadSource
    ) async throws(FirestoreError) -> AggregationResponse {
        if let error = listeners.terminationError { throw error }
        return try await service.aggregate(query.serviceQuery, aggregations, options: .latest, context: context)
    }

    package func explain(
        _ query: ClientQuery, analyze: Bool
    ) async throws(FirestoreError) -> QueryExplanation {
        if let error = listeners.terminationError { throw error }
        return try await service.explain(query.serviceQuery, analyze: analyze, options: .latest, context: context)
    }

    package func execute(
        _ pipeline: PipelineRequest, from source: ReadSource, options: PipelineOptions,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        if let error = listeners.terminationError { throw error }
        try await service.execute(pipeline, options: options, context: context, page: page)
    }

    package func explain(
        _ pipeline: PipelineRequest, analyze: Bool, from source: ReadSource
    ) async throws(FirestoreError) -> PipelineExplanation {
        if let error = listeners.terminationError { throw error }
        return try await service.explain(pipeline, analyze: analyze, options: .latest, context: context)
    }

    package var indexAdministration: (any IndexAdministration)? { service.indexAdministration }
    package var expiryAdministration: (any ExpiryAdministration)? { service.expiryAdministration }

    package var bundles: (any BundleAdministration)? {
        // A bundle is the app's content, not a request of its user.
        let backend = callers is FixedCaller ? self : DirectClient(service: service)
        return service.facts.map { StoredBundles(backend: backend, facts: $0) }
    }

    package func authority(for operation: String) throws(FirestoreError) -> ClientAuthority? {
        if let error = listeners.terminationError { throw error }
        return ClientAuthority(service: service, context: context)
    }

    package var isShared: Bool { service.isShared }

    package var isNetworkDisabled: Bool { false }

    package func listen(
        to target: ClientTarget, options: ListenOptions,
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        onEvent: @escaping @Sendable (Result<ViewSnapshot, FirestoreError>) -> Void
    ) -> any ListenHandle {
        let listener = QueryListener(
            ordering: target.ordering, inSync: listeners.inSync(for: options), schedule: schedule, onEvent: onEvent,
            onEnd: { [weak self] in self?.listeners.remove($0) })
        guard listeners.insert(listener, options) else { return listener }
        callers.startListener { context in
            listener.attach(service.watch(target.watchTarget, context: context, sink: listener))
        }
        return listener
    }

    package func listenForSnapshotsInSync(
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void, _ body: @escaping @Sendable () -> Void
    ) -> any ListenHandle {
        listeners.observeInSync(schedule: schedule, body: body) {
            service.watchRounds(context: context) { [inSync = listeners.inSync] _ in inSync.roundEnded() }
        }
    }

    package func waitForPendingWrites() async throws(FirestoreError) {
        if let error = listeners.terminationError { throw error }
        await pendingWrites.wait()
    }

    package func setNetworkEnabled(_ isEnabled: Bool) async throws(FirestoreError) {
        if let error = listeners.terminationError { throw error }
    }

    package func terminate() async {
        _ = listeners.terminate()
        endListeners()
        await pendingWrites.wait()
        await service.shutdown()
    }

    package func endListeners() { listeners.endAll() }
}

extension ClientTarget {
    fileprivate var watchTarget: WatchTarget {
        switch self {
        case .document(let key): .document(key)
        case .query(let query): .query(query.serviceQuery)
        }
    }
}
