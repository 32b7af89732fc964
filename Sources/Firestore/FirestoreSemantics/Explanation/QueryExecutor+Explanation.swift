// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension QueryExecutor {
    /// How the query is answered in this snapshot. With `analyze` it is run, and its work is counted.
    package static func explain(
        _ query: StructuredQuery, analyze: Bool, over source: some DocumentSource, database: DatabaseID
    ) throws(FirestoreError) -> QueryExplanation {
        try explain(query, analyze: analyze, over: source, database: database) { counters throws(FirestoreError) in
            let results = try QueryAnswer.documents(of: query, over: source, database: database, counters: counters).count
            guard query.nearest == nil else {
                // A vector search is charged for the vectors it compares, a hundred at a time.
                return (results, .init(documents: results, indexEntries: counters.matches, entriesPerRead: 100))
            }
            let skipped = results > 0 ? query.offset : min(query.offset, counters.matches)
            return (results, .init(documents: results + skipped))
        }
    }

    /// Explains an aggregation over the result of a query, which returns one row.
    package static func explain(
        _ query: StructuredQuery, _ aggregations: [Aggregation], analyze: Bool, over source: some DocumentSource,
        database: DatabaseID
    ) throws(FirestoreError) -> QueryExplanation {
        try explain(query, analyze: analyze, over: source, database: database) { counters throws(FirestoreError) in
            _ = try AggregationExecutor.run(query, aggregations, over: source, database: database, counters: counters)
            return (1, .init(indexEntries: counters.matches))
        }
    }

    private static func explain(
        _ query: StructuredQuery, analyze: Bool, over source: some DocumentSource, database: DatabaseID,
        run: (QueryCounters) throws(FirestoreError) -> (results: Int, billing: QueryExplanation.Billing)
    ) throws(FirestoreError) -> QueryExplanation {
        let plan = try plan(query, over: source, database: database)
        let ready = try query.scope.indexedCollectionID.map { id throws(FirestoreError) in try source.indexes(on: id) }
        var explanation = QueryExplanation(
            plan: plan.description, indexes: plan.indexes,
            idealIndex: missingIndex(for: query, ready: (ready ?? []).map(\.definition)), scansAll: plan.scansAll,
            nameIndex: plan.nameIndex(of: query.scope))
        if analyze {
            let counters = QueryCounters()
            let clock = ContinuousClock()
            let start = clock.now
            let (results, billing) = try run(counters)
            explanation.statistics = counters.statistics(results: results, billing: billing, duration: clock.now - start)
        }
        return explanation
    }

    /// The best index for the query, if it does not exist.
    package static func missingIndex(
        for query: StructuredQuery, ready: [IndexDefinition]
    ) -> IndexDefinition? {
        IdealIndex.all(for: query).first { ideal in !ready.contains { $0 == ideal || $0.reversed == ideal } }
    }
}

extension QueryPlan {
    /// The scan of names that a plan without an index uses.
    fileprivate func nameIndex(of scope: QueryScope) -> IndexDefinition {
        let isDescending = if case .scan(_, descending: true) = access { true } else { false }
        let isGroup = if case .collection = scope { false } else { true }
        return IndexDefinition(
            collectionID: scope.indexedCollectionID ?? "", scope: isGroup ? .collectionGroup : .collection, fields: [],
            nameDirection: isDescending ? .descending : .ascending)
    }
}
