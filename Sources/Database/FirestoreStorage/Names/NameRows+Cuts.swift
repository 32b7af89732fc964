// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// With more ranges of collections than this, ranges are counted instead of their documents.
private let mostCounted = 4_096

extension NameRows {
    /// Returns at most `count` keys that split a scope, in `__name__` order, into parts of approximately equal size.
    ///
    /// Costs a walk over the keys of the scope, which are stored apart from the documents; for a scope of very many collections, a
    /// step for each of them.
    package func cuts(of scope: QueryScope, count: Int) throws(FirestoreError) -> [DocumentKey] {
        let plan = ScanPlan(try collections(in: scope), range: .all)
        guard count > 0 else { return [] }
        if plan.intervals.count > max(mostCounted, count) { return try cutsBetweenCollections(plan, count) }
        var sizes: [Int] = []
        for interval in plan.intervals {
            sizes.append(
                try self.count(in: plan.collections[interval.collection].number, from: interval.lower, upTo: interval.upper))
        }
        let total = sizes.reduce(0, +)
        // `count` may be any number.
        let parts = count < total ? count + 1 : total
        var keys: [DocumentKey] = []
        var (place, before) = (0, 0)
        // The position of the last cut in this range.
        var (lower, passed): ([UInt8]?, Int) = (nil, 0)
        for part in 1..<max(1, parts) {
            let target = total / parts * part + total % parts * part / parts
            while target - before >= sizes[place] {
                before += sizes[place]
                place += 1
                (lower, passed) = (nil, 0)
            }
            let skipped = target - before - passed
            let interval = plan.intervals[place]
            guard let id = try id(of: interval, in: plan, from: lower, at: skipped) else { continue }
            (lower, passed) = (id, target - before)
            keys.append(try key(id, in: plan.collections[interval.collection].path))
        }
        return keys
    }

    private func cutsBetweenCollections(_ plan: ScanPlan, _ count: Int) throws(FirestoreError) -> [DocumentKey] {
        var keys: [DocumentKey] = []
        let all = plan.intervals.count
        for part in 1...count {
            let interval = plan.intervals[all * part / (count + 1)]
            guard let id = try id(of: interval, in: plan, from: nil, at: 0) else { continue }
            keys.append(try key(id, in: plan.collections[interval.collection].path))
        }
        return keys
    }

    private func key(_ id: [UInt8], in collection: CollectionPath) throws(FirestoreError) -> DocumentKey {
        guard let text = id.withUnsafeBytes({ DocumentIDEncoding.decode($0) }) else {
            throw damaged("a document id in \(collection.path)")
        }
        return DocumentKey(collection: collection, id: text)
    }

    private func id(
        of interval: ScanInterval, in plan: ScanPlan, from lower: [UInt8]?, at position: Int
    ) throws(FirestoreError) -> [UInt8]? {
        try id(in: plan.collections[interval.collection].number, from: lower ?? interval.lower, upTo: interval.upper, at: position)
    }

    /// Where to split a collection into parts with approximately the same number of documents, for several readers: the first
    /// document of every part but the first. Empty if the collection has fewer than `smallest` documents.
    ///
    /// Costs a walk over the keys of the collection.
    package func boundaries(
        of collection: CollectionPath, parts: Int, smallest: Int
    ) throws(FirestoreError) -> [DocumentKey] {
        guard parts > 1, let number = try number(of: collection) else { return [] }
        let count = try self.count(in: number, from: [], upTo: DocumentIDEncoding.end)
        guard count >= max(smallest, parts) else { return [] }
        var keys: [DocumentKey] = []
        for part in 1..<parts {
            guard let id = try id(in: number, from: [], upTo: DocumentIDEncoding.end, at: count * part / parts) else { continue }
            keys.append(try key(id, in: collection))
        }
        return keys
    }
}
