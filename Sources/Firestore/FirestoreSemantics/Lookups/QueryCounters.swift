// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The work of an execution. Written by one thread, which runs the query.
package final class QueryCounters {
    /// Documents that were fetched or scanned, matching or not.
    package var documentsRead = 0
    /// Index entries that were read, in all legs.
    package var entriesRead = 0

    /// Documents and entries that met the query, including those outside its window.
    package var matches = 0
    /// The indexes of the plan.
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
