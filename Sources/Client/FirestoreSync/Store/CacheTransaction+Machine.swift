// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

/// A cache that was copied, or restored from a backup of another machine (SY-160).
extension CacheTransaction {
    /// Makes the cache one of this machine, as far as nothing waits in it.
    ///
    /// What waits may wait in the other copy, too. It continues the Write stream of both: the server answers batches that it
    /// has from the other copy, and does not apply them again. Without such batches the stream is given up: each copy numbers its own
    /// writes, and one that equals the other's would be answered and not applied.
    func settleHere() throws(FirestoreError) {
        try sql.statement("DELETE FROM stream_tokens WHERE user NOT IN (SELECT user FROM batches)").run()
        guard meta.batchCount == 0 else { return }
        try sql.run("UPDATE sync_meta SET machine_id = ?1", CacheMeta.thisMachine)
        meta.machineID = CacheMeta.thisMachine
    }
}
