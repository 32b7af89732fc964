// SPDX-License-Identifier: Apache-2.0

/// The role of a service that applies writes.
package protocol CommitService: Sendable {
    /// Submits a commit and returns; `completion` is called exactly once, on a thread of the service. The completions of one
    /// caller are called one after the other, in the order of the calls.
    ///
    /// With a transaction, the commit fails with `aborted` unless everything the transaction has read, documents and query
    /// results, is unchanged; in either case the transaction ends (TX-9). Returns before the commit is durable. When too
    /// many commits are pending, the call blocks until there is room (back-pressure), so do not call it from the service's
    /// own callbacks.
    func submit(
        _ writes: [Write], options: CommitOptions, context: RequestContext,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void)
}

extension CommitService {
    /// Submits the commit of a transaction, or a separate commit.
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
