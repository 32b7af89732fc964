// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import FirestoreWire

/// A query with a name, as a bundle defined it (SY-14).
package struct StoredQuery: Sendable {
    package let name: String
    /// The query in the form in which it was saved.
    package let query: ByteSlice
    package let readTime: DocumentVersion
}

/// Bundles (SY-14, SY-138, LO-12).
extension LocalStore {
    /// Whether this bundle was loaded already, in this version or a newer one.
    package func hasBundle(id: String, createTime: DocumentVersion) throws(FirestoreError) -> Bool {
        try read(.loadBundle) { (snapshot, _) throws(FirestoreError) in
            try snapshot.exists("SELECT 1 FROM bundles WHERE id = ?1 AND create_time >= ?2", id, createTime.microseconds)
        }
    }

    /// Records that a bundle was loaded.
    package func saveBundle(id: String, createTime: DocumentVersion) throws(FirestoreError) {
        try perform(.loadBundle) { (cache) throws(FirestoreError) in
            try cache.sql.run("INSERT OR REPLACE INTO bundles VALUES(?1, ?2)", id, createTime.microseconds)
        }
    }

    /// Takes the documents of a bundle that are newer than those of the cache. A target of their own retains all of them.
    package func applyBundle(documents: [RemoteDocument], bundleID: String) throws(FirestoreError) -> [LocalChange] {
        try perform(.loadBundle) { (cache) throws(FirestoreError) in
            let umbrella = try cache.allocate(.documents([DocumentKey(trusted: "__bundle__/docs/\(bundleID)")])).targetID
            var members: Set<DocumentKey> = []
            for document in documents where document.document != nil { members.insert(document.key) }
            let changes = try cache.apply(documents, at: cache.meta.snapshotVersion)
            try cache.replaceKeys(of: umbrella, by: members)
            return changes
        }
    }

    /// Saves a query and the documents that were its result as of the bundle: a listener continues from there.
    package func saveNamedQuery(
        name: String, query: ByteSlice, target: SyncTarget, readTime: DocumentVersion, keys: Set<DocumentKey>
    ) throws(FirestoreError) {
        try perform(.loadBundle) { (cache) throws(FirestoreError) in
            try resume(target, at: readTime, with: keys, in: cache)
            try cache.setNamedQuery(name, query, readTime)
        }
    }

    /// Saves a named query of a bundle, and leaves what follows for its target to the process that has the streams, which knows the
    /// target better.
    func offerNamedQuery(
        name: String, query: ByteSlice, readTime: DocumentVersion, keys: Set<DocumentKey>
    ) throws(FirestoreError) {
        try perform(.loadBundle) { (cache) throws(FirestoreError) in
            let place = DocumentKey(trusted: "__bundle__/offers/\(cache.meta.sequence)/\(readTime.microseconds)")
            let holder = try cache.allocate(.documents([place])).targetID
            try cache.replaceKeys(of: holder, by: keys)
            try cache.setNamedQuery(name, query, readTime)
            try cache.note(.request(StreamRequest(kind: BundleFeature.offer, holder: holder, content: query)))
        }
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

    /// Lets a target continue from a result of a moment, if what is known of it is older.
    private func resume(
        _ target: SyncTarget, at readTime: DocumentVersion, with keys: Set<DocumentKey>, in cache: CacheTransaction
    ) throws(FirestoreError) {
        let stored = try cache.allocate(target)
        let known = active[stored.targetID]?.newest ?? stored
        guard known.snapshotVersion < readTime else { return }
        var data = known
        data.resumeToken = .empty
        data.snapshotVersion = readTime
        data.sequenceNumber = cache.meta.sequence
        try cache.store(data)
        try cache.replaceKeys(of: data.targetID, by: keys)
        if active[data.targetID] != nil { active[data.targetID] = ActiveTarget(newest: data, stored: data) }
    }

    package func namedQuery(_ name: String) throws(FirestoreError) -> StoredQuery? {
        try read(.loadBundle) { (snapshot, _) throws(FirestoreError) in
            try snapshot.first("SELECT query, read_time FROM named_queries WHERE name = ?1", name) { row in
                StoredQuery(
                    name: name, query: row.blob(0).map { ByteSlice(copying: $0) } ?? .empty,
                    readTime: DocumentVersion(microseconds: row.integer(1)))
            }
        }
    }
}

extension CacheTransaction {
    func setNamedQuery(_ name: String, _ query: ByteSlice, _ readTime: DocumentVersion) throws(FirestoreError) {
        try sql.run("INSERT OR REPLACE INTO named_queries VALUES(?1, ?2, ?3)", name, query, readTime.microseconds)
    }

    func replaceKeys(of target: TargetID, by keys: Set<DocumentKey>) throws(FirestoreError) {
        let before = Set(try rows.keys(of: target))
        for key in before.subtracting(keys) {
            try remove(key, from: target)
            try touch(key)
        }
        for key in keys.subtracting(before) { try add(key, to: target) }
    }
}
