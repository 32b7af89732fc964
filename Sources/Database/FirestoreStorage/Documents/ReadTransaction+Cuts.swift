// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import GRDB

extension ReadTransaction {
    /// With more ranges of collections than this, ranges are counted instead of their documents.
    private static let mostCounted = 4_096

    /// Returns at most `count` keys that split a scope, in `__name__` order, into parts of approximately equal size.
    ///
    /// Costs a walk over the keys of the scope, which are stored apart from the documents; for a scope of very many collections, a
    /// step for each of them.
    package func cuts(of scope: QueryScope, count: Int) throws(FirestoreError) -> [DocumentKey] {
        let plan = ScanPlan(try collections(in: scope), range: .all)
        guard count > 0 else { return [] }
        if plan.intervals.count > max(Self.mostCounted, count) { return try cutsBetweenCollections(plan, count) }
        var sizes: [Int] = []
        for interval in plan.intervals {
            let statement = try self.statement("SELECT count(*) FROM documents WHERE collection = ?1 AND id >= ?2 AND id < ?3")
            defer { statement.reset() }
            bind(interval, of: plan, to: statement)
            sizes.append(try statement.step() ? Int(statement.integer(0)) : 0)
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
            guard let id = try document(in: plan, plan.intervals[place], from: lower, skipping: skipped) else { continue }
            (lower, passed) = (id, target - before)
            keys.append(try key(id, in: plan.collections[plan.intervals[place].collection].path))
        }
        return keys
    }

    private func cutsBetweenCollections(_ plan: ScanPlan, _ count: Int) throws(FirestoreError) -> [DocumentKey] {
        var keys: [DocumentKey] = []
        let all = plan.intervals.count
        for part in 1...count {
            let interval = plan.intervals[all * part / (count + 1)]
            guard let id = try document(in: plan, interval, from: nil, skipping: 0) else { continue }
            keys.append(try key(id, in: plan.collections[interval.collection].path))
        }
        return keys
    }

    private func key(_ id: [UInt8], in collection: CollectionPath) throws(FirestoreError) -> DocumentKey {
        guard let text = id.withUnsafeBytes({ DocumentIDEncoding.decode($0) }) else {
            throw errors.damaged("a document id in \(collection.path)")
        }
        return DocumentKey(collection: collection, id: text)
    }

    private func document(
        in plan: ScanPlan, _ interval: ScanInterval, from lower: [UInt8]?, skipping count: Int
    ) throws(FirestoreError) -> [UInt8]? {
        let statement = try self.statement(
            "SELECT id FROM documents WHERE collection = ?1 AND id >= ?2 AND id < ?3 ORDER BY id LIMIT 1 OFFSET ?4")
        defer { statement.reset() }
        bind(interval, of: plan, to: statement)
        if let lower { statement.bind(2, copying: lower) }
        statement.bind(4, Int64(count))
        return try statement.step() ? statement.blob(0).map { [UInt8]($0) } : nil
    }

    private func bind(_ interval: ScanInterval, of plan: ScanPlan, to statement: SQLStatement) {
        statement.bind(1, plan.collections[interval.collection].number)
        statement.bind(2, copying: interval.lower)
        statement.bind(3, copying: interval.upper)
    }
}
