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

        package init() {}
    }

    /// The plan, a line per step, to be read by people.
    package var plan: String
    package var indexes: [IndexDefinition]
    /// The index that would answer the query best, when it is not there.
    package var idealIndex: IndexDefinition?
    /// Every document of the scope is looked at.
    package var scansAll: Bool
    package var statistics: Statistics?

    package init(
        plan: String, indexes: [IndexDefinition], idealIndex: IndexDefinition? = nil, scansAll: Bool,
        statistics: Statistics? = nil
    ) {
        self.plan = plan
        self.indexes = indexes
        self.idealIndex = idealIndex
        self.scansAll = scansAll
        self.statistics = statistics
    }
}
