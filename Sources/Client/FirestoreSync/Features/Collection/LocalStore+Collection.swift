// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSQLite
import FirestoreStorage

extension LocalStore {
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
            let bound = try rows.collectionBound(percentile: percentile, maximum: maximum, where: features.collectable)
            return bound.map { CacheCollection(bound: $0) }
        }
    }

    /// Removes the next few documents, so that the engine is not held up for long. Returns whether there is nothing left to remove.
    package func collect(_ collection: inout CacheCollection) throws(FirestoreError) -> Bool {
        let (activeIDs, viewed, state) = (Set(active.keys), viewed, collection)
        // What a failure of the machine brings back is collected again.
        let next = try perform(.collectGarbage, waitsForDisk: false) { (cache) throws(FirestoreError) in
            var next = state
            try cache.collect(&next, active: activeIDs, viewed: viewed)
            return next
        }
        collection = next
        return next.isDone
    }

    /// Gives some of the pages that removed documents have left back to the file system. Returns whether that is done.
    package func shrink() throws(FirestoreError) -> Bool { try store.shrink(pages: CacheCollection.pages) }

    /// Makes a whole collection, without steps between.
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

    /// The position of a pass over rows in the order of their last use.
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
    /// One step.
    func collect(
        _ collection: inout CacheCollection, active: Set<TargetID>, viewed: ViewedDocuments
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
            guard try !isReferenced(key, viewed) else { continue }
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
        try sql.first(
            """
            SELECT id, sequence FROM targets WHERE (sequence, id) > (?1, ?2) AND sequence <= ?3 AND \(features.collectable)
            ORDER BY sequence, id LIMIT 1
            """, position.sequence, position.collection, bound
        ) { (TargetID(truncatingIfNeeded: $0.integer(0)), $0.integer(1)) }
    }

    private func orphans(
        after position: CacheCollection.Position, upTo bound: Int64, limit: Int
    ) throws(FirestoreError) -> [(CacheCollection.Position, DocumentKey)] {
        try sql.all(
            """
            SELECT sequence, collection, id FROM orphans WHERE (sequence, collection, id) > (?1, ?2, ?3) AND sequence <= ?4
            ORDER BY sequence, collection, id LIMIT ?5
            """, position.sequence, position.collection, position.id, bound, Int64(limit)
        ) { (row) throws(FirestoreError) in
            let id = row.blob(2).map { Array($0) } ?? []
            let position = CacheCollection.Position(sequence: row.integer(0), collection: row.integer(1), id: id)
            return (position, try rows.key(in: row, at: 1))
        }
    }
}

extension CacheRows {
    /// The time of use up to which targets and documents go; nil for none. Documents that have entered a target since are counted as
    /// well, so that nothing has to be looked up for each.
    func collectionBound(percentile: Int, maximum: Int, where collectable: String) throws(FirestoreError) -> Int64? {
        let candidates = "SELECT sequence FROM targets WHERE \(collectable) UNION ALL SELECT sequence FROM orphans"
        let total = try source.first("SELECT count(*) FROM (\(candidates))") { $0.integer(0) } ?? 0
        let count = min(total * Int64(percentile) / 100, Int64(maximum))
        guard count > 0 else { return nil }
        return try source.first("\(candidates) ORDER BY sequence LIMIT 1 OFFSET ?1", count - 1) { $0.integer(0) }
    }
}

/// The result of a garbage collection.
package struct CollectedGarbage: Sendable, Equatable {
    package var hasRun: Bool
    package var targets: Int
    package var documents: Int
}
