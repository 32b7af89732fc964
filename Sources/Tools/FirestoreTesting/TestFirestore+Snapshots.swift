// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore

extension TestFirestore {
    /// Waits for the next snapshot of a query and returns it.
    ///
    /// The first call for a query starts a listener and returns the current result; each further call returns the
    /// snapshot after the previous one, so that no change is missed between two calls. With a condition, snapshots that
    /// do not meet it are skipped: use it to wait for a state, however many changes it takes.
    ///
    /// - Parameters:
    ///   - timeout: The maximum time to wait; the call returns as soon as there is a snapshot.
    ///   - condition: The condition that the snapshot must meet.
    /// - Throws: `deadlineExceeded` after the timeout; the error of the listener; `CancellationError`.
    @discardableResult
    public nonisolated(nonsending) func nextSnapshot(
        of query: Query, within timeout: Duration = .seconds(10), where condition: (QuerySnapshot) throws -> Bool = { _ in true }
    ) async throws -> QuerySnapshot {
        let stream = followed.stream(of: query) { queue, receive in query.follow(on: queue, receive) }
        return try await stream.next(of: query.description, within: timeout, where: condition)
    }

    /// Waits for the next snapshot of a document and returns it.
    ///
    /// The first call for a document starts a listener and returns the current state, also of a document that does not
    /// exist; each further call returns the snapshot after the previous one. Otherwise like the method for queries.
    ///
    /// - Parameters:
    ///   - timeout: The maximum time to wait; the call returns as soon as there is a snapshot.
    ///   - condition: The condition that the snapshot must meet.
    /// - Throws: `deadlineExceeded` after the timeout; the error of the listener; `CancellationError`.
    @discardableResult
    public nonisolated(nonsending) func nextSnapshot(
        of document: DocumentReference, within timeout: Duration = .seconds(10),
        where condition: (DocumentSnapshot) throws -> Bool = { _ in true }
    ) async throws -> DocumentSnapshot {
        let stream = followed.stream(of: document) { queue, receive in document.follow(on: queue, receive) }
        return try await stream.next(of: document.path, within: timeout, where: condition)
    }
}
