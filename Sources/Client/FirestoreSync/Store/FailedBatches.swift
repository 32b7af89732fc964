// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import FirestoreWire

/// What is stored of a batch that the authority did not apply: the column `dismissed`.
enum FailedBatchFate: Int64 {
    /// Its writes and its error.
    case kept = 0
    /// Its number: a batch without a row was acknowledged.
    case forgotten = 1
    /// Its error.
    case dropped = 2
}

extension StatementSource {
    /// nil: of any user.
    func failedWrites(_ id: BatchID, of user: SyncUser? = nil) throws(FirestoreError) -> [Write]? {
        let bytes = try first(
            "SELECT writes FROM failed_batches WHERE id = ?1 AND (?2 IS NULL OR user = ?2) AND dismissed = 0", id, user
        ) { $0.blob(0).map { ByteSlice(copying: $0) } }
        guard let bytes = bytes ?? nil else { return nil }
        return try CommitRequest(decoding: bytes).writes
    }
}

extension CacheTransaction {
    func dismissFailed(_ id: BatchID) throws(FirestoreError) {
        try sql.run("\(Self.forgetting) WHERE id = ?1", id)
    }

    /// 30 days, in microseconds.
    private static let retention: Int64 = 30 * 86_400_000_000

    static let forgetting = "UPDATE failed_batches SET dismissed = 1, user = x'', text = x'', writes = x''"

    func keepFailed(_ batch: PendingBatch, _ error: FirestoreError, _ fate: FailedBatchFate) throws(FirestoreError) {
        try forgetOldFailures()
        let writes = fate != .kept ? [] : CommitRequest(database: database, writes: batch.writes).encoded()
        try sql.run(
            "INSERT OR REPLACE INTO failed_batches VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            batch.id, batch.user, now, Int64(error.code.rawValue), error.message, ByteSlice(writes), fate.rawValue)
    }

    func forgetOldFailures() throws(FirestoreError) {
        try sql.run("\(Self.forgetting) WHERE failed_at < ?1 AND dismissed <> 1", now - Self.retention)
    }
}

extension FirestoreError {
    /// The error that callers of a canceled write receive, in every process.
    static let canceledWrite = FirestoreError(.cancelled, "the write was canceled before it was sent")

    init(storedCode code: Int64, text: UnsafeRawBufferPointer?) {
        self.init(Code(rawValue: Int(code)) ?? .unknown, text.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }
}
