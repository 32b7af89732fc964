/// What a Firestore server can do. The embedded engine, a remote server and fault-injecting doubles conform.
///
/// Guarantees every conformer keeps:
/// - **Order.** Commits submitted by one caller are applied in the order of the `submit` calls.
/// - **Read your writes.** A read or watch started after `submit` returned sees that commit, finished or not.
package protocol DocumentService: Sendable {
    /// Hands a commit over and returns; `completion` is called exactly once, on a thread of the service.
    ///
    /// Returns before the commit is durable. When too much is waiting the call blocks until there is room
    /// (bounded queue, policy: wait), so it must not be made from the service's own callbacks.
    func submit(
        _ writes: [Write], context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void)

    /// Documents by key, nil where missing, all from one moment.
    func documents(_ keys: [DocumentKey], context: RequestContext) async throws(FirestoreError) -> LookupResponse

    func run(_ query: StructuredQuery, context: RequestContext) async throws(FirestoreError) -> QueryResponse

    /// Starts telling `sink` about a target. The sink gets the initial state, then every change in commit order,
    /// nothing missed and nothing twice, until the handle is cancelled.
    func watch(_ target: WatchTarget, context: RequestContext, sink: any WatchSink) -> any WatchHandle

    /// Ends every watch, finishes what was submitted, closes files. Later calls fail with `failedPrecondition`.
    func shutdown() async
}

extension DocumentService {
    /// Commits and waits until it is durable.
    package func commit(
        _ writes: [Write], context: RequestContext
    ) async throws(FirestoreError) -> CommitResponse {
        let result = await withCheckedContinuation { continuation in
            submit(writes, context: context) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }
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
