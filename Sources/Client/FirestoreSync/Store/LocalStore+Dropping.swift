// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import FirestoreWire

extension LocalStore {
    /// Removes batches of all users from the queue and from the failed ones, in one transaction: all of them or, with an error, none.
    ///
    /// A batch that may have been sent has a number on the Write stream of its user. Without it, the next one would be taken for it.
    /// So it is only removed if `isForced`, and the stream is given up: what else may have been sent on it is no longer known either.
    package func drop(pending: [BatchID], failed: [BatchID], isForced: Bool) throws(FirestoreError) {
        try perform(.reject) { (cache) throws(FirestoreError) in
            for id in failed {
                guard try cache.sql.failedWrites(id) != nil else { throw FirestoreError.notQueued(id) }
                try cache.dismissFailed(id)
            }
            var batches: [PendingBatch] = []
            for id in pending {
                guard let batch = try cache.batch(id)?.batch else { throw FirestoreError.notQueued(id) }
                if try cache.mayBeSent(batch) {
                    guard isForced else { throw FirestoreError.maybeSent(id) }
                    try cache.loseStream(of: batch.user)
                }
                batches.append(batch)
            }
            for batch in batches {
                try cache.keepFailed(batch, FirestoreError(.cancelled, ""), .forgotten)
                _ = try cache.drop(batch)
            }
        }
    }
}

extension CacheTransaction {
    /// More than any client sends ahead.
    private static let longestWindow: Int64 = 256

    /// Whether the authority may have a batch: there is a stream that a client would resume, and the batch is near the front.
    fileprivate func mayBeSent(_ batch: PendingBatch) throws(FirestoreError) -> Bool {
        try sql.exists(
            """
            SELECT 1 FROM stream_tokens WHERE user = ?1 AND length(token) > 0
            AND (SELECT count(*) FROM batches WHERE user = ?1 AND id < ?2) < ?3
            """, batch.user, batch.id, Self.longestWindow)
    }

    /// Leaves a stream that no server knows in the place of the one of a user: the client finds that out, and puts writes that
    /// must not be applied twice among the failed ones.
    fileprivate func loseStream(of user: SyncUser) throws(FirestoreError) {
        let id = WriteStreamResumption.makeStreamID()
        let token = WriteStreamToken(number: 0).bytes(of: id)
        guard let stream = WriteStreamResumption(streamID: id, token: token) else { return }
        try setStreamToken(stream.stored, of: user)
    }
}

extension FirestoreError {
    fileprivate static func notQueued(_ id: BatchID) -> FirestoreError {
        FirestoreError(.notFound, "there is no such call in the queue; hearth cache queue lists them", at: "\(id)")
    }

    fileprivate static func maybeSent(_ id: BatchID) -> FirestoreError {
        FirestoreError(
            .failedPrecondition,
            "the server may have it already, and only its answer is missing; let a client finish it, or add --force to drop it and to "
                + "put what else may have been sent and must not be applied twice among the failed writes", at: "\(id)")
    }
}
