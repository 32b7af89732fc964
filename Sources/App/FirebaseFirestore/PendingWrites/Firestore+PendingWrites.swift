// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Firestore {
    /// The queue of writes that wait for the server.
    ///
    /// Beyond the Apple SDK.
    public var pendingWrites: PendingWrites { PendingWrites(firestore: self) }

    /// The writes that the server has rejected.
    ///
    /// Beyond the Apple SDK.
    public var failedWrites: FailedWrites { FailedWrites(firestore: self) }

    /// The receipt of a write of this or of an earlier run of the process.
    ///
    /// Returns nil if the id belongs to another cache, if the write was canceled, or if its failure was dismissed, retried, or is
    /// older than 30 days; always for the embedded database and without a cache.
    ///
    /// Beyond the Apple SDK.
    public nonisolated(nonsending) func receipt(_ id: WriteReceipt.ID) async throws -> WriteReceipt? {
        try await inOptionalQueue { (queue) throws(FirestoreError) in
            guard let queue, queue.cacheID == id.cache, try await queue.state(of: id.number, in: id.cache) != nil else { return nil }
            let receipt = WriteReceipt(in: queue)
            receipt.save(id)
            await receipt.follow()
            return receipt
        }
    }

    /// Runs an operation on the queue, which a database without a cache does not have.
    func inOptionalQueue<Value: Sendable>(
        _ body: @Sendable ((any WriteQueueAdministration)?) async throws(FirestoreError) -> Value
    ) async throws -> Value {
        do throws(FirestoreError) {
            return try await body(try backend().queue)
        } catch {
            throw error.publicError
        }
    }

    /// Runs an operation on the queue of writes; fails with `notFound` where there is no queue.
    func inQueue<Value: Sendable>(
        _ body: @Sendable (any WriteQueueAdministration) async throws(FirestoreError) -> Value
    ) async throws -> Value {
        try await inOptionalQueue { (queue) throws(FirestoreError) in
            guard let queue else {
                throw FirestoreError(.notFound, "the write was not found: this database has no cache, and therefore no queue of writes")
            }
            return try await body(queue)
        }
    }
}
