// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
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
            let row = try snapshot.statement("SELECT create_time FROM bundles WHERE id = ?1")
            defer { row.reset() }
            row.bind(1, copying: [UInt8](id.utf8))
            return try row.step() && row.integer(0) >= createTime.microseconds
        }
    }

    /// Records that a bundle was loaded.
    package func saveBundle(id: String, createTime: DocumentVersion) throws(FirestoreError) {
        try perform(.loadBundle) { (cache) throws(FirestoreError) in
            let row = try cache.sql.statement("INSERT OR REPLACE INTO bundles VALUES(?1, ?2)")
            row.bind(1, copying: [UInt8](id.utf8))
            row.bind(2, createTime.microseconds)
            try row.run()
        }
    }

    /// Takes the documents of a bundle that are newer than those of the cache. A target of their own keeps all of them.
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

    /// Saves a query and the documents that were its result as of the bundle: a listener goes on from there.
    package func saveNamedQuery(
        name: String, query: ByteSlice, target: SyncTarget, readTime: DocumentVersion, keys: Set<DocumentKey>
    ) throws(FirestoreError) {
        try perform(.loadBundle) { (cache) throws(FirestoreError) in
            try resume(target, at: readTime, with: keys, in: cache)
            try cache.setNamedQuery(name, query, readTime)
        }
    }

    /// Lets a target go on from a result of a moment, if what is known of it is older.
    func resume(
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
            let row = try snapshot.statement("SELECT query, read_time FROM named_queries WHERE name = ?1")
            defer { row.reset() }
            row.bind(1, copying: [UInt8](name.utf8))
            guard try row.step() else { return nil }
            return StoredQuery(
                name: name, query: row.blob(0).map { ByteSlice(copying: $0) } ?? .empty,
                readTime: DocumentVersion(microseconds: row.integer(1)))
        }
    }
}

extension CacheTransaction {
    func setNamedQuery(_ name: String, _ query: ByteSlice, _ readTime: DocumentVersion) throws(FirestoreError) {
        let row = try sql.statement("INSERT OR REPLACE INTO named_queries VALUES(?1, ?2, ?3)")
        defer { withExtendedLifetime(query) {} }
        row.bind(1, copying: [UInt8](name.utf8))
        row.bind(2, query.buffer)
        row.bind(3, readTime.microseconds)
        try row.run()
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
