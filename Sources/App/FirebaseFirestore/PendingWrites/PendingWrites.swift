// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The queue of writes that wait for the server: the current user's, oldest first.
///
/// ```swift
/// for try await writes in db.pendingWrites {
///     badge = writes.isEmpty ? "Saved" : "\(writes.count) changes to upload"
/// }
/// ```
/// As a sequence it gives the queue now and after every change; a slow loop misses intermediate states, nothing
/// accumulates. The queue of the embedded database, and of a database without a cache, is always empty: there the
/// sequence gives one empty array and ends.
///
/// Beyond the Apple SDK.
public struct PendingWrites: AsyncSequence, Sendable {
    /// The queue at one moment.
    public typealias Element = [PendingWrite]
    /// The error of reading the queue.
    public typealias Failure = any Error

    let firestore: Firestore

    /// The queue now.
    public nonisolated(nonsending) func current() async throws -> [PendingWrite] { try await list() }

    /// The number of writes in this cache that wait for another user than the current one.
    ///
    /// Writes that were made while no user was signed in belong to another user once a user is signed in. Such writes appear in no
    /// snapshot of the current user and are not sent in that user's name: each is sent when its own user is signed in again, or, if it has
    /// none, when no user is signed in. The log mentions them once. With `settings.cacheIsPerUser` every user has a cache, and the number
    /// is 0.
    public nonisolated(nonsending) func countOfOtherUsers() async throws -> Int {
        try await firestore.inOptionalQueue { (queue) throws(FirestoreError) in try await queue?.countOfOtherUsers() ?? 0 }
    }

    /// Removes a write and its effect from the queue. Its callers get the error `cancelled`.
    ///
    /// Throws `notFound` if the write is not in the queue, and `failedPrecondition` once it is in flight to the server,
    /// which may already have applied it.
    public nonisolated(nonsending) func cancel(_ id: WriteReceipt.ID) async throws {
        try await firestore.inQueue { (queue) throws(FirestoreError) in try await queue.cancel(queue.number(of: id)) }
    }

    /// Connects and sends now, without waiting for the next attempt.
    ///
    /// Has no effect while the network is disabled, without a queue, and if another process that shares the cache is connected to
    /// the server.
    public nonisolated(nonsending) func retryNow() async throws {
        try await firestore.inOptionalQueue { (queue) throws(FirestoreError) in try await queue?.retryNow() }
    }

    /// Observes the queue.
    public func makeAsyncIterator() -> Iterator {
        let writes = self
        return Iterator(changes: QueueChanges(of: firestore) { try await writes.list() })
    }

    /// The iterator of a loop over the pending writes. Destroying it ends the observation.
    public struct Iterator: AsyncIteratorProtocol {
        let changes: QueueChanges<[PendingWrite]>

        /// The queue after the next change; nil when the task is canceled.
        ///
        /// Throws `failedPrecondition` once the instance is terminated.
        public nonisolated(nonsending) mutating func next() async throws -> [PendingWrite]? { try await changes.next() }
    }

    private func list() async throws -> [PendingWrite] {
        try await firestore.inOptionalQueue { [firestore] (queue) throws(FirestoreError) in
            guard let queue else { return [] }
            return try await queue.pendingWrites().map { PendingWrite($0, of: firestore, in: queue.cacheID) }
        }
    }
}

/// The writes that the server has rejected: the current user's, oldest first, until they are retried or dismissed.
///
/// ```swift
/// for try await failures in db.failedWrites {
///     for failure in failures { report(failure.documents, failure.error) }
/// }
/// ```
/// They survive a restart: the first array that a sequence gives has the failures of earlier runs, too. Empty with
/// `settings.failedWritePolicy = .drop`, for the embedded database, and for a database without a cache.
///
/// Beyond the Apple SDK.
public struct FailedWrites: AsyncSequence, Sendable {
    /// The failed writes at one moment.
    public typealias Element = [FailedWrite]
    /// The error of reading them.
    public typealias Failure = any Error

    let firestore: Firestore

    /// The failed writes now.
    public nonisolated(nonsending) func current() async throws -> [FailedWrite] { try await list() }

    /// Puts a failed write at the end of the queue again, and returns the receipt of the new attempt.
    ///
    /// Throws `notFound` if it is not among the failed writes.
    @discardableResult
    public nonisolated(nonsending) func retry(_ id: WriteReceipt.ID) async throws -> WriteReceipt {
        try await firestore.inQueue { (queue) throws(FirestoreError) in
            let number = try await queue.retryFailed(queue.number(of: id))
            let receipt = WriteReceipt(in: queue)
            receipt.save(WriteReceipt.ID(cache: id.cache, number: number))
            await receipt.follow()
            return receipt
        }
    }

    /// Forgets a failed write. With `settings.failedWritePolicy = .hold` the writes behind it are sent now.
    ///
    /// Throws `notFound` if it is not among the failed writes.
    public nonisolated(nonsending) func dismiss(_ id: WriteReceipt.ID) async throws {
        try await firestore.inQueue { (queue) throws(FirestoreError) in try await queue.dismissFailed(queue.number(of: id)) }
    }

    /// Observes the failed writes.
    public func makeAsyncIterator() -> Iterator {
        let writes = self
        return Iterator(changes: QueueChanges(of: firestore) { try await writes.list() })
    }

    /// The iterator of a loop over the failed writes. Destroying it ends the observation.
    public struct Iterator: AsyncIteratorProtocol {
        let changes: QueueChanges<[FailedWrite]>

        /// The failed writes after the next change; nil when the task is canceled.
        ///
        /// Throws `failedPrecondition` once the instance is terminated.
        public nonisolated(nonsending) mutating func next() async throws -> [FailedWrite]? { try await changes.next() }
    }

    private func list() async throws -> [FailedWrite] {
        try await firestore.inOptionalQueue { [firestore] (queue) throws(FirestoreError) in
            guard let queue else { return [] }
            return try await queue.failedWrites().map { FailedWrite($0, of: firestore, in: queue.cacheID) }
        }
    }
}

@available(*, unavailable)
extension PendingWrites.Iterator: Sendable {}

@available(*, unavailable)
extension FailedWrites.Iterator: Sendable {}

extension WriteQueueAdministration {
    /// The number of a write of this cache.
    func number(of id: WriteReceipt.ID) throws(FirestoreError) -> Int64 {
        guard id.cache == cacheID else {
            throw FirestoreError(.notFound, "the write is not in this cache: its id belongs to another one", at: "\(id)")
        }
        return id.number
    }
}
