// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreIndexing
import FirestoreSQLite
import FirestoreStorage
import FirestoreWire

/// The file of a cache, opened to be looked at whatever its server is: nothing in it changes, and no process can open it meanwhile.
///
/// Refuses a file that a process has open, one that is not a cache, and a cache of a newer version.
package final class CacheInspector {
    private let store: StoreInspector
    private let identity: CacheIdentity
    private let meta: CacheMeta

    package init(_ path: String) throws(FirestoreError) {
        store = try StoreInspector(path, cacheVersion: CacheSchema.version)
        guard let identity = store.cache else { throw FirestoreError(.internal, "the cache has no identity", at: path) }
        self.identity = identity
        guard let meta = try store.read({ (snapshot: ReadTransaction) throws(FirestoreError) in try CacheMeta.read(from: snapshot) })
        else { throw FirestoreError(.dataLoss, "the state of the cache is missing", at: path) }
        self.meta = meta
    }

    package func close() { store.close() }

    /// The canonical path of the file.
    package var file: String { store.file }
    package var databaseID: DatabaseID { identity.databaseID }
    package var server: String { identity.server }
    package var version: Int64 { identity.version }
    /// The user whose pending writes the local view contains.
    package var user: SyncUser { meta.user }
    package var cacheID: UInt64 { meta.number }
    package var isFromOtherMachine: Bool { meta.isFromOtherMachine }

    /// Opens the cache for changes, as the client left it. The inspector must be closed before.
    package func reopen() throws(FirestoreError) -> LocalStore {
        try LocalStore.open(
            LocalStore.Configuration(location: .file(path: file), databaseID: databaseID, server: server, user: user))
    }

    // MARK: What is in it

    /// The number and the size of what is stored.
    package func usage() throws(FirestoreError) -> CacheUsage {
        try store.read { [meta] (snapshot: ReadTransaction) throws(FirestoreError) in
            var usage = CacheUsage()
            usage.collections = try snapshot.all(
                "SELECT collection, count(*), sum(length(id) + length(fields)) FROM documents GROUP BY collection ORDER BY 3 DESC, 1"
            ) { (row) throws(FirestoreError) in
                let path = try snapshot.path(of: row.integer(0))
                return CacheUsage.Collection(path: path, documents: Int(row.integer(1)), bytes: row.integer(2))
            }
            func number(_ query: String) throws(FirestoreError) -> Int64 { try snapshot.first(query) { $0.integer(0) } ?? 0 }
            usage.missing = Int(try number("SELECT count(*) FROM bases WHERE (state & 3) = 2 AND batch IS NULL"))
            usage.targets = Int(try number("SELECT count(*) FROM targets"))
            usage.pinnedTargets = Int(try number("SELECT count(*) FROM targets WHERE pin != 0"))
            usage.orphans = Int(try number("SELECT count(*) FROM orphans"))
            usage.pending = Int(meta.batchCount)
            usage.pendingBytes = try number("SELECT ifnull(sum(length(writes)), 0) FROM batches")
            usage.failed = Int(try number("SELECT count(*) FROM failed_batches WHERE dismissed = 0"))
            usage.failedBytes = try number("SELECT ifnull(sum(length(writes)), 0) FROM failed_batches WHERE dismissed = 0")
            return usage
        }
    }

    /// The writes of all users that wait for the server, oldest first.
    package func pending() throws(FirestoreError) -> [InspectedBatch] {
        try store.read { [version] (snapshot: ReadTransaction) throws(FirestoreError) in
            try CacheRows(source: snapshot, hasBases: true, batchesHaveBases: version > 1).pendingBatches()
        }
    }

    /// The writes of all users that the server has rejected and that were not dismissed, oldest first.
    package func failed() throws(FirestoreError) -> [InspectedBatch] {
        try store.read { (snapshot: ReadTransaction) throws(FirestoreError) in try snapshot.failedBatches() }
    }

    /// Everything that is wrong, as sentences: in SQLite's file, documents, entries of indexes, and in what the client stores beside
    /// them. Reads the whole file.
    package func check() throws(FirestoreError) -> [String] {
        var report = try store.inspectConsistency()
        let findings = try store.read { [meta, version] (snapshot: ReadTransaction) throws(FirestoreError) in
            try IndexCheck.run(over: snapshot, into: &report)
            return try CacheCheck(CacheRows(source: snapshot, hasBases: true, batchesHaveBases: version > 1), meta).findings()
        }
        let more = report.omitted == 0 ? [] : ["and \(report.omitted) more"]
        return report.findings.map(\.description) + more + findings
    }
}

/// The number and the size of what a cache stores.
package struct CacheUsage: Sendable {
    package struct Collection: Sendable {
        package let path: CollectionPath
        package let documents: Int
        /// Ids and fields; indexes and the overhead of the file are not counted.
        package let bytes: Int64
    }

    /// Largest first.
    package var collections: [Collection] = []
    /// Documents that are known to be missing.
    package var missing = 0
    /// Queries and documents that were listened to and are cached with their results.
    package var targets = 0
    package var pinnedTargets = 0
    /// Documents of no target, which are removed first.
    package var orphans = 0
    package var pending = 0
    package var pendingBytes: Int64 = 0
    package var failed = 0
    package var failedBytes: Int64 = 0

    package var documents: Int { collections.reduce(0) { $0 + $1.documents } }
    package var bytes: Int64 { collections.reduce(0) { $0 + $1.bytes } }
}
