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

/// Documents in no target and no view that eager collection keeps until the authority has reported all targets as of their
/// acknowledged versions.
struct UnconfirmedDocuments {
    /// A server may be silent for minutes while many documents are written. Further ones are collected at once.
    static let maximum = 1_000

    private var keys: Set<DocumentKey> = []

    /// Prepares a transaction that ends with `collectOrphans`, while targets are in use.
    func enter(_ cache: CacheTransaction) { cache.unconfirmedCapacity = Self.maximum - keys.count }

    /// Lets a transaction look at all of them again. `areTargetsActive`: otherwise none is kept.
    func reconsider(in cache: CacheTransaction, areTargetsActive: Bool = true) {
        cache.potentialOrphans.formUnion(keys)
        cache.reconsidersUnconfirmed = true
        cache.unconfirmedCapacity = areTargetsActive ? Self.maximum : 0
    }

    /// The transaction was committed.
    mutating func take(_ cache: CacheTransaction) {
        if cache.reconsidersUnconfirmed { keys = [] }
        keys.formUnion(cache.unconfirmed)
    }
}

extension LocalStore {
    /// Keeps the first documents of a view from collection: those that are in no target, too. What enters later is noted with
    /// `noteViewChanges`.
    package func pin(_ keys: some Sequence<DocumentKey>, of id: TargetID) { pins.add(Set(keys), to: id) }

    /// Begins to remove targets and documents that were not used for the longest time, if the cache is larger than `threshold` bytes
    /// (SY-151); nil if nothing is to be removed. Eager collection removes nothing here.
    ///
    /// - Parameters:
    ///   - percentile: how many of the targets and documents go, in percent…
    ///   - maximum: …and how many at most. Documents that were in the targets go with them.
    package func beginCollection(
        threshold: Int64, percentile: Int = 10, maximum: Int = 1_000
    ) throws(FirestoreError) -> CacheCollection? {
        guard configuration.collection == .leastRecentlyUsed, threshold >= 0, try byteCount() >= threshold else {
            try willRun?(.collectGarbage)
            return nil
        }
        return try read(.collectGarbage) { (_, rows) throws(FirestoreError) in
            try rows.collectionBound(percentile: percentile, maximum: maximum).map { CacheCollection(bound: $0) }
        }
    }

    /// Removes the next few documents, so that the engine is not held up for long. Returns whether there is nothing left to remove.
    package func collect(_ collection: inout CacheCollection) throws(FirestoreError) -> Bool {
        let (activeIDs, pins, state) = (Set(active.keys), pins, collection)
        // What a failure of the machine brings back is collected again.
        let next = try perform(.collectGarbage, waitsForDisk: false) { (cache) throws(FirestoreError) in
            var next = state
            try cache.collect(&next, active: activeIDs, pins: pins)
            return next
        }
        collection = next
        return next.isDone
    }

    /// Gives some of the pages that removed documents have left back to the file system. Returns whether that is done.
    package func shrink() throws(FirestoreError) -> Bool { try store.shrink(pages: CacheCollection.pages) }

    /// The whole collection at once.
    package func collectGarbage(
        threshold: Int64, percentile: Int = 10, maximum: Int = 1_000
    ) throws(FirestoreError) -> CollectedGarbage {
        guard var collection = try beginCollection(threshold: threshold, percentile: percentile, maximum: maximum) else {
            return CollectedGarbage(hasRun: false, targets: 0, documents: 0)
        }
        while try !collect(&collection) {}
        while try !shrink() {}
        return collection.collected
    }
}

/// A collection of the least recently used targets and documents that is made in small steps.
package struct CacheCollection: Sendable {
    /// How many documents one step removes, or leaves behind in targets that it removes.
    static let step = 32
    /// How many pages one step gives back.
    static let pages = 64

    /// Where a pass over rows in the order of their last use has arrived.
    struct Position: Sendable {
        var sequence: Int64 = -1
        var collection: Int64 = -1
        var id: [UInt8] = []
    }

    /// The time of use up to which everything goes.
    let bound: Int64
    /// Targets first: their documents become orphans.
    var target: Position? = Position()
    var orphan = Position()
    var isDone = false
    package var collected = CollectedGarbage(hasRun: true, targets: 0, documents: 0)
}

extension CacheTransaction {
    // MARK: Eager

    /// Removes the documents that lost their last reference in this transaction (SY-150).
    func collectOrphans(_ pins: ViewPinTable) throws(FirestoreError) {
        guard isEager, !potentialOrphans.isEmpty else { return }
        for key in potentialOrphans where try !isReferenced(key, pins) {
            if try isUnconfirmed(key) { unconfirmed.append(key) } else { try removeEntry(key) }
        }
        potentialOrphans = []
    }

    /// Whether an older state of the document may still be reported, which an acknowledged write has replaced: if the cache forgot
    /// the document now, a view would show that state.
    private func isUnconfirmed(_ key: DocumentKey) throws(FirestoreError) -> Bool {
        guard unconfirmed.count < unconfirmedCapacity else { return false }
        let remote = try entry(key).remote
        return remote.isCommitted && remote.version > meta.snapshotVersion
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

    /// One step.
    func collect(
        _ collection: inout CacheCollection, active: Set<TargetID>, pins: ViewPinTable
    ) throws(FirestoreError) {
        var room = CacheCollection.step
        while room > 0, let position = collection.target {
            guard let (id, sequence) = try target(after: position, upTo: collection.bound) else {
                collection.target = nil
                break
            }
            collection.target = CacheCollection.Position(sequence: sequence, collection: Int64(id))
            if active.contains(id) { continue }
            room -= try rows.keys(of: id).count + 1
            try removeTarget(id, lastUse: sequence)
            collection.collected.targets += 1
        }
        guard room > 0 else { return }
        let orphans = try orphans(after: collection.orphan, upTo: collection.bound, limit: room)
        for (position, key) in orphans {
            collection.orphan = position
            guard try !isReferenced(key, pins) else { continue }
            try removeEntry(key)
            try run("DELETE FROM orphans WHERE collection = ?1 AND id = ?2", on: key)
            collection.collected.documents += 1
        }
        collection.isDone = orphans.count < room
    }

    /// The next target in the order of use, and then of ids.
    private func target(
        after position: CacheCollection.Position, upTo bound: Int64
    ) throws(FirestoreError) -> (id: TargetID, sequence: Int64)? {
        let row = try sql.statement(
            """
            SELECT id, sequence FROM targets WHERE (sequence, id) > (?1, ?2) AND sequence <= ?3 AND pin = 0
            AND id NOT IN (SELECT target FROM wanted_targets) ORDER BY sequence, id LIMIT 1
            """)
        defer { row.reset() }
        row.bind(1, position.sequence)
        row.bind(2, position.collection)
        row.bind(3, bound)
        return try row.step() ? (TargetID(truncatingIfNeeded: row.integer(0)), row.integer(1)) : nil
    }

    private func orphans(
        after position: CacheCollection.Position, upTo bound: Int64, limit: Int
    ) throws(FirestoreError) -> [(CacheCollection.Position, DocumentKey)] {
        let row = try sql.statement(
            """
            SELECT sequence, collection, id FROM orphans WHERE (sequence, collection, id) > (?1, ?2, ?3) AND sequence <= ?4
            ORDER BY sequence, collection, id LIMIT ?5
            """)
        let start = ByteSlice(position.id)
        defer {
            row.reset()
            withExtendedLifetime(start) {}
        }
        row.bind(1, position.sequence)
        row.bind(2, position.collection)
        row.bind(3, start.buffer)
        row.bind(4, bound)
        row.bind(5, Int64(limit))
        var found: [(CacheCollection.Position, DocumentKey)] = []
        while try row.step() {
            let id = row.blob(2).map { Array($0) } ?? []
            let position = CacheCollection.Position(sequence: row.integer(0), collection: row.integer(1), id: id)
            found.append((position, try rows.key(in: row, at: 1)))
        }
        return found
    }
}

extension CacheRows {
    /// The time of use up to which targets and documents go; nil for none. Documents that have entered a target since are counted as
    /// well, so that nothing has to be looked up for each.
    func collectionBound(percentile: Int, maximum: Int) throws(FirestoreError) -> Int64? {
        let candidates = "SELECT sequence FROM targets WHERE pin = 0 UNION ALL SELECT sequence FROM orphans"
        let counting = try source.statement("SELECT (SELECT count(*) FROM targets WHERE pin = 0) + (SELECT count(*) FROM orphans)")
        defer { counting.reset() }
        guard try counting.step() else { return nil }
        let count = min(counting.integer(0) * Int64(percentile) / 100, Int64(maximum))
        guard count > 0 else { return nil }
        let row = try source.statement("\(candidates) ORDER BY sequence LIMIT 1 OFFSET ?1")
        defer { row.reset() }
        row.bind(1, count - 1)
        return try row.step() ? row.integer(0) : nil
    }
}
