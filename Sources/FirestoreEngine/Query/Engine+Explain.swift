package import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

extension Engine {
    /// Says how a query is answered at this moment; with `analyze` by answering it.
    package func explain(
        _ query: StructuredQuery, analyze: Bool, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation {
        try await prepare(query, context)
        return try await core.store.read { [databaseID = core.databaseID] (snapshot: ReadTransaction) throws(FirestoreError) in
            try QueryExecutor.explain(query, analyze: analyze, over: snapshot, database: databaseID)
        }
    }

    /// Says how numbers over the result of a query are computed; with `analyze` by computing them.
    package func explain(
        _ query: StructuredQuery, _ aggregations: [Aggregation], analyze: Bool, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation {
        try AggregationCheck.check(aggregations, over: query)
        try await prepare(query, context)
        return try await core.store.read { [databaseID = core.databaseID] (snapshot: ReadTransaction) throws(FirestoreError) in
            try QueryExecutor.explain(query, aggregations, analyze: analyze, over: snapshot, database: databaseID)
        }
    }

    private func prepare(_ query: StructuredQuery, _ context: RequestContext) async throws(FirestoreError) {
        try admit(context)
        try QueryCheck.check(query, database: core.databaseID)
        if context.seesSubmitted { await core.committer.pendingCommits() }
        try admit(context)
    }
}
