// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// How the database answers a query, and its cost.
///
/// Print it: the description has the plan, the indexes and the figures, one per line.
///
/// Beyond the Apple SDK.
public struct ExplainResults: Sendable {
    /// The cost of running the query.
    public struct Statistics: Sendable, Hashable {
        /// Documents in the result.
        public let results: Int
        /// Documents that were read, whether they are in the result or not.
        public let documentsRead: Int
        /// Index entries that were read.
        public let indexEntriesRead: Int
        /// The time from planning to the result, without decoding.
        public let duration: Duration
    }

    /// The steps, one per line, for people to read. The wording may change.
    public let plan: String
    /// The indexes that are used, as `cities(country, population desc)`.
    public let indexes: [String]
    /// The index that would answer the query best, if it does not exist.
    public let suggestedIndex: String?
    /// Whether every document of the collection is read.
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
    /// The plan, the indexes and the figures, one per line.
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
    /// Reports how the query is answered, by running it and counting what it reads.
    ///
    /// ```swift
    /// print(try await cities.order(by: "population").limit(to: 10).explain())
    /// ```
    /// Sees every write made before the call, except queued ones if the database is on a server.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameter analyze: Whether to run the query. If false, it is only planned, and there are no statistics.
    /// - Throws: `invalidArgument` for an invalid query, `unavailable` if the server cannot be reached.
    public nonisolated(nonsending) func explain(analyze: Bool = true) async throws -> ExplainResults {
        try await firestore.reading { ExplainResults(try await $0.explain(try self.runnable.get(), analyze: analyze)) }
    }
}
