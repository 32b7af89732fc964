import FirestoreCore

/// How the database answers a query, and what that costs.
///
/// `print` it: the description is the plan, the indexes and the figures, a line each.
public struct ExplainResults: Sendable {
    /// What running the query took.
    public struct Statistics: Sendable, Hashable {
        /// Documents in the result.
        public let results: Int
        /// Documents that were looked at, whether they are in the result or not.
        public let documentsRead: Int
        /// Index entries that were walked over.
        public let indexEntriesRead: Int
        /// From the plan to the result, without decoding.
        public let duration: Duration
    }

    /// The steps, a line each, for people to read; the wording may change.
    public let plan: String
    /// The indexes that are used, as `cities(country, population desc)`.
    public let indexes: [String]
    /// The index that would answer the query best, if it is not there.
    public let suggestedIndex: String?
    /// Whether every document of the collection is looked at.
    public let scansCollection: Bool
    /// The figures; nil if the query was not run.
    public let statistics: Statistics?

    init(_ explanation: QueryExplanation) {
        plan = explanation.plan
        indexes = explanation.indexes.map(\.description)
        suggestedIndex = explanation.idealIndex?.description
        scansCollection = explanation.scansAll
        statistics = explanation.statistics.map { statistics in
            Statistics(
                results: statistics.results, documentsRead: statistics.documentsRead,
                indexEntriesRead: statistics.entriesRead, duration: statistics.duration)
        }
    }
}

extension ExplainResults: CustomStringConvertible {
    /// Everything, a line each.
    public var description: String {
        var lines = [plan]
        if let suggestedIndex { lines.append("better with index \(suggestedIndex)") }
        if let statistics {
            lines.append(
                "\(statistics.results) results of \(statistics.documentsRead) documents and "
                    + "\(statistics.indexEntriesRead) index entries, in \(statistics.duration)")
        }
        return lines.joined(separator: "\n")
    }
}

extension Query {
    /// Says how the query is answered, by running it and counting what it touches.
    ///
    /// ```swift
    /// print(try await cities.order(by: "population").limit(to: 10).explain())
    /// ```
    /// Sees every write made before the call.
    /// - Parameter analyze: Whether to run it; if not, only the plan is made, and there are no figures.
    /// - Throws: `invalidArgument` for a query that cannot be asked.
    public nonisolated(nonsending) func explain(analyze: Bool = true) async throws -> ExplainResults {
        try await firestore.reading { ExplainResults(try await $0.explain(try self.runnable.get(), analyze: analyze)) }
    }
}
