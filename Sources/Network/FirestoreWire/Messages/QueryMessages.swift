// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The amount of information to report about the execution of a query (QR-71).
package enum ExplainOptions: Sendable, Hashable {
    /// The plan, without results.
    case plan
    /// The results, and in the last message the plan and the statistics.
    case analyze
}

package struct RunQueryRequest: Sendable {
    package var database: DatabaseID
    /// Its scope includes the parent.
    package var query: StructuredQuery
    package var consistency: ConsistencySelector
    package var explain: ExplainOptions?

    package init(
        database: DatabaseID, query: StructuredQuery, consistency: ConsistencySelector = .latest, explain: ExplainOptions? = nil
    ) {
        self.database = database
        self.query = query
        self.consistency = consistency
        self.explain = explain
    }
}

package struct RunQueryResponse: Sendable {
    package var database: DatabaseID
    package var document: Document?
    package var transaction: ByteSlice?
    package var readTime: DocumentVersion?
    /// The number of results omitted because of an offset (QR-41).
    package var skippedResults: Int
    package var explanation: QueryExplanation?

    package init(
        database: DatabaseID, document: Document? = nil, transaction: ByteSlice? = nil, readTime: DocumentVersion? = nil,
        skippedResults: Int = 0, explanation: QueryExplanation? = nil
    ) {
        self.database = database
        self.document = document
        self.transaction = transaction
        self.readTime = readTime
        self.skippedResults = skippedResults
        self.explanation = explanation
    }
}

package struct RunAggregationQueryRequest: Sendable {
    package var database: DatabaseID
    package var query: StructuredQuery
    package var aggregations: [Aggregation]
    package var consistency: ConsistencySelector
    package var explain: ExplainOptions?

    package init(
        database: DatabaseID, query: StructuredQuery, aggregations: [Aggregation], consistency: ConsistencySelector = .latest,
        explain: ExplainOptions? = nil
    ) {
        self.database = database
        self.query = query
        self.aggregations = aggregations
        self.consistency = consistency
        self.explain = explain
    }
}

package struct RunAggregationQueryResponse: Sendable {
    /// nil if there are no results (explain without analyze, or the message with the id of a transaction).
    package var values: [(alias: String, value: Value)]?
    package var transaction: ByteSlice?
    package var readTime: DocumentVersion?
    package var explanation: QueryExplanation?

    package init(
        values: [(alias: String, value: Value)]?, transaction: ByteSlice? = nil, readTime: DocumentVersion? = nil,
        explanation: QueryExplanation? = nil
    ) {
        self.values = values
        self.transaction = transaction
        self.readTime = readTime
        self.explanation = explanation
    }
}

package struct PartitionQueryRequest: Sendable {
    package var database: DatabaseID
    package var query: StructuredQuery
    /// The maximum number of cut points.
    package var partitionCount: Int
    package var pageSize: Int
    package var pageToken: String
    package var readTime: TimestampValue?

    package init(
        database: DatabaseID, query: StructuredQuery, partitionCount: Int, pageSize: Int = 0, pageToken: String = "",
        readTime: TimestampValue? = nil
    ) {
        self.database = database
        self.query = query
        self.partitionCount = partitionCount
        self.pageSize = pageSize
        self.pageToken = pageToken
        self.readTime = readTime
    }
}

package struct PartitionQueryResponse: Sendable {
    package var database: DatabaseID
    /// Each is one reference, the start of the next part.
    package var cuts: [DocumentKey]
    package var nextPageToken: String

    package init(database: DatabaseID, cuts: [DocumentKey], nextPageToken: String) {
        self.database = database
        self.cuts = cuts
        self.nextPageToken = nextPageToken
    }
}
