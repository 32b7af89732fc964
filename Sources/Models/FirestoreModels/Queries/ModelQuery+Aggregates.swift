// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore

extension ModelQuery {
    /// The number of documents in the result.
    ///
    /// Counted by the database, which does not send the documents; throws `unavailable` if it cannot be reached.
    public nonisolated(nonsending) func count(source: AggregateSource = .server) async throws -> Int {
        try await aggregate(.count, source: source)
    }

    /// The sum of the numbers in a field: an `Int` for integers, otherwise a `Double`.
    ///
    /// Throws `outOfRange` if the sum of an integer field is not an `Int`: Firestore gives a double for sums beyond 64 bits.
    public nonisolated(nonsending) func sum<Number: FirestoreNumber, Kind>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Number, Kind>>, source: AggregateSource = .server
    ) async throws -> Number.Sum {
        try await aggregate(TypedAggregate<Model, Number.Sum>.sum(field), source: source)
    }

    /// The mean of the numbers in a field; nil when there are none.
    public nonisolated(nonsending) func average<Number: FirestoreNumber, Kind>(
        _ field: KeyPath<Model.Fields, ModelField<Model, Number, Kind>>, source: AggregateSource = .server
    ) async throws -> Double? {
        try await aggregate(TypedAggregate<Model, Double?>.average(field), source: source)
    }

    /// Up to five aggregates over the result in one request.
    ///
    /// ```swift
    /// let (count, total) = try await cities.aggregate(.count, .sum(\.population))
    /// ```
    /// Documents that lack one of the summed fields are left out of all of them. Throws `invalidArgument` for more than five.
    ///
    /// - Parameters:
    ///   - aggregates: Counts, sums and averages, up to five.
    ///   - source: Where they are computed: by the server, unless chosen otherwise.
    public nonisolated(nonsending) func aggregate<each Value>(
        _ aggregates: repeat TypedAggregate<Model, each Value>, source: AggregateSource = .server
    ) async throws -> (repeat each Value) {
        let typed = typedQuery
        var fields: [AggregateField] = []
        for aggregate in repeat each aggregates { fields.append(aggregate.field(typed.coder)) }
        let snapshot = try await typed.query.aggregate(fields).getAggregation(source: source)
        var position = 0
        func next<Result>(_ aggregate: TypedAggregate<Model, Result>) throws -> Result {
            defer { position += 1 }
            return try aggregate.value(snapshot.get(fields[position]))
        }
        return (repeat try next(each aggregates))
    }
}
