// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Aggregates over the result of a query (QR-62 … QR-69), without copying its documents unless it has a window.
///
/// Expects queries and aggregations that `QueryCheck` and `AggregationCheck` have accepted.
package enum AggregationExecutor {
    package static func run(
        _ query: StructuredQuery, _ aggregations: [Aggregation], over source: some DocumentSource,
        database: DatabaseID, counters: QueryCounters = QueryCounters()
    ) throws(FirestoreError) -> [(alias: String, value: Value)] {
        var state = AggregationState(aggregations)
        let query = base(of: query, requiring: state.requiredFields)
        if query.nearest != nil {
            for document in try QueryAnswer.documents(of: query, over: source, database: database, counters: counters) {
                defer { withExtendedLifetime(document) {} }
                if state.add(document.fields.view) == .stop { break }
            }
        } else if state.onlyCounts {
            state.add(
                count: try QueryExecutor.count(
                    query, over: source, database: database, upTo: state.sufficientCount, counters: counters))
        } else if try !IndexedSum.add(query, to: &state, over: source, database: database, counters: counters) {
            try QueryExecutor.forEach(query, over: source, database: database, counters: counters) { scanned in
                state.add(scanned.view)
            }
        }
        return state.answers
    }

    /// The query whose result is aggregated: whole documents, in an order that matters only to its window.
    ///
    /// The result is also ordered by the summed fields, after the explicit orders, as an index on them would order it:
    /// this determines which documents are within a limit. The emulator does the same.
    private static func base(
        of query: StructuredQuery, requiring fields: [FieldPathSegments]
    ) -> StructuredQuery {
        var base = query
        base.projection = nil
        guard base.limit != nil || base.offset > 0, query.nearest == nil,
            !query.orders.contains(where: { $0.path.isDocumentID })
        else { return base }
        let direction = query.orders.last?.direction ?? .ascending
        base.orders = query.effectiveOrders.dropLast()
        for field in fields where !base.orders.contains(where: { $0.path == field }) {
            base.orders.append(SortOrder(path: field, direction: direction))
        }
        return base
    }
}
