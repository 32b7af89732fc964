// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import FirestoreWire

/// A target that is never collected, and its name (SY-D25).
package struct StoredPin: Sendable {
    package let name: String
    package let target: ClientTarget
    package let refreshInterval: Duration
    package let targetID: TargetID

    /// Whether the two are fetched in the same way.
    func isRefreshed(as other: StoredPin) -> Bool { targetID == other.targetID && refreshInterval == other.refreshInterval }
}

/// The cached state of a pinned target.
package struct PinUsage: Sendable, Equatable {
    package var documents = 0
    /// The size of their fields and ids.
    package var bytes: Int64 = 0
    /// The version up to which the target is complete; `.none` if it was never complete.
    package var version = DocumentVersion.none
}

extension LocalStore {
    /// Pins a target under a name, instead of the one that had it.
    package func pin(
        _ target: ClientTarget, named name: String, refreshEvery interval: Duration
    ) throws(FirestoreError) -> StoredPin {
        try perform(.allocateTarget) { (cache) throws(FirestoreError) in
            let id = try cache.allocate(target.syncTarget).targetID
            // The target may be that of the earlier pin.
            try cache.unpin(name, active: Set(active.keys).union([id]))
            try cache.addPin(target, named: name, refreshEvery: interval, targetID: id)
            // As it is stored, to be compared with what is read.
            return StoredPin(name: name, target: target, refreshInterval: .microseconds(interval.microseconds), targetID: id)
        }
    }

    /// Returns whether a pin had that name. Eager collection forgets its target, unless it is in use.
    package func unpin(_ name: String) throws(FirestoreError) -> Bool {
        let activeIDs = Set(active.keys)
        return try perform(.releaseTarget) { (cache) throws(FirestoreError) in try cache.unpin(name, active: activeIDs) }
    }

    /// The pins, by name.
    package func storedPins() throws(FirestoreError) -> [StoredPin] {
        try read(.targetData) { (snapshot, _) throws(FirestoreError) in
            try snapshot.all("SELECT name, query, to_last, refresh, target FROM pins ORDER BY name") { (row) throws(FirestoreError) in
                let name = row.blob(0).map { String(decoding: $0, as: UTF8.self) } ?? ""
                guard let bytes = row.blob(1),
                    case .add(let add) = try ListenRequest(decoding: ByteSlice(copying: bytes)).change
                else { throw snapshot.damaged("the pin \(name)") }
                let target: ClientTarget
                switch try add.target.get() {
                case .documents(let keys):
                    guard let key = keys.first else { throw snapshot.damaged("the pin \(name)") }
                    target = .document(key)
                case .query(let query): target = .query(ClientQuery(query, limitsToLast: row.integer(2) != 0))
                }
                return StoredPin(
                    name: name, target: target, refreshInterval: .microseconds(row.integer(3)),
                    targetID: TargetID(truncatingIfNeeded: row.integer(4)))
            }
        }
    }

    /// The cached state of a target.
    package func usage(of id: TargetID) throws(FirestoreError) -> PinUsage {
        let newest = active[id]?.newest.snapshotVersion
        return try read(.targetData) { (snapshot, _) throws(FirestoreError) in
            let usage = try snapshot.first(
                """
                SELECT count(*), total(length(d.fields) + length(d.id)), (SELECT version FROM targets WHERE id = ?1)
                FROM target_documents AS t JOIN documents AS d ON d.collection = t.collection AND d.id = t.id WHERE t.target = ?1
                """, id
            ) { row in
                PinUsage(
                    documents: Int(row.integer(0)), bytes: row.integer(1), version: newest ?? DocumentVersion(microseconds: row.integer(2)))
            }
            return usage ?? PinUsage()
        }
    }
}

extension CacheTransaction {
    /// Sets whether a target and its documents are exempt from collection.
    func setPinned(_ isPinned: Bool, _ id: TargetID) throws(FirestoreError) {
        try sql.run("UPDATE targets SET pin = ?2 WHERE id = ?1", id, isPinned)
    }

    func addPin(
        _ target: ClientTarget, named name: String, refreshEvery interval: Duration, targetID: TargetID
    ) throws(FirestoreError) {
        // As it was written: a limit from the end is not reversed.
        var toLast = false
        let written: SyncTarget
        switch target {
        case .document(let key): written = .documents([key])
        case .query(let query):
            written = .query(query.query)
            toLast = query.limitsToLast
        }
        let request = ListenRequest(database: database, change: .add(ListenTargetRequest(target: .success(written), targetID: 0)))
        try sql.run(
            "INSERT OR REPLACE INTO pins(name, query, to_last, refresh, target) VALUES(?1, ?2, ?3, ?4, ?5)",
            name, request.encoded(), toLast, interval.microseconds, targetID)
        try setPinned(true, targetID)
        try note(.other)
    }

    @discardableResult
    func unpin(_ name: String, active: Set<TargetID>) throws(FirestoreError) -> Bool {
        guard let id = try pinnedTarget(name) else { return false }
        try sql.run("DELETE FROM pins WHERE name = ?1", name)
        try note(.other)
        // Another name may pin the same target.
        guard try !sql.exists("SELECT 1 FROM pins WHERE target = ?1", id) else { return true }
        try setPinned(false, id)
        if isEager, !active.contains(id) { try removeTarget(id) }
        return true
    }

    private func pinnedTarget(_ name: String) throws(FirestoreError) -> TargetID? {
        try sql.first("SELECT target FROM pins WHERE name = ?1", name) { TargetID(truncatingIfNeeded: $0.integer(0)) }
    }
}

extension Duration {
    /// Whole microseconds; a duration too long for that is as good as for ever.
    fileprivate var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return overflow || overflows ? .max : sum
    }
}
