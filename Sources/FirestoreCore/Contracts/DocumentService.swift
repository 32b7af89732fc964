/// What a Firestore server can do. The embedded engine, a remote server and fault-injecting doubles conform.
///
/// Guarantees every conformer keeps:
/// - **Order.** Commits submitted by one caller are applied in the order of the `submit` calls.
/// - **Read your writes.** A read or watch started after `submit` returned sees that commit, finished or not.
package protocol DocumentService: Sendable {
    /// Hands a commit over and returns; `completion` is called exactly once, on a thread of the service.
    ///
    /// With a transaction the commit fails with `aborted` unless everything the transaction has read, documents and
    /// query results, is still the same; either way the transaction is over (TX-9). Returns before the commit is durable.
    /// When too much is waiting the call blocks until there is room (bounded queue, policy: wait), so it must not be made
    /// from the service's own callbacks.
    func submit(
        _ writes: [Write], in transaction: TransactionID?, context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void)

    /// Documents by key, nil where missing, all from one moment.
    func documents(
        _ keys: [DocumentKey], at moment: ReadMoment, context: RequestContext
    ) async throws(FirestoreError) -> LookupResponse

    func run(
        _ query: StructuredQuery, at moment: ReadMoment, context: RequestContext
    ) async throws(FirestoreError) -> QueryResponse

    /// Aggregates over the result of a query (QR-62 … QR-69).
    func aggregate(
        _ query: StructuredQuery, _ aggregations: [Aggregation], at moment: ReadMoment, context: RequestContext
    ) async throws(FirestoreError) -> AggregationResponse

    /// How a query is answered (QR-71); `analyze` runs it and counts.
    func explain(
        _ query: StructuredQuery, analyze: Bool, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation

    /// Opens a transaction. Everything it reads is from one moment, that of its first read or of the options (TX-3).
    func beginTransaction(
        _ options: TransactionMode, context: RequestContext
    ) async throws(FirestoreError) -> TransactionID

    /// Gives a transaction up; the answers are those of TX-7.
    func rollback(_ transaction: TransactionID, context: RequestContext) async throws(FirestoreError)

    /// Starts telling `sink` about a target. The sink gets the initial state, then every change in commit order,
    /// nothing missed and nothing twice, until the handle is cancelled.
    func watch(_ target: WatchTarget, context: RequestContext, sink: any WatchSink) -> any WatchHandle

    /// Calls `body`, on the thread that tells this caller's watches, whenever all of them that a commit concerns have been
    /// told, and when one that starts has got its first state. Until the handle is cancelled.
    func watchRounds(context: RequestContext, _ body: @escaping @Sendable () -> Void) -> any WatchHandle

    /// Ends every watch, finishes what was submitted, closes files. Later calls fail with `failedPrecondition`.
    func shutdown() async
}

extension DocumentService {
    /// Hands a commit over that belongs to no transaction.
    package func submit(
        _ writes: [Write], context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        submit(writes, in: nil, context: context, completion: completion)
    }

    /// The latest state of documents.
    package func documents(
        _ keys: [DocumentKey], context: RequestContext
    ) async throws(FirestoreError) -> LookupResponse {
        try await documents(keys, at: .latest, context: context)
    }

    /// The latest result of a query.
    package func run(
        _ query: StructuredQuery, context: RequestContext
    ) async throws(FirestoreError) -> QueryResponse {
        try await run(query, at: .latest, context: context)
    }

    /// Commits and waits until it is durable.
    package func commit(
        _ writes: [Write], in transaction: TransactionID? = nil, context: RequestContext
    ) async throws(FirestoreError) -> CommitResponse {
        let result = await withCheckedContinuation { continuation in
            submit(writes, in: transaction, context: context) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }
}

/// When what is read was true (QR-47: one of these, never two).
package enum ReadMoment: Sendable, Hashable {
    /// Everything acknowledged before (QR-49).
    case latest
    /// As it was after the last commit at or before this time, within the retention window (QR-48).
    case past(DocumentVersion)
    /// In a transaction, which remembers what was read.
    case transaction(TransactionID)
}

/// Names a transaction of one service, until it has ended.
package struct TransactionID: Sendable, Hashable {
    package let number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// What a transaction may do (TX-1).
package enum TransactionMode: Sendable, Hashable {
    /// `retrying`: the transaction this is another attempt of.
    case readWrite(retrying: TransactionID?)
    /// Never fails for contention; refuses writes (TX-6). nil: the moment of the first read.
    case readOnly(at: DocumentVersion?)
}

package struct CommitResponse: Sendable {
    package var commitTime: DocumentVersion
    package var results: [WriteResult]

    package init(commitTime: DocumentVersion, results: [WriteResult]) {
        self.commitTime = commitTime
        self.results = results
    }
}

package struct LookupResponse: Sendable {
    package var readTime: DocumentVersion
    /// In the order of the keys.
    package var documents: [Document?]

    package init(readTime: DocumentVersion, documents: [Document?]) {
        self.readTime = readTime
        self.documents = documents
    }
}

package struct QueryResponse: Sendable {
    package var readTime: DocumentVersion
    package var documents: [Document]

    package init(readTime: DocumentVersion, documents: [Document]) {
        self.readTime = readTime
        self.documents = documents
    }
}

package enum WatchTarget: Sendable, Hashable {
    case document(DocumentKey)
    case query(StructuredQuery)
}

/// Told about a target by one thread at a time, in commit order.
package protocol WatchSink: Sendable {
    /// Must be quick: fold the batch into a view, schedule the delivery elsewhere, return.
    func receive(_ batch: WatchBatch)
    /// The target failed; nothing follows.
    func fail(_ error: FirestoreError)
}

/// All a commit (or the initial read) means for one target. Whoever has applied it has a complete state at `readTime`.
package struct WatchBatch: Sendable {
    package enum Change: Sendable {
        /// The document matches the target and is new or different.
        case update(Document)
        /// The document does not match any more, or is gone.
        case remove(DocumentKey)
    }

    package var readTime: DocumentVersion
    /// Forget everything known: `changes` is the whole state. True for the first batch.
    package var isReset: Bool
    package var changes: [Change]

    package init(readTime: DocumentVersion, isReset: Bool, changes: [Change]) {
        self.readTime = readTime
        self.isReset = isReset
        self.changes = changes
    }
}

package protocol WatchHandle: AnyObject, Sendable {
    /// Idempotent. A batch already on its way may still arrive.
    func cancel()
}
