// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension SyncClient {
    package var queue: (any WriteQueueAdministration)? { SyncWriteQueue(self) }
}

/// The queue of a client, for inspection and repair.
private struct SyncWriteQueue: WriteQueueAdministration {
    private let client: SyncClient

    init(_ client: SyncClient) { self.client = client }

    var cacheID: UInt64 { client.cacheID }

    func pendingWrites() async throws(FirestoreError) -> [QueuedWrite] {
        try await client.onStore { (engine) throws(FirestoreError) in
            let (isHeld, sent) = (engine.isQueueHeld, engine.sentBatches)
            let waiting = Set(engine.users.hold.batches)
            return try engine.store.pendingBatches().map { batch in
                QueuedWrite(
                    id: batch.id, writes: batch.writes, localWriteTime: batch.time, attempts: batch.attempts, lastError: batch.error,
                    byteCount: batch.bytes,
                    stage: sent.contains(batch.id) ? .sent : waiting.contains(batch.id) ? .signingIn : isHeld ? .held : .queued)
            }
        }
    }

    func failedWrites() async throws(FirestoreError) -> [RejectedWrite] {
        try await client.onStore { (engine) throws(FirestoreError) in
            try engine.store.failedBatches().map {
                RejectedWrite(id: $0.id, writes: $0.writes, error: $0.error ?? FirestoreError(.unknown, ""), failedAt: $0.time)
            }
        }
    }

    func countOfOtherUsers() async throws(FirestoreError) -> Int {
        try await client.onStore { (engine) throws(FirestoreError) in try engine.store.queuesOfOthers().reduce(0) { $0 + $1.count } }
    }

    func observeWrites(_ body: @escaping @Sendable () -> Void) -> any ListenHandle { client.observers.observe(.queue, body) }

    func observeOffline(_ body: @escaping @Sendable (_ isOffline: Bool) -> Void) -> any ListenHandle {
        client.observers.observeOffline(body)
    }

    func state(of id: Int64, in cache: UInt64) async throws(FirestoreError) -> QueuedWriteState? {
        try await client.onStore { (engine) throws(FirestoreError) in
            guard engine.store.cacheID == cache else {
                throw FirestoreError(
                    .failedPrecondition,
                    "write \(id) is in the cache of another user, which is not open; look for it when that user is signed in")
            }
            return engine.isSent(id) ? .sent : try engine.store.receiptState(of: id)
        }
    }

    func cancel(_ id: Int64) async throws(FirestoreError) {
        try await client.onEngine { engine, completion in engine.cancel(id, completion: completion) }
    }

    func retryNow() async throws(FirestoreError) {
        try await client.onStore { (engine) throws(FirestoreError) in engine.retryNow() }
    }

    func retryFailed(_ id: Int64) async throws(FirestoreError) -> Int64 {
        try await client.onStore { (engine) throws(FirestoreError) in try engine.retryFailed(id) }
    }

    func dismissFailed(_ id: Int64) async throws(FirestoreError) {
        try await client.onStore { (engine) throws(FirestoreError) in try engine.dismissFailed(id) }
    }
}
