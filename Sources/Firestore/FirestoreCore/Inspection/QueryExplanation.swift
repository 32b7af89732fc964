// SPDX-License-Identifier: Apache-2.0

/// How a query is answered, and its cost (QR-71).
package struct QueryExplanation: Sendable {
    /// The statistics of the execution; present if the query was run.
    package struct Statistics: Sendable, Hashable {
        package var results = 0
        /// Documents fetched or scanned, whether or not they matched.
        package var documentsRead = 0
        /// Index entries visited.
        package var entriesRead = 0
        package var duration = Duration.zero
        /// The reads that the service would bill.
        package var billing = Billing()

        package init() {}
    }

    /// Read operations, as the service counts them.
    package struct Billing: Sendable, Hashable {
        /// Results, including those that an offset skips.
        package var documents = 0
        /// Index entries that are billed, in aggregations and vector searches.
        package var indexEntries = 0
        /// The number of them that make one read.
        package var entriesPerRead = 1_000

        package init(documents: Int = 0, indexEntries: Int = 0, entriesPerRead: Int = 1_000) {
            self.documents = documents
            self.indexEntries = indexEntries
            self.entriesPerRead = entriesPerRead
        }

        /// Every query costs at least one read.
        package var readOperations: Int {
            max(1, documents + (indexEntries + entriesPerRead - 1) / entriesPerRead)
        }
    }

    /// The plan for display, a line per step.
    package var plan: String
    package var indexes: [IndexDefinition]
    /// The index that would answer the query best, if it does not exist.
    package var idealIndex: IndexDefinition?
    /// Whether every document of the scope is read.
    package var scansAll: Bool
    /// The index that finds documents without other indexes: their names, in one collection or in all with an id.
    package var nameIndex: IndexDefinition
    package var statistics: Statistics?
    package var origin = Origin.authority

    /// The source of the answer.
    package enum Origin: Sendable, Hashable {
        case authority
        /// The version is the authority's, as of which the cache has the whole result; nil: it never had.
        case cache(completeAsOf: DocumentVersion?)
    }

    package init(
        plan: String, indexes: [IndexDefinition], idealIndex: IndexDefinition? = nil, scansAll: Bool,
        nameIndex: IndexDefinition = IndexDefinition(collectionID: "", fields: []), statistics: Statistics? = nil
    ) {
        self.nameIndex = nameIndex
        self.plan = plan
        self.indexes = indexes
        self.idealIndex = idealIndex
        self.scansAll = scansAll
        self.statistics = statistics
    }
}
