import FirestoreCore
public import Foundation

/// Where an aggregation is computed.
public enum AggregateSource: UInt, Sendable {
    /// By the database; an embedded one is its own server.
    case server = 0
}

/// Numbers to be computed over the result of a query, made by `Query.count` and `Query.aggregate(_:)`.
///
/// It can be run, not listened to.
public final class AggregateQuery: NSObject, Sendable {
    /// The query whose result is aggregated.
    public let query: Query
    let fields: [AggregateField]

    init(query: Query, fields: [AggregateField]) {
        self.query = query
        self.fields = fields
        super.init()
    }

    /// Computes the numbers.
    ///
    /// Sees every write made before the call. `completion` is called on the queue of the settings, with
    /// `invalidArgument` for a query that cannot be asked, a malformed field path, no number at all or more than five.
    /// Counting costs the index entries where an index answers the query, else the documents of the result.
    public func getAggregation(
        source: AggregateSource, completion: @escaping (AggregateQuerySnapshot?, (any Error)?) -> Void
    ) {
        query.firestore.deliver(UserCallback(completion)) { try await self.fetch($0) }
    }

    /// Computes the numbers.
    ///
    /// Sees every write made before the call. Throws `invalidArgument` for a query that cannot be asked, a malformed
    /// field path, no number at all or more than five.
    public nonisolated(nonsending) func getAggregation(source: AggregateSource) async throws -> AggregateQuerySnapshot {
        try await query.firestore.reading { try await self.fetch($0) }
    }

    private func fetch(_ backend: any ClientBackend) async throws -> AggregateQuerySnapshot {
        let response = try await backend.aggregate(try query.runnable.get(), try aggregations.get())
        return AggregateQuerySnapshot(query: self, values: response.values.map(\.value))
    }

    /// Asks for every number once, by names of our own: whatever the fields are called, the answers cannot collide
    /// (QR-69).
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

    /// Equal when query and numbers are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AggregateQuery else { return false }
        return query == other.query && fields == other.fields
    }

    /// Combines query and numbers.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(query)
        hasher.combine(fields)
        return hasher.finalize()
    }

    /// The numbers and the query.
    public override var description: String { "<AggregateQuery: \(fields) of \(query)>" }
}

extension Query {
    /// The number of documents in the result, as something to be asked for.
    public var count: AggregateQuery { aggregate([.count()]) }

    /// Numbers over the result, as something to be asked for: up to five.
    public func aggregate(_ aggregateFields: [AggregateField]) -> AggregateQuery {
        AggregateQuery(query: self, fields: aggregateFields)
    }
}
