package import FirestoreCore

extension QueryExecutor {
    /// How the query is answered in this view; with `analyze` it is run and what it touches is counted.
    package static func explain(
        _ query: StructuredQuery, analyze: Bool, over source: some DocumentSource, database: DatabaseID
    ) throws(FirestoreError) -> QueryExplanation {
        let plan = try plan(query, over: source, database: database)
        let ready = try query.scope.indexedCollectionID.map { id throws(FirestoreError) in try source.indexes(on: id) }
        var explanation = QueryExplanation(
            plan: plan.description, indexes: plan.indexes,
            idealIndex: missingIndex(for: query, ready: (ready ?? []).map(\.definition)), scansAll: plan.scansAll)
        if analyze {
            let counters = QueryCounters()
            let clock = ContinuousClock()
            let start = clock.now
            let results = try run(plan, of: query, over: source, database: database, counters: counters)
            explanation.statistics = counters.statistics(results: results.count, duration: clock.now - start)
        }
        return explanation
    }

    /// The best index for the query that is not there yet.
    package static func missingIndex(
        for query: StructuredQuery, ready: [IndexDefinition]
    ) -> IndexDefinition? {
        IdealIndex.all(for: query).first { ideal in !ready.contains { $0 == ideal || $0.reversed == ideal } }
    }
}
