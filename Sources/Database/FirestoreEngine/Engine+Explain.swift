// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

extension Engine {
    /// Explains how a query is answered at this moment; with `analyze` also runs it.
    package func explain(
        _ query: StructuredQuery, analyze: Bool, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation {
        try await prepare(query, options, context)
        return try await core.store.read { [databaseID = core.databaseID] (snapshot: any StoreSnapshot) throws(FirestoreError) in
            try QueryExecutor.explain(query, analyze: analyze, over: snapshot, database: databaseID)
        }
    }

    /// Explains how aggregates over the result of a query are computed; with `analyze` also computes them.
    package func explain(
        _ query: StructuredQuery, _ aggregations: [Aggregation], analyze: Bool, options: ReadOptions, context: RequestContext
    ) async throws(FirestoreError) -> QueryExplanation {
        try AggregationCheck.check(aggregations, over: query)
        try await prepare(query, options, context)
        return try await core.store.read { [databaseID = core.databaseID] (snapshot: any StoreSnapshot) throws(FirestoreError) in
            try QueryExecutor.explain(query, aggregations, analyze: analyze, over: snapshot, database: databaseID)
        }
    }

    private func prepare(_ query: StructuredQuery, _ options: ReadOptions, _ context: RequestContext) async throws(FirestoreError) {
        try admit(context)
        guard options.moment == .latest else { throw .invalidArgument("only the latest state can be explained") }
        try QueryCheck.check(query, database: core.databaseID)
        if options.seesSubmitted { await core.committer.pendingCommits() }
        try admit(context)
    }
}
