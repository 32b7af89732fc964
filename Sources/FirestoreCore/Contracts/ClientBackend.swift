/// What the public API needs from whatever stands behind it: writes, reads, listeners, a lifecycle.
///
/// `DirectClient` (over any `DocumentService`, no cache) conforms; a syncing client will too.
package protocol ClientBackend: Sendable {
    /// Hands the writes over in call order and returns; `completion` comes exactly once, on any thread, when the
    /// authority has acknowledged (for the embedded database: when they are durable) or refused. With a transaction they
    /// are its commit, as in `DocumentService.submit`.
    func write(
        _ writes: [Write], in transaction: TransactionID?,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void)

    /// Documents by key, from one moment; nil where missing. The latest state has every `write` called before.
    func documents(_ keys: [DocumentKey], at moment: ReadMoment) async throws(FirestoreError) -> LookupResponse

    /// The result of a query, as a first snapshot: every document an added one.
    func run(_ query: ClientQuery, at moment: ReadMoment) async throws(FirestoreError) -> ViewSnapshot

    /// Opens a transaction, as in `DocumentService`.
    func beginTransaction(_ mode: TransactionMode) async throws(FirestoreError) -> TransactionID

    /// Gives a transaction up; one that is over already is left alone.
    func rollback(_ transaction: TransactionID) async

    /// Aggregates over the result of a query.
    func aggregate(
        _ query: ClientQuery, _ aggregations: [Aggregation]
    ) async throws(FirestoreError) -> AggregationResponse

    /// How a query is answered; `analyze` runs it and counts.
    func explain(_ query: ClientQuery, analyze: Bool) async throws(FirestoreError) -> QueryExplanation

    /// The indexes of an embedded database; nil where somebody else keeps them.
    var indexAdministration: (any IndexAdministration)? { get }

    /// What the embedded database keeps beside its documents; nil where there is no such thing.
    var facts: (any FactService)? { get }

    /// Whether other processes change the data, too: who loses to them cannot wait for its turn, only for a while.
    var isShared: Bool { get }

    /// Starts a listener. `onEvent` is called by one job at a time through `schedule`: first the whole result, then one
    /// event per change, or fewer when the consumer is slow: what it missed is folded into one diff. After a failure
    /// nothing follows. At most one job of a listener waits in `schedule` at any time.
    func listen(
        to target: ListenTarget, options: ListenOptions,
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

    /// Ends the listeners there are. The next call is `terminate`; until then reads are still answered.
    func endListeners()

    /// Ends listeners, finishes writes, lets go of the service. Later calls fail with `failedPrecondition`.
    func terminate() async
}

extension ClientBackend {
    /// Hands writes over that belong to no transaction.
    package func write(
        _ writes: [Write], completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        write(writes, in: nil, completion: completion)
    }

    /// The latest state of documents.
    package func documents(_ keys: [DocumentKey]) async throws(FirestoreError) -> LookupResponse {
        try await documents(keys, at: .latest)
    }

    /// The latest result of a query.
    package func run(_ query: ClientQuery) async throws(FirestoreError) -> ViewSnapshot {
        try await run(query, at: .latest)
    }
}

/// A query as the public API means it: `limit(toLast:)` included.
package struct ClientQuery: Sendable, Hashable {
    /// Orders, bounds and limit as the user wrote them, not flipped.
    package var query: StructuredQuery
    /// `query.limit` counts from the end (QR-42).
    package var limitsToLast: Bool

    package init(_ query: StructuredQuery, limitsToLast: Bool = false) {
        self.query = query
        self.limitsToLast = limitsToLast
    }
}

package enum ListenTarget: Sendable, Hashable {
    case document(DocumentKey)
    case query(ClientQuery)
}

package struct ListenOptions: Sendable, Hashable {
    package var includeMetadataChanges: Bool
    /// The consumer asks for the next snapshot when it likes (an asynchronous sequence), so nobody waits for it; it is
    /// told when the client terminates, or it would wait for ever itself.
    package var isPulled: Bool

    package init(includeMetadataChanges: Bool = false, isPulled: Bool = false) {
        self.includeMetadataChanges = includeMetadataChanges
        self.isPulled = isPulled
    }
}

package protocol ListenHandle: AnyObject, Sendable {
    /// Idempotent, allowed inside an event. Nothing is delivered afterwards, but for an event that another thread
    /// has begun to deliver at this moment.
    func remove()
}

/// One state of a query's result, and how it differs from the state delivered before.
package struct ViewSnapshot: Sendable {
    package var documents: DocumentList
    package var readTime: DocumentVersion
    package var hasPendingWrites: Bool
    package var isFromCache: Bool
    /// nil for a first snapshot, where every document is an added one; not spelled out until somebody asks.
    private var differences: [ViewChange]?

    /// `changes` nil: a first snapshot.
    package init(
        documents: DocumentList, changes: [ViewChange]?, readTime: DocumentVersion, hasPendingWrites: Bool = false,
        isFromCache: Bool = false
    ) {
        self.documents = documents
        differences = changes
        self.readTime = readTime
        self.hasPendingWrites = hasPendingWrites
        self.isFromCache = isFromCache
    }

    /// Removed first, then added, then modified; indices as if applied one after the other (LS-48, LS-49).
    package var changes: [ViewChange] {
        differences
            ?? documents.enumerated().map { index, document in
                ViewChange(kind: .added, document: document, oldIndex: nil, newIndex: index)
            }
    }
}

package struct ViewChange: Sendable {
    package enum Kind: Sendable { case added, modified, removed }

    package var kind: Kind
    /// The new state; the last known one when removed.
    package var document: Document
    /// nil for added.
    package var oldIndex: Int?
    /// nil for removed.
    package var newIndex: Int?

    package init(kind: Kind, document: Document, oldIndex: Int?, newIndex: Int?) {
        self.kind = kind
        self.document = document
        self.oldIndex = oldIndex
        self.newIndex = newIndex
    }
}
