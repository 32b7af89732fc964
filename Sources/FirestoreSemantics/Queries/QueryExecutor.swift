package import FirestoreCore

/// Answers queries over one consistent view of a database. Expects queries that `QueryCheck` has let through.
package enum QueryExecutor {
    package static func run(
        _ query: StructuredQuery, over source: some DocumentSource, database: DatabaseID
    ) throws(FirestoreError) -> [Document] {
        try run(QueryPlanner.plan(query, database: database), of: query, over: source, database: database)
    }

    /// Interprets a plan.
    package static func run(
        _ plan: QueryPlan, of query: StructuredQuery, over source: some DocumentSource, database: DatabaseID
    ) throws(FirestoreError) -> [Document] {
        let candidates = Candidates(
            access: plan.access, scope: query.scope, source: source,
            matcher: QueryMatcher(query, database: database))
        let ordering = DocumentOrdering(plan.orders)
        switch plan.arrangement {
        case .asScanned:
            return try candidates.first(plan.wanted, after: plan.offset)
        case .top(let count):
            var top = TopRows(capacity: count, ordering: ordering)
            try candidates.forEach { scanned throws(FirestoreError) in top.offer(scanned) } looked: { top.offer($0) }
            return Array(top.sorted().dropFirst(plan.offset))
        case .sort:
            var rows: [SortRow] = []
            try candidates.forEach { scanned throws(FirestoreError) in
                rows.append(ordering.row(scanned.document()))
            } looked: {
                rows.append(ordering.row($0))
            }
            rows.sort(by: ordering.precedes)
            let rest = rows.dropFirst(plan.offset)
            return (plan.limit.map { rest.prefix($0) } ?? rest).map(\.document)
        }
    }
}

/// The matching documents an access yields.
private struct Candidates<Source: DocumentSource> {
    let access: QueryPlan.Access
    let scope: QueryScope
    let source: Source
    let matcher: QueryMatcher

    func forEach(
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> Void, looked: (Document) -> Void
    ) throws(FirestoreError) {
        switch access {
        case .nothing: return
        case .keys(let keys):
            for key in keys {
                if let document = try source.document(key), matcher.matches(document) { looked(document) }
            }
        case .scan(let range, let descending):
            try source.scan(scope, range: range, descending: descending) { scanned throws(FirestoreError) in
                if matcher.matches(scanned) { try body(scanned) }
                return .next
            }
        }
    }

    /// In the order of the access; walks no further than needed.
    func first(_ wanted: Int?, after offset: Int) throws(FirestoreError) -> [Document] {
        guard case .scan(let range, let descending) = access else { return [] }
        var result: [Document] = []
        var found = 0
        try source.scan(scope, range: range, descending: descending) { scanned throws(FirestoreError) in
            guard matcher.matches(scanned) else { return .next }
            found += 1
            if found > offset { result.append(scanned.document()) }
            return found == wanted ? .stop : .next
        }
        return result
    }
}
