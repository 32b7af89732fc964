// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import FirestoreWire

/// The writes of one call that wait, or that were rejected.
package struct InspectedBatch: Sendable {
    package let id: BatchID
    package let user: SyncUser
    package let writes: [Write]
    package let isFailed: Bool
    /// When the call was made, or rejected, in microseconds since 1970.
    package let time: Int64
    package let attempts: Int
    /// Of the last attempt, or of the rejection.
    package let error: FirestoreError?
    package let bytes: Int
}

extension CacheRows {
    /// The batches of a user that wait, or of all users, oldest first.
    func pendingBatches(of user: SyncUser? = nil) throws(FirestoreError) -> [InspectedBatch] {
        try source.all(
            """
            SELECT \(batchColumns), length(writes), attempts, last_code, last_text
            FROM batches WHERE ?1 IS NULL OR user = ?1 ORDER BY id
            """, user
        ) { (row) throws(FirestoreError) in
            let batch = try batch(in: row)
            return InspectedBatch(
                id: batch.id, user: batch.user, writes: batch.writes, isFailed: false, time: batch.localWriteTime,
                attempts: Int(row.integer(7)), error: row.isNull(8) ? nil : FirestoreError(storedCode: row.integer(8), text: row.blob(9)),
                bytes: Int(row.integer(6)))
        }
    }
}

extension StatementSource {
    /// The batches of a user that were rejected and not dismissed, or of all users, oldest first.
    func failedBatches(of user: SyncUser? = nil) throws(FirestoreError) -> [InspectedBatch] {
        try all(
            """
            SELECT id, user, failed_at, code, text, writes FROM failed_batches
            WHERE (?1 IS NULL OR user = ?1) AND dismissed = 0 ORDER BY id
            """, user
        ) { (row) throws(FirestoreError) in
            guard let user = row.blob(1).flatMap({ SyncUser(stored: $0) }), let bytes = row.blob(5) else {
                throw damaged("rejected write \(row.integer(0))")
            }
            return InspectedBatch(
                id: row.integer(0), user: user, writes: try CommitRequest(decoding: ByteSlice(copying: bytes)).writes, isFailed: true,
                time: row.integer(2), attempts: 0, error: FirestoreError(storedCode: row.integer(3), text: row.blob(4)), bytes: bytes.count)
        }
    }
}
