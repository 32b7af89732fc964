// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

/// What the leader of a shared cache is asked for by another process. Requests and rejections are rows of the log of changes; what the
/// leader has done is seen in the cache itself.
enum SharedRequest {
    case cancel(BatchID)
    /// For a feature.
    case takeOver(StreamRequest)
}

extension LocalStore {
    // MARK: Asking

    func requestCancellation(of id: BatchID) throws(FirestoreError) {
        let membership = membership
        try perform(.inspectQueue) { (cache) throws(FirestoreError) in try membership?.log(SharedLog.cancel, id, .empty, in: cache) }
    }

    // MARK: Answering

    /// Open requests, oldest first.
    func openRequests() throws(FirestoreError) -> [SharedRequest] {
        try read(.inspectQueue) { (snapshot, _) throws(FirestoreError) in
            try snapshot.all(
                """
                SELECT target, collection, id FROM shared_changes AS r WHERE
                target = ?1 AND EXISTS(SELECT 1 FROM batches AS b WHERE b.id = r.collection)
                AND NOT EXISTS(
                    SELECT 1 FROM shared_changes AS a WHERE a.sequence > r.sequence AND a.target = ?2 AND a.collection = r.collection)
                OR target <= ?3 AND EXISTS(SELECT 1 FROM targets AS t WHERE t.id = r.collection)
                ORDER BY sequence
                """, SharedLog.cancel, SharedLog.rejected, SharedLog.firstRequest
            ) { row in
                if row.integer(0) == SharedLog.cancel { return .cancel(row.integer(1)) }
                return .takeOver(
                    StreamRequest(
                        kind: row.integer(0), holder: TargetID(truncatingIfNeeded: row.integer(1)),
                        content: row.blob(2).map { ByteSlice(copying: $0) } ?? .empty))
            }
        }
    }

    func rejectCancellation(of id: BatchID) throws(FirestoreError) {
        let membership = membership
        try perform(.inspectQueue) { (cache) throws(FirestoreError) in try membership?.log(SharedLog.rejected, id, .empty, in: cache) }
    }
}
