// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
public import Foundation

/// Where an aggregation is computed.
public enum AggregateSource: UInt, Sendable {
    /// By the server, which does not know pending writes. An embedded database is its own server.
    case server = 0
    /// From the cache, pending writes included: over the documents that are known on this machine, so that it may be behind
    /// the server. Without a cache the same as `server`.
    ///
    /// Beyond the Apple SDK.
    case cache = 1
    // A case, because an AggregateSource is only ever passed to this module; with the one case of the Apple SDK there is nothing to
    // switch over.
    /// By the server; if it cannot be reached, from the cache. ``AggregateQuerySnapshot/isFromCache`` says which. Without a cache
    /// the same as `server`.
    ///
    /// Beyond the Apple SDK.
    case serverElseCache = 2

    var internalForm: ReadSource {
        switch self {
        case .server: .server
        case .cache: .cache
        case .serverElseCache: .default
        }
    }
}

/// An aggregation over the result of a query, made by `Query.count` and `Query.aggregate(_:)`.
///
/// An aggregation can be run once or several times; it cannot be listened to.
public final class AggregateQuery: NSObject, Sendable {
    /// The query whose result is aggregated.
    public let query: Query
    let fields: [AggregateField]

    init(query: Query, fields: [AggregateField]) {
        self.query = query
        self.fields = fields
        super.init()
    }

    /// Runs the aggregation.
    ///
    /// Sees every write made before the call, except that a server does not see writes that are still queued. `completion`
    /// is called on the queue of the settings, with `unavailable` if the server is needed and cannot be reached, and with
    /// `invalidArgument` for an invalid query, a malformed field path, no aggregate or more than five. Counting reads
    /// index entries if an index answers the query, otherwise the documents of the result.
    public func getAggregation(
        source: AggregateSource, completion: @escaping (AggregateQuerySnapshot?, (any Error)?) -> Void
    ) {
        query.firestore.deliver(UserCallback(completion)) { try await self.fetch($0, from: source) }
    }

    /// Runs the aggregation.
    ///
    /// Sees every write made before the call, except that a server does not see writes that are still queued. Throws
    /// `unavailable` if the server is needed and cannot be reached, `invalidArgument` for an invalid query, a malformed field
    /// path, no aggregate or more than five. Counting reads index entries if an index answers the query, otherwise the documents
    /// of the result.
    public nonisolated(nonsending) func getAggregation(source: AggregateSource) async throws -> AggregateQuerySnapshot {
        try await query.firestore.reading { try await self.fetch($0, from: source) }
    }

    private func fetch(_ backend: any ClientBackend, from source: AggregateSource) async throws -> AggregateQuerySnapshot {
        let response = try await backend.aggregate(
            try query.runnable.get(), try aggregations.get(), from: source.internalForm)
        return AggregateQuerySnapshot(query: self, values: response.values.map(\.value), isFromCache: response.isFromCache)
    }

    /// Requests each distinct aggregate once, under generated names: the answers cannot collide, whatever the fields
    /// are called (QR-69).
    private var aggregations: Result<[Aggregation], FirestoreError> {
        Result { () throws(FirestoreError) in
            var result: [Aggregation] = []
            for (position, field) in distinctFields.enumerated() {
                result.append(Aggregation(try field.kind.get(), alias: "aggregation_\(position)"))
            }
            return result
        }
    }

    /// In the order of the answers.
    var distinctFields: [AggregateField] {
        fields.enumerated().filter { position, field in !fields[..<position].contains(field) }.map(\.element)
    }

    /// Equal when query and aggregates are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AggregateQuery else { return false }
        return query == other.query && fields == other.fields
    }

    /// Combines query and aggregates.
    public override var hash: Int { Hasher.hash(query, fields) }

    /// The aggregates and the query.
    public override var description: String { "<AggregateQuery: \(fields) of \(query)>" }
}

extension Query {
    /// An aggregation that counts the documents in the result.
    public var count: AggregateQuery { aggregate([.count()]) }

    /// An aggregation of up to five aggregates over the result.
    public func aggregate(_ aggregateFields: [AggregateField]) -> AggregateQuery {
        AggregateQuery(query: self, fields: aggregateFields)
    }
}
