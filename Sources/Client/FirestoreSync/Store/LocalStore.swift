// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreIndexing
import FirestoreSemantics
import FirestoreSQLite
import FirestoreStorage

/// The cache of one database on one server: the local view of documents, the queue of writes, and the targets (SY-16).
///
/// Confined to the queue of its engine; every method is one transaction, on the calling thread. The `documents` table holds
/// the local view, so that queries, indexes, aggregates and vector searches see pending writes without a merge (SY-D1).
package final class LocalStore {
    package enum Collection: Sendable, Hashable {
        /// A document goes at the end of the transaction in which it loses its last reference (SY-150).
        case eager
        /// Documents stay until the cache is larger than its limit (SY-151).
        case leastRecentlyUsed
    }

    package struct Configuration: Sendable {
        package enum Location: Sendable {
            case file(path: String)
            case memory
        }

        package var location: Location
        package var databaseID: DatabaseID
        /// The address of the server. A file of another address is rejected.
        package var server: String
        package var user: SyncUser
        package var collection: Collection
        package var durability: Durability
        package var indexPolicy: IndexPolicy
        package var clock: any WallClock
        /// Whether other processes may use the file at the same time. Without meaning in memory.
        package var isShared = false

        package init(
            location: Location, databaseID: DatabaseID, server: String, user: SyncUser = .unauthenticated,
            collection: Collection = .leastRecentlyUsed, durability: Durability = .full, indexPolicy: IndexPolicy = .automatic,
            clock: any WallClock = SystemClock()
        ) {
            self.location = location
            self.databaseID = databaseID
            self.server = server
            self.user = user
            self.collection = collection
            self.durability = durability
            self.indexPolicy = indexPolicy
            self.clock = clock
        }
    }

    /// Called before each transaction; what it throws is what the operation throws. For tests of failures.
    package var willRun: ((StoreOperation) throws(FirestoreError) -> Void)?

    /// The user whose pending writes the local view contains.
    package var user: SyncUser { meta.user }

    let configuration: Configuration
    let store: SQLiteStore
    private let indexes: IndexManager
    private let keptIndexes = KeptIndexCache()
    /// As of the last transaction of this process, or of another one that it has noticed.
    var meta: CacheMeta
    let features: [any StoreFeature]
    /// The user of this process. The cache may show another one for a while, if another process uses it.
    var ownUser: SyncUser
    /// The targets in use, with their newest state.
    var active: [TargetID: ActiveTarget] = [:]
    var viewed = ViewedDocuments()
    var unconfirmed = UnconfirmedDocuments()
    /// What the authority's last tokens named; nil before the first.
    var followed: FollowedHistory?
    var keptBatches = KeptBatches()

    /// A target in use.
    struct ActiveTarget {
        var newest: TargetData
        /// What the table holds; nothing but tokens and versions of the two may differ (SY-97).
        var stored: TargetData
    }

    // MARK: Lifecycle

    package static func open(_ configuration: Configuration) throws(FirestoreError) -> LocalStore {
        let features: [any StoreFeature] = SyncFeatures.make()
        let store = try openStore(configuration, features)
        do throws(FirestoreError) {
            let meta = try store.write { (sql: WriteTransaction) throws(FirestoreError) in
                try CacheMeta.enter(sql, for: configuration.user, features)
            }
            for feature in features { try feature.entered(meta, for: configuration.user) }
            let indexes = IndexManager(store: store, policy: configuration.indexPolicy, limits: IndexLimits())
            try indexes.start()
            let cache = LocalStore(configuration, store: store, indexes: indexes, meta: meta, features: features)
            try cache.prepare()
            for feature in features { feature.openingEnded(store, isOpen: true) }
            return cache
        } catch {
            for feature in features { feature.openingEnded(store, isOpen: false) }
            try? store.close()
            throw error
        }
    }

    private static func openStore(_ configuration: Configuration, _ features: [any StoreFeature]) throws(FirestoreError) -> SQLiteStore {
        let tables = CacheSchema.tables(server: configuration.server)
        guard case .file(let path) = configuration.location else {
            return try SQLiteStore.openInMemory(databaseID: configuration.databaseID, cache: tables)
        }
        let file = try StorePath(preparing: path, isPrivate: true)
        while true {
            if configuration.isShared { for feature in features { try feature.willOpen(file: file.path) } }
            let store = try SQLiteStore.open(
                file, durability: configuration.durability, databaseID: configuration.databaseID, cache: tables,
                isShared: configuration.isShared)
            if features.allSatisfy({ $0.didOpen() }) { return store }
            try store.close()
        }
    }

    private init(
        _ configuration: Configuration, store: SQLiteStore, indexes: IndexManager, meta: CacheMeta, features: [any StoreFeature]
    ) {
        self.configuration = configuration
        self.store = store
        self.indexes = indexes
        self.meta = meta
        self.features = features
        ownUser = configuration.user
    }

    /// Shows the user of this process, and forgets what was retained long enough.
    private func prepare() throws(FirestoreError) {
        if meta.user != configuration.user {
            _ = try transact { (cache) throws(FirestoreError) in try cache.changeUser(to: configuration.user) }
        }
        try transact { (cache) throws(FirestoreError) in
            try cache.forgetOldFailures()
            if cache.meta.isFromOtherMachine { try cache.settleHere() }
        }
    }

    package func close() throws(FirestoreError) {
        for feature in features { feature.willClose(self) }
        indexes.close()
        try store.close()
    }

    /// Whether the disk has lost what was written last: the cache must be opened again. What the app has written is not lost.
    package var hasLostLog: Bool { store.hasLostLog }

    package var databaseID: DatabaseID { configuration.databaseID }

    /// Whether no other process changes the cache, as far as is known.
    var ownsFile: Bool { features.allSatisfy(\.ownsFile) }

    /// Whether the streams of the cache belong to this process.
    var ownsStreams: Bool { features.allSatisfy(\.ownsStreams) }

    /// A random number of this cache, which its copies share.
    package var cacheID: UInt64 { meta.number }

    /// Whether the file was made on another machine: a copy of it, with the same queue, may be in use there (SY-160).
    package var isFromOtherMachine: Bool { meta.isFromOtherMachine }

    /// The feature of a type; nil if it is not registered in `SyncFeatures`.
    func feature<Feature>(_ type: Feature.Type = Feature.self) -> Feature? { features.lazy.compactMap { $0 as? Feature }.first }

    // MARK: Transactions

    /// Runs one operation. If it fails, nothing has changed, in memory neither.
    ///
    /// `waitsForDisk`: whether it must not be lost by a failure of the machine. What servers say need not wait; they say it again.
    func perform<R>(
        _ operation: StoreOperation, waitsForDisk: Bool = true, _ body: (CacheTransaction) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> R {
        try willRun?(operation)
        return try transact(waitsForDisk: waitsForDisk, body)
    }

    func transact<R>(
        waitsForDisk: Bool = true, _ body: (CacheTransaction) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> R {
        let before = active
        // Taken out, so that it is not copied; nothing is retained if the transaction fails.
        var known = KeptBatches()
        swap(&known, &keptBatches)
        do throws(FirestoreError) {
            let now = configuration.clock.now()
            let (result, cache) = try store.write(waitsForDisk: waitsForDisk) {
                (sql: WriteTransaction) throws(FirestoreError) -> (R, CacheTransaction) in
                var start = meta
                for feature in features { start = try feature.begin(start, in: sql) }
                let cache = CacheTransaction(
                    sql, database: configuration.databaseID, isEager: configuration.collection == .eager, now: now,
                    indexes: keptIndexes.indexes(of: try sql.catalog()), meta: start, features: features)
                if start.sequence == meta.sequence { swap(&cache.keptBatches, &known) }
                cache.meta.sequence += 1
                if !active.isEmpty { unconfirmed.enter(cache) }
                let result = try body(cache)
                try cache.collectOrphans(viewed)
                for feature in features { try feature.willCommit(cache) }
                try cache.meta.write(to: sql)
                try indexes.noteUses(in: sql, now: now)
                return (result, cache)
            }
            meta = cache.meta
            unconfirmed.take(cache)
            swap(&keptBatches, &cache.keptBatches)
            if !cache.knownBatches.isEmpty { keptBatches.retain(cache.knownBatches) }
            for feature in features { feature.committed(cache.meta) }
            return result
        } catch {
            active = before
            throw error
        }
    }

    /// Reads, on the calling thread.
    func read<R>(
        _ operation: StoreOperation, _ body: (ReadTransaction, CacheRows<ReadTransaction>) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> R {
        try willRun?(operation)
        let hasBases = meta.baseCount > 0 || !ownsFile
        func run(_ snapshot: ReadTransaction) throws(FirestoreError) -> R {
            try body(snapshot, CacheRows(source: snapshot, hasBases: hasBases, baseCount: meta.baseCount))
        }
        if let result: R = try store.readNow({ (snapshot: ReadTransaction) throws(FirestoreError) -> R? in try run(snapshot) }) {
            return result
        }
        return try store.read { (snapshot: ReadTransaction) throws(FirestoreError) -> R in try run(snapshot) }
    }

    // MARK: Reading the local view

    package func documents(_ keys: [DocumentKey]) throws(FirestoreError) -> [LocalDocument] {
        try read(.readDocument) { (_, rows) throws(FirestoreError) in
            var result: [LocalDocument] = []
            result.reserveCapacity(keys.count)
            for key in keys { result.append(try rows.entry(key).local) }
            return result
        }
    }

    /// The documents of the local view that match, in the query's order.
    package func run(_ query: StructuredQuery) throws(FirestoreError) -> [LocalDocument] {
        try read(.executeQuery) { (snapshot, rows) throws(FirestoreError) in
            let counters = QueryCounters()
            let documents = try QueryAnswer.documents(of: query, over: snapshot, database: configuration.databaseID, counters: counters)
            // A vector search has to visit all matching documents.
            observe(query, counters, results: query.nearest == nil ? documents.count : counters.matches)
            return try rows.local(documents)
        }
    }

    /// The documents of the local view that match, if the plan guarantees that at most `count` documents are read; nil otherwise.
    func run(_ query: StructuredQuery, ifAtMost count: Int) throws(FirestoreError) -> [LocalDocument]? {
        guard let limit = query.limit, limit <= count, query.nearest == nil, query.projection == nil else { return nil }
        return try read(.executeQuery) { (snapshot, rows) throws(FirestoreError) -> [LocalDocument]? in
            let plan = try QueryExecutor.plan(query, over: snapshot, database: configuration.databaseID)
            guard plan.isBounded(by: count) else { return nil }
            let counters = QueryCounters()
            let documents = try QueryExecutor.run(
                plan, of: query, over: snapshot, database: configuration.databaseID, counters: counters)
            observe(query, counters, results: documents.count)
            return try rows.local(documents)
        }
    }

    package func aggregate(
        _ query: StructuredQuery, _ aggregations: [Aggregation]
    ) throws(FirestoreError) -> [(alias: String, value: Value)] {
        try read(.executeQuery) { (snapshot, _) throws(FirestoreError) in
            let counters = QueryCounters()
            let answer = try AggregationExecutor.run(
                query, aggregations, over: snapshot, database: configuration.databaseID, counters: counters)
            observe(query, counters, results: query.limit.map { min($0, counters.matches) } ?? counters.matches)
            return answer
        }
    }

    private func observe(_ query: StructuredQuery, _ counters: QueryCounters, results: Int) {
        indexes.observe(query, counters, results: results, at: DocumentVersion(microseconds: configuration.clock.now()))
    }

    /// The version of the last remote event.
    package func lastSnapshotVersion() throws(FirestoreError) -> DocumentVersion {
        try willRun?(.lastSnapshotVersion)
        return meta.snapshotVersion
    }

    /// Fails if the store cannot be written.
    func probe() throws(FirestoreError) { try perform(.lastSnapshotVersion) { (_) throws(FirestoreError) in } }

    // MARK: Indexes and size

    /// Returns when no index is being built.
    package func indexesSettled() async throws(FirestoreError) { try await indexes.settled() }

    package func setIndexPolicy(_ policy: IndexPolicy) { indexes.setPolicy(policy) }

    package func indexStatuses() async throws(FirestoreError) -> [IndexStatus] { try await indexes.statuses() }

    package func dropIndexes() async throws(FirestoreError) { _ = try await indexes.drop { _, _ in true } }

    /// The size of the files, or of the database in memory, without the pages that removed documents have left.
    package func byteCount() throws(FirestoreError) -> Int64 { try store.usedByteCount() }
}

/// A queued batch and its effect.
package struct LocalWriteResult: Sendable {
    package let batch: PendingBatch
    package let changes: [LocalChange]
}

/// What entered and left one view.
package struct ViewDifference: Sendable {
    package var targetID: TargetID
    package var isFromCache: Bool
    package var added: Set<DocumentKey>
    package var removed: Set<DocumentKey>
}
