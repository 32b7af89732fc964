package import FirestoreCore

/// What an execution has touched. Written by one thread, the one that runs the query.
package final class QueryCounters {
    /// Fetched or scanned, matching or not.
    package var documentsRead = 0
    /// Index entries walked over, of all legs.
    package var entriesRead = 0

    /// Documents and entries that satisfied the query, those outside its window included.
    package var matches = 0
    /// Used by the plan.
    package var indexes: [IndexDefinition] = []

    package init() {}

    func statistics(
        results: Int, billing: QueryExplanation.Billing, duration: Duration
    ) -> QueryExplanation.Statistics {
        var statistics = QueryExplanation.Statistics()
        statistics.results = results
        statistics.billing = billing
        statistics.documentsRead = documentsRead
        statistics.entriesRead = entriesRead
        statistics.duration = duration
        return statistics
    }
}
