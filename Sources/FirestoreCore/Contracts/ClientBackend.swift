// SPDX-License-Identifier: Apache-2.0

/// What the public API needs from the client behind it: writes, reads, listeners, a lifecycle.
///
/// Two truths may stand behind it, the authority and a cache: reads and listeners say where they look, and every answer says
/// which documents show pending writes and whether the authority may know more. `DirectClient` (over any `DocumentService`,
/// no cache) conforms; a client with offline sync is the second.
package protocol ClientBackend: Sendable {
    /// Hands the writes over in call order and returns.
    ///
    /// `saved` comes at most once and before `completion`, when the writes will survive the end of the process; a client
    /// without a queue of its own leaves it out, because there the acknowledgement is that moment. `completion` comes exactly
    /// once, when the authority has acknowledged (for the embedded database: when the writes are durable) or refused. Both on
    /// any thread. With a transaction the writes are its commit, as in `CommitService.submit`.
    func write(
        _ writes: [Write], in transaction: TransactionID?, saved: @escaping @Sendable () -> Void,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void)

    /// Documents by key, from one moment; nil where missing. The latest state has every `write` called before.
    ///
    /// Moments other than the latest are the authority's, whatever the source.
    func documents(
        _ keys: [DocumentKey], from source: ReadSource, at moment: ReadMoment
    ) async throws(FirestoreError) -> LookupSnapshot

    /// The result of a query, as a first snapshot: every document an added one.
    func run(
        _ query: ClientQuery, from source: ReadSource, at moment: ReadMoment
    ) async throws(FirestoreError) -> ViewSnapshot

    /// Opens a transaction, as in `DocumentService`.
    func beginTransaction(_ mode: TransactionMode) async throws(FirestoreError) -> TransactionID

    /// Gives a transaction up; one that is over already is left alone.
    func rollback(_ transaction: TransactionID) async

    /// Aggregates over the result of a query.
    func aggregate(
        _ query: ClientQuery, _ aggregations: [Aggregation], from source: ReadSource
    ) async throws(FirestoreError) -> AggregationResponse

    /// How a query is answered; `analyze` runs it and counts.
    func explain(_ query: ClientQuery, analyze: Bool) async throws(FirestoreError) -> QueryExplanation

    /// The indexes of the database or of the cache; nil where a server keeps them.
    var indexAdministration: (any IndexAdministration)? { get }

    /// What the database or the cache keeps beside its documents; nil where it keeps nothing else.
    var facts: (any FactService)? { get }

    /// Whether other processes change the data too: a transaction that loses to them cannot take turns with them, only wait
    /// a while.
    var isShared: Bool { get }

    /// Starts a listener. `onEvent` is called by one job at a time through `schedule`: first the whole result, then one
    /// event per change, or fewer when the consumer is slow: what it missed is folded into one diff. After a failure
    /// nothing follows. At most one job of a listener waits in `schedule` at any time.
    func listen(
        to target: ClientTarget, options: ListenOptions,
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        onEvent: @escaping @Sendable (Result<ViewSnapshot, FirestoreError>) -> Void
    ) -> any ListenHandle

    /// Calls `body` through `schedule` once now, and then whenever all listeners one change concerns have been called
    /// (LS-58). When changes come faster than listeners are done with them, one call stands for several. A pulled listener
    /// is not waited for.
    func listenForSnapshotsInSync(
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void, _ body: @escaping @Sendable () -> Void
    ) -> any ListenHandle

    /// Returns when everything written before the call is acknowledged or refused.
    func waitForPendingWrites() async throws(FirestoreError)

    /// Connects to the authority again, or stays away from it until told otherwise. A client without a cache has nothing to
    /// work on meanwhile and goes on as it is.
    func setNetworkEnabled(_ isEnabled: Bool) async throws(FirestoreError)

    /// Ends the listeners there are. The next call is `terminate`; until then reads are still answered.
    func endListeners()

    /// Ends listeners, finishes writes, lets go of the service. Later calls fail with `failedPrecondition`.
    func terminate() async
}

extension ClientBackend {
    /// Hands writes over, those of a transaction or of none, without asking when they are saved.
    package func write(
        _ writes: [Write], in transaction: TransactionID? = nil,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        write(writes, in: transaction, saved: {}, completion: completion)
    }

    /// The authority's documents at a moment.
    package func documents(_ keys: [DocumentKey], at moment: ReadMoment) async throws(FirestoreError) -> LookupSnapshot {
        try await documents(keys, from: .server, at: moment)
    }

    /// The latest state of documents.
    package func documents(
        _ keys: [DocumentKey], from source: ReadSource = .default
    ) async throws(FirestoreError) -> LookupSnapshot {
        try await documents(keys, from: source, at: .latest)
    }

    /// The authority's result of a query at a moment.
    package func run(_ query: ClientQuery, at moment: ReadMoment) async throws(FirestoreError) -> ViewSnapshot {
        try await run(query, from: .server, at: moment)
    }

    /// The latest result of a query.
    package func run(_ query: ClientQuery, from source: ReadSource = .default) async throws(FirestoreError) -> ViewSnapshot {
        try await run(query, from: source, at: .latest)
    }

    /// The latest aggregates.
    package func aggregate(
        _ query: ClientQuery, _ aggregations: [Aggregation]
    ) async throws(FirestoreError) -> AggregationResponse {
        try await aggregate(query, aggregations, from: .default)
    }
}
