/// What a Firestore server can do. The embedded engine, a remote server and fault-injecting doubles conform.
///
/// Guarantees every conformer keeps:
/// - **Order.** Commits submitted by one caller are applied in the order of the `submit` calls. (On a server that locks what
///   transactions read, commits of transactions may go ahead of others: those may be waiting for them.)
/// - **Read your writes.** A read or watch started after `submit` returned sees that commit, finished or not.
package protocol DocumentService: Sendable {
    /// Hands a commit over and returns; `completion` is called exactly once, on a thread of the service: those of one
    /// caller one after the other, in the order of the calls.
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

    /// The latest state of a few documents right now, on the calling thread; nil where that would mean to wait: then ask
    /// `documents`. Takes microseconds, or the time of a page read from the disk.
    func documentsNow(_ keys: [DocumentKey], context: RequestContext) throws(FirestoreError) -> LookupResponse?

    func run(
        _ query: StructuredQuery, at moment: ReadMoment, context: RequestContext
    ) async throws(FirestoreError) -> QueryResponse

    /// The same in pages, all from one moment: `page` gets each, in order, and is waited for before more is read, so that
    /// no more than a page or two is in memory however long the result. An empty result is one empty page. `.stop` ends it.
    func run(
        _ query: StructuredQuery, at moment: ReadMoment, context: RequestContext,
        page: @Sendable (QueryResponse) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError)

    /// Ids of the collections right below a document (nil: of the root), sorted, those that lie below missing documents
    /// included (DM-12): at most `limit`, beginning behind `after`.
    func collectionIDs(
        under parent: DocumentKey?, after: String?, limit: Int, at moment: ReadMoment, context: RequestContext
    ) async throws(FirestoreError) -> CollectionIDsResponse

    /// Documents of a collection in `__name__` order, and among them those that are missing but have something below them
    /// (DM-11): at most `limit`, beginning behind `after`.
    func documentKeys(
        in collection: CollectionPath, after: DocumentKey?, limit: Int, at moment: ReadMoment, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse

    /// At most `count` keys, in order, that cut the result of a collection group query by `__name__` into parts of about
    /// the same size (QR-70).
    func partitions(
        of query: StructuredQuery, count: Int, at moment: ReadMoment, context: RequestContext
    ) async throws(FirestoreError) -> DocumentKeysResponse

    /// Aggregates over the result of a query (QR-62 … QR-69).
    func aggregate(
        _ query: StructuredQuery, _ aggregations: [Aggregation], at moment: ReadMoment, context: RequestContext
    ) async throws(FirestoreError) -> AggregationResponse

    /// How a query is answered (QR-71); `analyze` runs it and counts.
    func explain(
        _ query: StructuredQuery, analyze: Bool, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation

    /// How numbers over the result of a query are computed; `analyze` computes them and counts.
    func explain(
        _ query: StructuredQuery, _ aggregations: [Aggregation], analyze: Bool, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation

    /// Opens a transaction. Everything it reads is from one moment, that of its first read or of the options (TX-3).
    func beginTransaction(
        _ options: TransactionMode, context: RequestContext
    ) async throws(FirestoreError) -> TransactionID

    /// Gives a transaction up; the answers are those of TX-7.
    func rollback(_ transaction: TransactionID, context: RequestContext) async throws(FirestoreError)

    /// Starts telling `sink` about a target. The sink gets the initial state, or what has changed since the state it
    /// knows, then every change in commit order, nothing missed and nothing twice, until the handle is cancelled.
    func watch(
        _ target: WatchTarget, from resumption: WatchResumption?, context: RequestContext, sink: any WatchSink
    ) -> any WatchHandle

    /// The moment up to which every watch of this caller has been told everything, once those calls have returned.
    func watchTime(context: RequestContext) async throws(FirestoreError) -> DocumentVersion

    /// Calls `body`, on the thread that tells this caller's watches, whenever all of them that a commit concerns have been
    /// told, and when one that starts has got its first state: with the moment up to which every one has been told
    /// everything. (A watch may know more: some later state had to be read for it.) Until the handle is cancelled.
    func watchRounds(context: RequestContext, _ body: @escaping @Sendable (DocumentVersion) -> Void) -> any WatchHandle

    /// Another caller of the same database, with watches, rounds and transactions of its own; its `shutdown` ends those
    /// and nothing else, but for the last caller's.
    func session() throws(FirestoreError) -> any DocumentService

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

    package func documentsNow(
        _ keys: [DocumentKey], context: RequestContext
    ) throws(FirestoreError) -> LookupResponse? { nil }

    /// Explains the query below the numbers. Conformers that can compute the numbers without the documents should override this.
    package func explain(
        _ query: StructuredQuery, _ aggregations: [Aggregation], analyze: Bool, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation {
        var explanation = try await explain(query, analyze: analyze, context: context)
        // One row of numbers is what comes back.
        explanation.statistics?.results = 1
        return explanation
    }

    /// All in one page; who can keep less in memory does better.
    package func run(
        _ query: StructuredQuery, at moment: ReadMoment, context: RequestContext,
        page: @Sendable (QueryResponse) async throws(FirestoreError) -> ScanStep
    ) async throws(FirestoreError) {
        _ = try await page(try await run(query, at: moment, context: context))
    }

    /// Watches a target from its initial state.
    package func watch(_ target: WatchTarget, context: RequestContext, sink: any WatchSink) -> any WatchHandle {
        watch(target, from: nil, context: context, sink: sink)
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

package struct CollectionIDsResponse: Sendable {
    package var readTime: DocumentVersion
    package var ids: [String]

    package init(readTime: DocumentVersion, ids: [String]) {
        self.readTime = readTime
        self.ids = ids
    }
}

package struct DocumentKeysResponse: Sendable {
    package var readTime: DocumentVersion
    package var keys: [DocumentKey]

    package init(readTime: DocumentVersion, keys: [DocumentKey]) {
        self.readTime = readTime
        self.keys = keys
    }
}

/// The state of a target that somebody knows already (LS-4, LS-5).
package struct WatchResumption: Sendable, Hashable {
    /// The state as of this time.
    package var time: DocumentVersion
    /// They can compare keys: wanted are those of the whole result, and where removals are not known any more, the
    /// comparison will do (`WatchBatch.Basis.partial`).
    package var wantsKeys: Bool

    package init(time: DocumentVersion, wantsKeys: Bool = false) {
        self.time = time
        self.wantsKeys = wantsKeys
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

    /// What the changes are to be applied to.
    package enum Basis: Sendable {
        /// Nothing: forget everything known, this is the whole state. The first batch, but for resumed watches.
        case nothing
        /// The state of the batch before, or the one resumed from.
        case known
        /// The state resumed from, which lies too far back for its removals to be known: what is not in `keys` is gone.
        case partial
    }

    package var readTime: DocumentVersion
    package var basis: Basis
    package var changes: [Change]
    /// What documents that `changes` removes have become, those that still exist: they left by changing, or others took
    /// their places. A removed one that is not here is deleted (LS-14, LS-15).
    package var departed: [Document]
    /// The keys of the whole result, in the first batch of a watch that was resumed and asked for them.
    package var keys: [DocumentKey]?

    /// Forget everything known: `changes` is the whole state.
    package var isReset: Bool { basis == .nothing }

    package init(
        readTime: DocumentVersion, basis: Basis, changes: [Change], departed: [Document] = [], keys: [DocumentKey]? = nil
    ) {
        self.readTime = readTime
        self.basis = basis
        self.changes = changes
        self.departed = departed
        self.keys = keys
    }

    package init(readTime: DocumentVersion, isReset: Bool, changes: [Change]) {
        self.init(readTime: readTime, basis: isReset ? .nothing : .known, changes: changes)
    }
}

package protocol WatchHandle: AnyObject, Sendable {
    /// Idempotent. A batch already on its way may still arrive.
    func cancel()
}
