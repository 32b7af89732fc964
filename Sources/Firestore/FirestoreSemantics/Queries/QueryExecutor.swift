// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Answers queries over one consistent snapshot of a database. Expects queries that `QueryCheck` has accepted.
package enum QueryExecutor {
    /// The result, in order.
    package static func run(
        _ query: StructuredQuery, over source: some DocumentSource, database: DatabaseID,
        counters: QueryCounters = QueryCounters()
    ) throws(FirestoreError) -> [Document] {
        let plan = try plan(query, over: source, database: database)
        return try run(plan, of: query, over: source, database: database, counters: counters)
    }

    /// Plans with the indexes of this snapshot.
    package static func plan(
        _ query: StructuredQuery, over source: some DocumentSource, database: DatabaseID
    ) throws(FirestoreError) -> QueryPlan {
        let indexes = try query.scope.indexedCollectionID.map { id throws(FirestoreError) in try source.indexes(on: id) }
        return QueryPlanner.plan(query, database: database, indexes: indexes ?? [])
    }

    /// Executes a plan.
    package static func run(
        _ plan: QueryPlan, of query: StructuredQuery, over source: some DocumentSource, database: DatabaseID,
        counters: QueryCounters = QueryCounters()
    ) throws(FirestoreError) -> [Document] {
        let candidates = Candidates(plan: plan, query: query, source: source, database: database, counters: counters)
        switch plan.arrangement {
        case .asFound:
            var result: [Document] = []
            try candidates.window { scanned in
                result.append(scanned.document())
                return .next
            }
            return result
        case .top(let count):
            var top = TopRows(capacity: count, ordering: DocumentOrdering(plan.orders))
            try candidates.forEach { scanned in
                top.offer(scanned)
                return .next
            }
            return Array(top.sorted().dropFirst(plan.offset))
        case .sort:
            let ordering = DocumentOrdering(plan.orders)
            var rows: [SortRow] = []
            try candidates.forEach { scanned in
                rows.append(ordering.row(scanned.document()))
                return .next
            }
            rows.sort(by: ordering.precedes)
            let rest = rows.dropFirst(plan.offset)
            return (plan.limit.map { rest.prefix($0) } ?? rest).map(\.document)
        }
    }

    /// The documents of a result in any order, in place: only an unordered window copies documents.
    package static func forEach(
        _ query: StructuredQuery, over source: some DocumentSource, database: DatabaseID,
        counters: QueryCounters = QueryCounters(),
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        try forEach(
            try plan(query, over: source, database: database), of: query, over: source, database: database, counters: counters, body)
    }

    /// What a plan finds: in its order, if it has one.
    package static func forEach(
        _ plan: QueryPlan, of query: StructuredQuery, over source: some DocumentSource, database: DatabaseID,
        counters: QueryCounters = QueryCounters(),
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        let candidates = Candidates(plan: plan, query: query, source: source, database: database, counters: counters)
        if plan.arrangement.isAsFound { return try candidates.window(body) }
        if plan.limit == nil, plan.offset == 0 { return try candidates.forEach(body) }
        for document in try run(plan, of: query, over: source, database: database, counters: counters) {
            if try document.withScanned(body) == .stop { return }
        }
    }

    /// The number of documents in the result, up to `upTo`; computed from index entries alone where possible.
    package static func count(
        _ query: StructuredQuery, over source: some DocumentSource, database: DatabaseID, upTo: Int? = nil,
        counters: QueryCounters = QueryCounters()
    ) throws(FirestoreError) -> Int {
        let plan = try plan(query, over: source, database: database)
        // Documents after this are not read: the order of the result does not affect their number.
        let last = [plan.limit, upTo].compactMap { $0 }.min()
        guard last != 0 else { return 0 }
        let most = last.map { $0.addingReportingOverflow(plan.offset) }.flatMap { $0.overflow ? nil : $0.partialValue }
        let candidates = Candidates(plan: plan, query: query, source: source, database: database, counters: counters)
        let found = try candidates.count(upTo: most)
        return max(0, found - plan.offset)
    }
}

extension Document {
    /// Passes a document to `body` as if it were found in a scan.
    package func withScanned<R>(
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> R {
        let id = ByteSlice(Array(key.id.utf8))
        defer { withExtendedLifetime((self, id)) {} }
        return try body(
            ScannedDocument(
                collection: key.collection, id: id.buffer, createTime: createTime, updateTime: updateTime,
                fields: fields.bytes.buffer))
    }
}
