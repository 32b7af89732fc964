// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation

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
    /// Whether the cache answers. False for the embedded database.
    public let isFromCache: Bool
    /// The server's time as of which the cache has the whole result: the query, or a pinned one that contains its result, was
    /// synchronized then. nil if it never was, and if the cache does not answer.
    public let asOf: Date?

    init(_ explanation: QueryExplanation) {
        plan = explanation.plan
        switch explanation.origin {
        case .authority:
            isFromCache = false
            asOf = nil
        case .cache(let version):
            isFromCache = true
            asOf = version.map { Date(timeIntervalSince1970: Double($0.microseconds) / 1_000_000) }
        }
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
    /// The plan, the indexes, the figures, and what the cache knows, one per line.
    public var description: String {
        var lines = [plan]
        if let suggestedIndex { lines.append("better with index \(suggestedIndex)") }
        if let statistics {
            lines.append(
                "\(statistics.results) results of \(statistics.documentsRead) documents and "
                    + "\(statistics.indexEntriesRead) index entries, in \(statistics.duration)")
        }
        if isFromCache {
            lines.append(
                asOf.map { "answered from the cache, complete as of \($0.formatted(.iso8601))" }
                    ?? "answered from the cache, which may lack results: the query was never synchronized")
        }
        return lines.joined(separator: "\n")
    }
}

extension Query {
    /// Reports how the query is answered, by running it and counting its reads.
    ///
    /// ```swift
    /// print(try await cities.order(by: "population").limit(to: 10).explain())
    /// ```
    /// Sees every write made before the call, except queued ones if the database is on a server.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameter analyze: Whether to run the query. If false, it is only planned, and there are no statistics.
    /// - Throws: `invalidArgument` for an invalid query, `unavailable` if the server cannot be reached, `permissionDenied` from a server in
    ///   production, which explains queries to administrators only.
    public nonisolated(nonsending) func explain(analyze: Bool = true) async throws -> ExplainResults {
        try await firestore.reading { ExplainResults(try await $0.explain(try self.runnable.get(), analyze: analyze)) }
    }

    /// Reports how the query is answered by a source.
    ///
    /// The source `cache` needs no server: the plan is that of the cache, queued writes are seen, and ``ExplainResults/asOf`` says as of
    /// when the answer is complete. The other sources, a database without a cache, and the embedded one answer as ``explain(analyze:)``.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameters:
    ///   - analyze: Whether to run the query. If false, it is only planned, and there are no statistics.
    ///   - source: Where the query would be answered.
    /// - Throws: `invalidArgument` for an invalid query.
    public nonisolated(nonsending) func explain(analyze: Bool = true, source: FirestoreSource) async throws -> ExplainResults {
        try await firestore.reading { backend in
            let query = try self.runnable.get()
            if source == .cache, let explanation = try await backend.explainFromCache(query, analyze: analyze) {
                return ExplainResults(explanation)
            }
            return ExplainResults(try await backend.explain(query, analyze: analyze))
        }
    }
}
