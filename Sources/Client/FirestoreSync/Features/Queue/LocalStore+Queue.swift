// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

/// The queue and the failed writes as people look at them (SY-D22, SY-D23).
extension LocalStore {
    /// The queue of the current user, oldest first.
    package func pendingBatches() throws(FirestoreError) -> [InspectedBatch] {
        try read(.inspectQueue) { (_, rows) throws(FirestoreError) in try rows.pendingBatches(of: user) }
    }

    /// The rejected batches of the current user that were not dismissed, oldest first.
    package func failedBatches() throws(FirestoreError) -> [InspectedBatch] {
        try read(.inspectQueue) { (snapshot, _) throws(FirestoreError) in try snapshot.failedBatches(of: user) }
    }

    /// The writes of a rejected batch of this process's user; nil if it is no longer retained.
    package func failedWrites(_ id: BatchID) throws(FirestoreError) -> [Write]? {
        try read(.inspectQueue) { (snapshot, _) throws(FirestoreError) in try snapshot.failedWrites(id, of: ownUser) }
    }

    /// Puts the writes of a rejected batch at the end of the queue and forgets them there, in one transaction: after a crash they are in
    /// one of the two. nil if they are no longer retained, or not of this process's user.
    package func retryFailed(_ id: BatchID) throws(FirestoreError) -> LocalWriteResult? {
        try perform(.writeLocally) { (cache) throws(FirestoreError) in
            try cache.admitWrite(of: ownUser)
            guard let writes = try cache.sql.failedWrites(id, of: ownUser) else { return nil }
            try cache.dismissFailed(id)
            return try cache.write(writes)
        }
    }

    /// Forgets a rejected batch, of any user.
    package func dismissFailed(_ id: BatchID) throws(FirestoreError) {
        try perform(.inspectQueue) { (cache) throws(FirestoreError) in
            try cache.note(.other)
            try cache.dismissFailed(id)
        }
    }

    /// The state of a batch, for its receipt: never `sent`. Rejections are remembered for 30 days. nil: no such batch was ever queued, or
    /// it was canceled or dismissed, or rejected too long ago.
    package func receiptState(of id: BatchID) throws(FirestoreError) -> QueuedWriteState? {
        try read(.inspectQueue) { (snapshot, _) throws(FirestoreError) in
            let position = try snapshot.first(
                """
                SELECT (SELECT count(*) FROM batches AS o WHERE o.user = b.user AND o.id < b.id) FROM batches AS b WHERE b.id = ?1
                """, id
            ) { Int($0.integer(0)) }
            if let position { return .queued(position: position) }
            let failure = try snapshot.first("SELECT code, text, dismissed FROM failed_batches WHERE id = ?1", id) { row in
                row.integer(2) == FailedBatchFate.forgotten.rawValue
                    ? nil : FirestoreError(storedCode: row.integer(0), text: row.blob(1))
            }
            if let failure { return failure.map { .rejected($0) } }
            return id > 0 && id <= meta.highestBatch ? .acknowledged : nil
        }
    }
}
