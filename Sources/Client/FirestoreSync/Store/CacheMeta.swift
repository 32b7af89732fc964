// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import Foundation

/// The row of `sync_meta`, and counts of tables: what the last committed transaction left.
struct CacheMeta: Equatable {
    var cacheID: [UInt8] = []
    var machineID: [UInt8] = []
    /// The user whose overlays exist.
    var user = SyncUser.unauthenticated
    /// Advances with every transaction that writes (SY-11).
    var sequence: Int64 = 0
    var snapshotVersion = DocumentVersion.none
    var highestTarget: TargetID = 0
    var highestBatch: BatchID = 0
    /// The rows of `bases`; without any, no read looks there.
    var baseCount: Int64 = 0
    /// The rows of `batches`, of all users.
    var batchCount: Int64 = 0

    /// The beginning of the random id.
    var number: UInt64 { cacheID.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

    var isFromOtherMachine: Bool { machineID != Self.thisMachine }

    static func new(for user: SyncUser) -> CacheMeta {
        var generator = SystemRandomNumberGenerator()
        return CacheMeta(cacheID: (0..<16).map { _ in generator.next() }, machineID: thisMachine, user: user)
    }

    /// The system's own name for the machine, or its host name.
    static let thisMachine: [UInt8] = {
        if let id = FileManager.default.contents(atPath: "/etc/machine-id"), !id.isEmpty { return [UInt8](id.prefix(32)) }
        return [UInt8](ProcessInfo.processInfo.hostName.utf8)
    }()

    /// nil in a new cache.
    static func read(from source: some StatementSource) throws(FirestoreError) -> CacheMeta? {
        let row = try source.statement(
            """
            SELECT cache_id, machine_id, user, sequence, snapshot_version, highest_target, highest_batch, base_count, batch_count
            FROM sync_meta
            """)
        defer { row.reset() }
        guard try row.step() else { return nil }
        guard let cacheID = row.blob(0), let machineID = row.blob(1), let user = row.blob(2).flatMap({ SyncUser(stored: $0) }) else {
            throw source.damaged("the state of the cache")
        }
        return CacheMeta(
            cacheID: [UInt8](cacheID), machineID: [UInt8](machineID), user: user, sequence: row.integer(3),
            snapshotVersion: DocumentVersion(microseconds: row.integer(4)), highestTarget: TargetID(truncatingIfNeeded: row.integer(5)),
            highestBatch: row.integer(6), baseCount: row.integer(7), batchCount: row.integer(8))
    }

    /// Takes part in the first transaction of a process, which makes the cache if it is new.
    static func enter(_ sql: WriteTransaction, for user: SyncUser, _ features: [any StoreFeature]) throws(FirestoreError) -> CacheMeta {
        var meta = try read(from: sql) ?? CacheMeta()
        if meta.cacheID.isEmpty {
            meta = new(for: user)
            try meta.create(in: sql)
        }
        for feature in features { try feature.enter(&meta, in: sql) }
        try CacheSchema.addIndexes(to: sql)
        // Counts are only as good as the program that wrote them last.
        if features.allSatisfy(\.ownsFile) { try meta.recount(in: sql) }
        try meta.write(to: sql)
        return meta
    }

    /// Counts the rows of the tables.
    mutating func recount(in source: some StatementSource) throws(FirestoreError) {
        let row = try source.statement("SELECT (SELECT count(*) FROM bases), (SELECT count(*) FROM batches)")
        defer { row.reset() }
        guard try row.step() else { return }
        (baseCount, batchCount) = (row.integer(0), row.integer(1))
    }

    func create(in source: some StatementSource) throws(FirestoreError) {
        try source.run("INSERT INTO sync_meta VALUES(1, ?1, ?2, ?3, 0, 0, 0, 0, 0, 0, 0, 0)", cacheID, machineID, user)
    }

    func write(to source: some StatementSource) throws(FirestoreError) {
        try source.run(
            """
            UPDATE sync_meta SET user = ?1, sequence = ?2, snapshot_version = ?3, highest_target = ?4, highest_batch = ?5,
                base_count = ?6, batch_count = ?7
            """, user, sequence, snapshotVersion.microseconds, Int64(highestTarget), highestBatch, baseCount, batchCount)
    }
}

extension SyncUser {
    /// A byte for whether there is a user id, and the id.
    var stored: [UInt8] { uid.map { [1] + $0.utf8 } ?? [0] }

    init?(stored: UnsafeRawBufferPointer) {
        switch stored.first {
        case 0: self.init(uid: nil)
        case 1:
            guard let uid = String(validating: stored.dropFirst(), as: UTF8.self) else { return nil }
            self.init(uid: uid)
        default: return nil
        }
    }
}
