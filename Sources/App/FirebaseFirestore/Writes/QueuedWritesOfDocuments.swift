// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension WriteQueueAdministration {
    /// Returns when no queued write concerns one of the documents: a condition on the server's state means nothing while this
    /// client's own writes are in flight (MP-78).
    ///
    /// Throws `unavailable` while offline, `failedPrecondition` if a failed write holds the queue, and `cancelled`.
    func waitForWrites(of keys: Set<DocumentKey>) async throws(FirestoreError) {
        guard try await hasWrites(of: keys) else { return }
        let isOffline = Mutex(false)
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let handles = [
            observeWrites { continuation.yield() },
            observeOffline { now in
                isOffline.withLock { $0 = now }
                continuation.yield()
            },
        ]
        defer { for handle in handles { handle.remove() } }
        var iterator = changes.makeAsyncIterator()
        while try await hasWrites(of: keys) {
            if isOffline.withLock({ $0 }) {
                throw FirestoreError(
                    .unavailable,
                    "the client is offline, and the document has writes that the server has not acknowledged; a write with a condition "
                        + "needs the server",
                    at: keys.first?.path)
            }
            guard await iterator.next() != nil else {
                throw FirestoreError(.cancelled, "the write was canceled before it was sent", at: keys.first?.path)
            }
        }
    }

    private func hasWrites(of keys: Set<DocumentKey>) async throws(FirestoreError) -> Bool {
        let queued = try await pendingWrites().filter { $0.writes.contains { keys.contains($0.key) } }
        if queued.contains(where: { $0.stage == .held }) {
            throw FirestoreError(
                .failedPrecondition, "an earlier failed write blocks this document; retry or dismiss it in failedWrites first",
                at: keys.first?.path)
        }
        return !queued.isEmpty
    }
}

extension ClientBackend {
    /// Commits writes with conditions: the authority decides immediately, past the queue (MP-78).
    func commitPastQueue(
        _ writes: [Write], completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        guard let queue else { return commit(writes, in: nil, completion: completion) }
        Task {
            do throws(FirestoreError) {
                try await queue.waitForWrites(of: Set(writes.map(\.key)))
            } catch {
                return completion(.failure(error))
            }
            commit(writes, in: nil, completion: completion)
        }
    }

    func commitPastQueue(_ writes: [Write]) async throws(FirestoreError) {
        try await queue?.waitForWrites(of: Set(writes.map(\.key)))
        let result = await withCheckedContinuation { continuation in
            commit(writes, in: nil) { continuation.resume(returning: $0) }
        }
        _ = try result.get()
    }

    /// The authority's document, without queued writes: those are waited for.
    func documentPastQueue(_ key: DocumentKey) async throws(FirestoreError) -> Document? {
        try await queue?.waitForWrites(of: [key])
        guard let authority = try authority(for: "an update with a condition") else {
            return try await documents([key], from: .server).documents.first ?? nil
        }
        return try await authority.service.documents([key], context: authority.context).documents.first ?? nil
    }
}

extension Firestore {
    /// The service that decides, past a cache and its queue.
    package func authority(for operation: String) throws(FirestoreError) -> ClientAuthority {
        guard let authority = try backend().authority(for: operation) else {
            throw FirestoreError(.unimplemented, "\(operation) needs a database behind the client")
        }
        return authority
    }
}
