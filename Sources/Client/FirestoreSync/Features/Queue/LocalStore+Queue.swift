// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreStorage
import FirestoreWire

/// A batch of the queue as people look at it (SY-D22).
package struct QueuedBatch: Sendable {
    package let id: BatchID
    package let writes: [Write]
    /// When the call was made, in microseconds since 1970.
    package let localWriteTime: Int64
    package let attempts: Int
    package let lastError: FirestoreError?
    /// The size of its writes.
    package let bytes: Int
}

/// A batch that the authority rejected (SY-D23).
package struct FailedBatch: Sendable {
    package let id: BatchID
    package let writes: [Write]
    /// When it was rejected, in microseconds since 1970.
    package let failedAt: Int64
    package let error: FirestoreError
}

/// The state of a batch, for its receipt.
package enum ReceiptState: Sendable {
    /// It waits, behind `position` others of its user.
    case queued(position: Int)
    case acknowledged
    case rejected(FirestoreError)
    /// No such batch was ever queued, or it was canceled or dismissed, or rejected too long ago.
    case unknown
}

extension LocalStore {
    /// The queue of the current user, oldest first.
    package func pendingBatches() throws(FirestoreError) -> [QueuedBatch] {
        try read(.inspectQueue) { (snapshot, rows) throws(FirestoreError) in
            let row = try snapshot.statement(
                """
                SELECT \(rows.batchColumns), length(writes), attempts, last_code, last_text
                FROM batches WHERE user = ?1 ORDER BY id
                """)
            defer { row.reset() }
            row.bind(1, copying: user.stored)
            var result: [QueuedBatch] = []
            while try row.step() {
                let batch = try rows.batch(in: row)
                let error = row.isNull(8) ? nil : FirestoreError(storedCode: row.integer(8), text: row.blob(9))
                result.append(
                    QueuedBatch(
                        id: batch.id, writes: batch.writes, localWriteTime: batch.localWriteTime, attempts: Int(row.integer(7)),
                        lastError: error, bytes: Int(row.integer(6))))
            }
            return result
        }
    }

    /// The rejected batches of the current user that were not dismissed, oldest first.
    package func failedBatches() throws(FirestoreError) -> [FailedBatch] {
        try read(.inspectQueue) { (snapshot, _) throws(FirestoreError) in
            let row = try snapshot.statement(
                "SELECT id, failed_at, code, text, writes FROM failed_batches WHERE user = ?1 AND dismissed = 0 ORDER BY id")
            defer { row.reset() }
            row.bind(1, copying: user.stored)
            var result: [FailedBatch] = []
            while try row.step() {
                guard let bytes = row.blob(4) else { throw snapshot.damaged("a rejected write") }
                let writes = try CommitRequest(decoding: ByteSlice(copying: bytes)).writes
                result.append(
                    FailedBatch(
                        id: row.integer(0), writes: writes, failedAt: row.integer(1),
                        error: FirestoreError(storedCode: row.integer(2), text: row.blob(3))))
            }
            return result
        }
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

    /// The state of a batch, for its receipt. Rejections are remembered for 30 days.
    package func receiptState(of id: BatchID) throws(FirestoreError) -> ReceiptState {
        try read(.inspectQueue) { (snapshot, _) throws(FirestoreError) in
            let queued = try snapshot.statement(
                """
                SELECT (SELECT count(*) FROM batches AS o WHERE o.user = b.user AND o.id < b.id) FROM batches AS b WHERE b.id = ?1
                """)
            defer { queued.reset() }
            queued.bind(1, id)
            if try queued.step() { return .queued(position: Int(queued.integer(0))) }
            let failed = try snapshot.statement("SELECT code, text, dismissed FROM failed_batches WHERE id = ?1")
            defer { failed.reset() }
            failed.bind(1, id)
            if try failed.step() {
                if failed.integer(2) == FailedBatchFate.forgotten.rawValue { return .unknown }
                return .rejected(FirestoreError(storedCode: failed.integer(0), text: failed.blob(1)))
            }
            return id > 0 && id <= meta.highestBatch ? .acknowledged : .unknown
        }
    }
}
