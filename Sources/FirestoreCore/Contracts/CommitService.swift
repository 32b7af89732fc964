// SPDX-License-Identifier: Apache-2.0

/// The role of a service that applies writes.
package protocol CommitService: Sendable {
    /// Hands a commit over and returns; `completion` is called exactly once, on a thread of the service: those of one
    /// caller one after the other, in the order of the calls.
    ///
    /// With a transaction the commit fails with `aborted` unless everything the transaction has read, documents and
    /// query results, is still the same; either way the transaction is over (TX-9). Returns before the commit is durable.
    /// When too much is waiting the call blocks until there is room (bounded queue, policy: wait), so it must not be made
    /// from the service's own callbacks.
    func submit(
        _ writes: [Write], options: CommitOptions, context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void)
}

extension CommitService {
    /// Hands over the commit of a transaction, or one that belongs to nothing else.
    package func submit(
        _ writes: [Write], in transaction: TransactionID? = nil, context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        submit(writes, options: CommitOptions(transaction: transaction), context: context, completion: completion)
    }

    /// Commits and waits until the commit is durable.
    package func commit(
        _ writes: [Write], in transaction: TransactionID? = nil, context: RequestContext
    ) async throws(FirestoreError) -> CommitResponse {
        let result = await withCheckedContinuation { continuation in
            submit(writes, in: transaction, context: context) { continuation.resume(returning: $0) }
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
