// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreStorage

/// The documents in the views of targets, which no collection removes. In memory: views do not outlive their process.
struct ViewPinTable {
    private var keys: [TargetID: Set<DocumentKey>] = [:]
    private var counts: [DocumentKey: Int] = [:]

    func contains(_ key: DocumentKey) -> Bool { counts[key] != nil }

    /// Returns those that were not pinned by the target before.
    @discardableResult
    mutating func add(_ added: Set<DocumentKey>, to target: TargetID) -> Set<DocumentKey> {
        let new = added.filter { keys[target, default: []].insert($0).inserted }
        for key in new { counts[key, default: 0] += 1 }
        return new
    }

    /// Returns those that were pinned by the target before.
    @discardableResult
    mutating func remove(_ removed: Set<DocumentKey>, from target: TargetID) -> Set<DocumentKey> {
        let gone = removed.filter { keys[target]?.remove($0) != nil }
        for key in gone { release(key) }
        return gone
    }

    mutating func remove(_ target: TargetID) -> Set<DocumentKey> {
        let gone = keys.removeValue(forKey: target) ?? []
        for key in gone { release(key) }
        return gone
    }

    private mutating func release(_ key: DocumentKey) {
        guard let count = counts[key] else { return }
        counts[key] = count > 1 ? count - 1 : nil
    }
}

extension LocalStore {
    /// Keeps the first documents of a view from collection: those that are in no target, too. What enters later is noted with
    /// `noteViewChanges`.
    package func pin(_ keys: [DocumentKey], of id: TargetID) { pins.add(Set(keys), to: id) }

    /// Removes targets and documents that were not used for the longest time, if the cache is larger than `threshold` bytes
    /// (SY-151). Without effect where documents are collected eagerly.
    package func collectGarbage(
        threshold: Int64, percentile: Int = 10, maximum: Int = 1_000
    ) throws(FirestoreError) -> CollectedGarbage {
        let nothing = CollectedGarbage(hasRun: false, targets: 0, documents: 0)
        guard configuration.collection == .leastRecentlyUsed, threshold >= 0, try byteCount() >= threshold else {
            try willRun?(.collectGarbage)
            return nothing
        }
        let (activeIDs, pins) = (Set(active.keys), pins)
        let collected = try perform(.collectGarbage) { (cache) throws(FirestoreError) in
            try cache.collect(percentile: percentile, maximum: maximum, active: activeIDs, pins: pins)
        }
        try shrink()
        return collected
    }
}

extension CacheTransaction {
    // MARK: Eager

    /// Removes the documents that lost their last reference in this transaction (SY-150).
    func collectOrphans(_ pins: ViewPinTable) throws(FirestoreError) {
        guard isEager, !potentialOrphans.isEmpty else { return }
        for key in potentialOrphans where try !isReferenced(key, pins) { try removeEntry(key) }
        potentialOrphans = []
    }

    private func isReferenced(_ key: DocumentKey, _ pins: ViewPinTable) throws(FirestoreError) -> Bool {
        if pins.contains(key) { return true }
        if try exists("SELECT 1 FROM target_documents WHERE collection = ?1 AND id = ?2 LIMIT 1", key) { return true }
        return try isPending(key)
    }

    /// Whether a batch of any user writes the document.
    private func isPending(_ key: DocumentKey) throws(FirestoreError) -> Bool {
        guard meta.batchCount > 0 else { return false }
        return try exists("SELECT 1 FROM batch_documents WHERE collection = ?1 AND id = ?2 LIMIT 1", key)
    }

    private func removeEntry(_ key: DocumentKey) throws(FirestoreError) {
        try store(CacheEntry(key: key), replacing: try entry(key))
    }

    // MARK: Least recently used

    /// Everything that may go, with the time of its last use.
    private static let candidates = """
        SELECT sequence FROM targets WHERE pin = 0 UNION ALL SELECT sequence FROM orphans AS o
        WHERE NOT EXISTS (SELECT 1 FROM target_documents AS t WHERE t.collection = o.collection AND t.id = o.id)
        """

    func collect(
        percentile: Int, maximum: Int, active: Set<TargetID>, pins: ViewPinTable
    ) throws(FirestoreError) -> CollectedGarbage {
        var collected = CollectedGarbage(hasRun: true, targets: 0, documents: 0)
        guard let bound = try upperBound(percentile: percentile, maximum: maximum) else { return collected }
        for (id, sequence) in try targets(upTo: bound) where !active.contains(id) {
            try removeTarget(id, lastUse: sequence)
            collected.targets += 1
        }
        for key in try orphans(upTo: bound) {
            if pins.contains(key) { continue }
            if try isPending(key) { continue }
            try removeEntry(key)
            try run("DELETE FROM orphans WHERE collection = ?1 AND id = ?2", on: key)
            collected.documents += 1
        }
        return collected
    }

    /// The sequence number up to which targets and documents go; nil for none.
    private func upperBound(percentile: Int, maximum: Int) throws(FirestoreError) -> Int64? {
        let counting = try sql.statement("SELECT count(*) FROM (\(Self.candidates))")
        defer { counting.reset() }
        guard try counting.step() else { return nil }
        let count = min(counting.integer(0) * Int64(percentile) / 100, Int64(maximum))
        guard count > 0 else { return nil }
        let row = try sql.statement("SELECT sequence FROM (\(Self.candidates)) ORDER BY sequence LIMIT 1 OFFSET ?1")
        defer { row.reset() }
        row.bind(1, count - 1)
        return try row.step() ? row.integer(0) : nil
    }

    private func targets(upTo bound: Int64) throws(FirestoreError) -> [(TargetID, Int64)] {
        let row = try sql.statement(
            """
            SELECT id, sequence FROM targets WHERE sequence <= ?1 AND pin = 0 AND id NOT IN (SELECT target FROM wanted_targets)
            """)
        defer { row.reset() }
        row.bind(1, bound)
        var result: [(TargetID, Int64)] = []
        while try row.step() { result.append((TargetID(truncatingIfNeeded: row.integer(0)), row.integer(1))) }
        return result
    }

    private func orphans(upTo bound: Int64) throws(FirestoreError) -> [DocumentKey] {
        let row = try sql.statement(
            """
            SELECT collection, id FROM orphans AS o WHERE sequence <= ?1
            AND NOT EXISTS (SELECT 1 FROM target_documents AS t WHERE t.collection = o.collection AND t.id = o.id)
            """)
        defer { row.reset() }
        row.bind(1, bound)
        var keys: [DocumentKey] = []
        while try row.step() { keys.append(try rows.key(in: row, at: 0)) }
        return keys
    }
}
