// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage
import FirestoreWire

/// What the leader of a shared cache is asked for by another process. Requests and refusals are rows of the log of changes; what the
/// leader has done is seen in the cache itself.
enum SharedRequest {
    case cancel(BatchID)
    /// `query`: a named query of a bundle, as the bundle has it. `holder`: a target that only holds its documents.
    case offer(query: ByteSlice, holder: TargetID)
}

extension LocalStore {
    // MARK: Asking

    func requestCancellation(of id: BatchID) throws(FirestoreError) {
        try perform(.inspectQueue) { (cache) throws(FirestoreError) in try cache.log(SharedLog.cancel, id, .empty) }
    }

    /// Saves a named query of a bundle, and leaves what follows for its target to the leader, which knows the target better.
    func offerNamedQuery(
        name: String, query: ByteSlice, readTime: DocumentVersion, keys: Set<DocumentKey>
    ) throws(FirestoreError) {
        try perform(.loadBundle) { (cache) throws(FirestoreError) in
            let place = DocumentKey(trusted: "__bundle__/offers/\(cache.meta.sequence)/\(readTime.microseconds)")
            let holder = try cache.allocate(.documents([place])).targetID
            try cache.replaceKeys(of: holder, by: keys)
            try cache.setNamedQuery(name, query, readTime)
            try cache.log(SharedLog.offer, Int64(holder), query)
        }
    }

    // MARK: Answering

    /// What is asked for and was neither done nor refused, oldest first.
    func openRequests() throws(FirestoreError) -> [SharedRequest] {
        try read(.inspectQueue) { (snapshot, _) throws(FirestoreError) in
            let row = try snapshot.statement(
                """
                SELECT target, collection, id FROM shared_changes AS r WHERE
                target = ?1 AND EXISTS(SELECT 1 FROM batches AS b WHERE b.id = r.collection)
                AND NOT EXISTS(
                    SELECT 1 FROM shared_changes AS a WHERE a.sequence > r.sequence AND a.target = ?2 AND a.collection = r.collection)
                OR target = ?3 AND EXISTS(SELECT 1 FROM targets AS t WHERE t.id = r.collection)
                ORDER BY sequence
                """)
            defer { row.reset() }
            row.bind(1, SharedLog.cancel)
            row.bind(2, SharedLog.refused)
            row.bind(3, SharedLog.offer)
            var requests: [SharedRequest] = []
            while try row.step() {
                if row.integer(0) == SharedLog.cancel {
                    requests.append(.cancel(row.integer(1)))
                } else {
                    requests.append(
                        .offer(
                            query: row.blob(2).map { ByteSlice(copying: $0) } ?? .empty,
                            holder: TargetID(truncatingIfNeeded: row.integer(1))))
                }
            }
            return requests
        }
    }

    func refuseCancellation(of id: BatchID) throws(FirestoreError) {
        try perform(.inspectQueue) { (cache) throws(FirestoreError) in try cache.log(SharedLog.refused, id, .empty) }
    }

    /// Takes the result of a named query over, if it is newer than what is known of its target. `target` is nil if the query cannot be
    /// read: it is forgotten.
    func takeOffer(_ target: SyncTarget?, readTime: DocumentVersion, from holder: TargetID) throws(FirestoreError) {
        try perform(.loadBundle) { (cache) throws(FirestoreError) in
            let keys = Set(try cache.rows.keys(of: holder))
            if let target { try resume(target, at: readTime, with: keys, in: cache) }
            try cache.replaceKeys(of: holder, by: [])
            try cache.removeTarget(holder)
        }
    }
}
