public import FirebaseFirestore

extension TestFirestore {
    /// The next snapshot of a query, as soon as it comes.
    ///
    /// The first call for a query starts a listener and gives the present result; each further call gives the snapshot
    /// after the one before, so that no change is missed between two calls. With a condition, snapshots that do not meet
    /// it are passed over: the way to wait for a state, however many changes it takes.
    /// - Parameters:
    ///   - timeout: How long to wait for it; the call returns as soon as there is a snapshot.
    ///   - condition: What the snapshot must be like.
    /// - Throws: `deadlineExceeded` when the time is over; what the listener fails with; `CancellationError`.
    @discardableResult
    public nonisolated(nonsending) func nextSnapshot(
        of query: Query, within timeout: Duration = .seconds(10), where condition: (QuerySnapshot) throws -> Bool = { _ in true }
    ) async throws -> QuerySnapshot {
        let stream = followed.stream(of: query) { queue, receive in query.follow(on: queue, receive) }
        return try await stream.next(of: query.description, within: timeout, where: condition)
    }

    /// The next snapshot of a document, as soon as it comes.
    ///
    /// The first call for a document starts a listener and gives the present state, of a document that does not exist
    /// too; each further call gives the snapshot after the one before. Everything else is as for queries.
    /// - Parameters:
    ///   - timeout: How long to wait for it; the call returns as soon as there is a snapshot.
    ///   - condition: What the snapshot must be like.
    /// - Throws: `deadlineExceeded` when the time is over; what the listener fails with; `CancellationError`.
    @discardableResult
    public nonisolated(nonsending) func nextSnapshot(
        of document: DocumentReference, within timeout: Duration = .seconds(10),
        where condition: (DocumentSnapshot) throws -> Bool = { _ in true }
    ) async throws -> DocumentSnapshot {
        let stream = followed.stream(of: document) { queue, receive in document.follow(on: queue, receive) }
        return try await stream.next(of: document.path, within: timeout, where: condition)
    }
}
