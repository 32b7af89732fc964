// SPDX-License-Identifier: Apache-2.0

/// How a query is answered, and at what cost (QR-71).
package struct QueryExplanation: Sendable {
    /// What the execution did; there if the query was run.
    package struct Statistics: Sendable, Hashable {
        package var results = 0
        /// Documents fetched or scanned, whether they matched or not.
        package var documentsRead = 0
        /// Index entries walked over.
        package var entriesRead = 0
        package var duration = Duration.zero
        /// What the service would charge for it.
        package var billing = Billing()

        package init() {}
    }

    /// Read operations as the service counts them.
    package struct Billing: Sendable, Hashable {
        /// Results, those that an offset skips included.
        package var documents = 0
        /// Index entries that are charged for, in aggregations and vector searches.
        package var indexEntries = 0
        /// So many of them are one read.
        package var entriesPerRead = 1_000

        package init(documents: Int = 0, indexEntries: Int = 0, entriesPerRead: Int = 1_000) {
            self.documents = documents
            self.indexEntries = indexEntries
            self.entriesPerRead = entriesPerRead
        }

        /// Every query costs at least one.
        package var readOperations: Int {
            max(1, documents + (indexEntries + entriesPerRead - 1) / entriesPerRead)
        }
    }

    /// The plan, a line per step, to be read by people.
    package var plan: String
    package var indexes: [IndexDefinition]
    /// The index that would answer the query best, when it is not there.
    package var idealIndex: IndexDefinition?
    /// Every document of the scope is looked at.
    package var scansAll: Bool
    /// What documents are found by when there is no index: their names, in one collection or in all with an id.
    package var nameIndex: IndexDefinition
    package var statistics: Statistics?

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
