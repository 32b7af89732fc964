// SPDX-License-Identifier: Apache-2.0

/// The operations that the public API needs from the client behind it: writes, reads, listeners, a lifecycle.
///
/// It may answer from two sources, the authority and a cache: reads and listeners name the source, and every answer says
/// which documents have pending writes and whether the authority may have newer data. `DirectClient` (over any
/// `DocumentService`, without a cache) conforms; a client with offline sync is the second conformer.
package protocol ClientBackend: Sendable {
    /// Queues the writes in call order and returns.
    ///
    /// `saved` is called at most once, before `completion`, when the writes are in the queue (`queue`), with their number
    /// there: they survive the end of the process if the queue does. A client without a queue does not call it, because there
    /// the acknowledgement is that moment. `completion` is called exactly once, when the authority has acknowledged the writes
    /// (for the embedded database: when they are durable) or rejected them; with `cancelled` if they were canceled, or if the
    /// client was terminated and they stay in the queue. Both are called on any thread.
    func write(
        _ writes: [Write], saved: @escaping @Sendable (_ id: Int64) -> Void,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void)

    /// Queues the writes like `write(_:saved:completion:)`, with a rule for documents that others have changed since the state that the
    /// caller knows (SY-D24).
    ///
    /// A client without a cache knows no such state: it makes the writes unconditionally, and calls no handler. So does the embedded
    /// database, where nothing comes between a call and its write.
    func write(
        _ writes: [Write], onConflict rule: ConflictRule, saved: @escaping @Sendable (_ id: Int64) -> Void,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void)

    /// Commits the writes of a transaction, as `CommitService.submit` does: the authority decides immediately, past the queue.
    ///
    /// `transaction` is nil if the transaction has read nothing, and so never began at the authority. `completion` is called
    /// exactly once, on any thread.
    func commit(
        _ writes: [Write], in transaction: TransactionID?,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void)

    /// Returns documents by key, as of one moment; nil where missing. The latest state includes every earlier `write`.
    ///
    /// Moments other than the latest are read from the authority, whatever the source.
    func documents(
        _ keys: [DocumentKey], from source: ReadSource, at moment: ReadMoment
    ) async throws(FirestoreError) -> LookupSnapshot

    /// Returns the result of a query as a first snapshot, in which every document is an added one.
    func run(
        _ query: ClientQuery, from source: ReadSource, at moment: ReadMoment
    ) async throws(FirestoreError) -> ViewSnapshot

    /// Opens a transaction, as in `DocumentService`.
    func beginTransaction(_ mode: TransactionMode) async throws(FirestoreError) -> TransactionID

    /// Rolls a transaction back. Has no effect on one that has ended.
    func rollback(_ transaction: TransactionID) async

    /// Computes aggregates over the result of a query. The default source is the authority, or the cache if that cannot be reached.
    func aggregate(
        _ query: ClientQuery, _ aggregations: [Aggregation], from source: ReadSource
    ) async throws(FirestoreError) -> AggregationResponse

    /// Explains how a query is answered; `analyze` also runs it and returns counts.
    func explain(_ query: ClientQuery, analyze: Bool) async throws(FirestoreError) -> QueryExplanation

    /// Explains how the cache answers a query; nil without a cache.
    func explainFromCache(_ query: ClientQuery, analyze: Bool) async throws(FirestoreError) -> QueryExplanation?

    /// Runs a pipeline and delivers its rows in pages, as `PipelineService.execute` does.
    ///
    /// The sources `default` and `server` are the authority; nothing enters the cache. The source `cache` runs it on the cached documents,
    /// pending writes included, and reads only.
    func execute(
        _ pipeline: PipelineRequest, from source: ReadSource, options: PipelineOptions,
        page: @Sendable (PipelinePage) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError)

    /// Explains how a source executes a pipeline; `analyze` also runs it and returns counts.
    func explain(
        _ pipeline: PipelineRequest, analyze: Bool, from source: ReadSource
    ) async throws(FirestoreError) -> PipelineExplanation

    /// How complete the cached result of a query is; nil without a cache.
    func completeness(of query: ClientQuery) async throws(FirestoreError) -> CacheCompleteness?

    /// The indexes of the database or of the cache; nil where a server manages them.
    var indexAdministration: (any IndexAdministration)? { get }

    /// The policies by which documents of the database expire; nil where a server manages them.
    var expiryAdministration: (any ExpiryAdministration)? { get }

    /// The writes that wait for the authority, and those it rejected; nil for a client without a queue, which is never offline.
    var queue: (any WriteQueueAdministration)? { get }

    /// Where bundles are loaded; nil where they cannot be.
    var bundles: (any BundleAdministration)? { get }

    /// The pins: data that the cache retains with or without listeners; nil without a cache.
    var pins: (any PinAdministration)? { get }

    /// The service that decides, and as whom this client calls it: past a cache and its queue. nil if there is nothing behind the
    /// client. Throws while the client must not ask it; `operation` is what needs it, for the message.
    func authority(for operation: String) throws(FirestoreError) -> ClientAuthority?

    /// Whether other processes change the data too. A transaction that conflicts with them cannot take turns with them: it
    /// can only wait a while and try again.
    var isShared: Bool { get }

    /// Starts a listener. `onEvent` is called through `schedule`, by one job at a time: first with the whole result, then
    /// with one event per change, or with fewer when the consumer is slow: missed changes are merged into one. Nothing
    /// follows a failure. At most one job of a listener waits in `schedule` at any time.
    func listen(
        to target: ClientTarget, options: ListenOptions,
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        onEvent: @escaping @Sendable (Result<ViewSnapshot, FirestoreError>) -> Void
    ) -> any ListenHandle

    /// Calls `body` through `schedule` once now, and then each time all listeners affected by a change have been called
    /// (LS-58). When changes arrive faster than listeners process them, one call represents several. Pulled listeners are
    /// not waited for.
    func listenForSnapshotsInSync(
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void, _ body: @escaping @Sendable () -> Void
    ) -> any ListenHandle

    /// Returns when everything written before the call has been acknowledged or rejected; writes of earlier processes that are
    /// still queued included.
    func waitForPendingWrites() async throws(FirestoreError)

    /// Connects to the authority, or disconnects from it until enabled again. A client without a cache cannot work offline
    /// and ignores this.
    func setNetworkEnabled(_ isEnabled: Bool) async throws(FirestoreError)

    /// Whether the authority must not be asked, so that nothing is gained by trying again.
    var isNetworkDisabled: Bool { get }

    /// Ends all listeners. The next call is `terminate`; until then reads are still answered.
    func endListeners()

    /// Ends all listeners, finishes pending writes and releases the service. Later calls fail with `failedPrecondition`. A client
    /// with a queue does not wait for the authority: queued writes stay, and end for their callers with `cancelled`.
    func terminate() async
}

/// The service behind a client, and the caller as whom the client works.
package struct ClientAuthority: Sendable {
    package let service: any DocumentService
    package let context: RequestContext

    package init(service: any DocumentService, context: RequestContext) {
        self.service = service
        self.context = context
    }
}

/// How complete a cached result of a query is.
package struct CacheCompleteness: Sendable, Hashable {
    /// The authority's time as of which the whole result is known; nil if it never was.
    package var asOf: DocumentVersion?

    package init(asOf: DocumentVersion?) { self.asOf = asOf }
}

extension ClientBackend {
    package var queue: (any WriteQueueAdministration)? { nil }

    package var bundles: (any BundleAdministration)? { nil }

    package var pins: (any PinAdministration)? { nil }

    package func authority(for operation: String) throws(FirestoreError) -> ClientAuthority? { nil }

    package func explainFromCache(_ query: ClientQuery, analyze: Bool) async throws(FirestoreError) -> QueryExplanation? { nil }

    package func completeness(of query: ClientQuery) async throws(FirestoreError) -> CacheCompleteness? { nil }

    package func write(
        _ writes: [Write], onConflict rule: ConflictRule, saved: @escaping @Sendable (_ id: Int64) -> Void,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        write(writes, saved: saved, completion: completion)
    }

    /// Queues writes and does not report when they are saved.
    package func write(
        _ writes: [Write], completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        write(writes, saved: { _ in }, completion: completion)
    }

    /// Returns the authority's documents at a moment.
    package func documents(_ keys: [DocumentKey], at moment: ReadMoment) async throws(FirestoreError) -> LookupSnapshot {
        try await documents(keys, from: .server, at: moment)
    }

    /// Returns the latest state of documents.
    package func documents(
        _ keys: [DocumentKey], from source: ReadSource = .default
    ) async throws(FirestoreError) -> LookupSnapshot {
        try await documents(keys, from: source, at: .latest)
    }

    /// Returns the authority's result of a query at a moment.
    package func run(_ query: ClientQuery, at moment: ReadMoment) async throws(FirestoreError) -> ViewSnapshot {
        try await run(query, from: .server, at: moment)
    }

    /// Returns the latest result of a query.
    package func run(_ query: ClientQuery, from source: ReadSource = .default) async throws(FirestoreError) -> ViewSnapshot {
        try await run(query, from: source, at: .latest)
    }

    /// Returns the latest aggregates.
    package func aggregate(
        _ query: ClientQuery, _ aggregations: [Aggregation]
    ) async throws(FirestoreError) -> AggregationResponse {
        try await aggregate(query, aggregations, from: .default)
    }
}
