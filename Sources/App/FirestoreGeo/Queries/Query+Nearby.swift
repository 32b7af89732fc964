// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import FirestoreCore
import FirestoreSemantics

extension Query {
    /// Finds the documents within a radius around a place, nearest first.
    ///
    /// ```swift
    /// let cafes = db.collection("cafes").whereField("open", isEqualTo: true)
    /// for cafe in try await cafes.getDocuments(near: here, radius: 500) {
    ///     print(cafe.document["name"] ?? "?", Int(cafe.distance), "m")
    /// }
    /// ```
    /// Each document stores its location, and beside it the location's `geohash()`; documents without these two fields
    /// are not found. The query's filters apply as well; collection groups are supported.
    ///
    /// The cost is proportional to the number of documents in a few rectangles around the circle. All of them are read
    /// at one moment, unless the query's filters do not allow that (an OR of many alternatives, `not-in`): then the
    /// rectangles are read one after the other, and a document that moves meanwhile may be missed.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameters:
    ///   - center: The place to search around.
    ///   - radius: Metres, 0 or more; infinity finds all documents, sorted by distance.
    ///   - geohashField: The field with the geohash, in dotted notation.
    ///   - locationField: The field with the `GeoPoint`, in dotted notation.
    ///   - precision: The minimum number of characters of the stored geohashes.
    ///   - limit: The maximum number of documents, the nearest ones; nil for all.
    /// - Throws: `invalidArgument` for an invalid place, radius, precision or limit, and for a query with a limit or a
    ///   cursor, which would cut the result before it is sorted by distance.
    public nonisolated(nonsending) func getDocuments(
        near center: GeoPoint, radius: Double, geohashField: String = "geohash", locationField: String = "location",
        precision: Int = 10, limit: Int? = nil
    ) async throws -> [NearbyDocument] {
        try checkForNearby(limit: limit)
        let ranges = try center.geohashRanges(within: radius, precision: precision)
        var found = NearbyResult(center: center, radius: radius, locationField: locationField)
        for query in queries(for: ranges, of: geohashField) {
            for document in try await query.getDocuments().documents { found.add(document) }
        }
        return found.sorted(limit: limit)
    }

    /// Finds the documents within a radius around a place as values, nearest first.
    ///
    /// Documents that cannot be decoded are reported beside the others. Otherwise like
    /// ``getDocuments(near:radius:geohashField:locationField:precision:limit:)``.
    ///
    /// Beyond the Apple SDK.
    public nonisolated(nonsending) func getDocuments<Value: Decodable>(
        near center: GeoPoint, radius: Double, geohashField: String = "geohash", locationField: String = "location",
        precision: Int = 10, limit: Int? = nil, as type: Value.Type, decoder: Firestore.Decoder = .init()
    ) async throws -> NearbyValues<Value> {
        let found = try await getDocuments(
            near: center, radius: radius, geohashField: geohashField, locationField: locationField,
            precision: precision, limit: limit)
        var matches: [NearbyValues<Value>.Match] = []
        var failures: [NearbyValues<Value>.Failure] = []
        for nearby in found {
            do {
                let value = try nearby.document.data(as: type, decoder: decoder)
                matches.append(.init(value: value, location: nearby.location, distance: nearby.distance))
            } catch {
                failures.append(.init(document: nearby.document, error: error))
            }
        }
        return NearbyValues(matches: matches, failures: failures)
    }

    private func checkForNearby(limit: Int?) throws {
        do throws(FirestoreError) {
            if let limit, limit < 1 { throw .invalidArgument("the limit of a query must be at least 1, but is \(limit)") }
            let query = try definition.get().query
            guard query.limit == nil, query.start == nil, query.end == nil else {
                throw .invalidArgument(
                    "a query for nearby documents must not have a limit or a cursor; pass the limit to getDocuments(near:)")
            }
        } catch {
            throw error.publicError
        }
    }

    /// One query for all ranges if the rules of queries allow it, otherwise one for each range.
    private func queries(for ranges: [GeohashRange], of field: String) -> [Query] {
        let filters = ranges.map { range in
            Filter.andFilter([
                .whereField(field, isGreaterOrEqualTo: range.lowerBound), .whereField(field, isLessThan: range.upperBound),
            ])
        }
        let union = whereFilter(.orFilter(filters))
        if case .success(let query) = union.definition, (try? QueryCheck.check(query.query)) != nil { return [union] }
        return filters.map { whereFilter($0) }
    }
}
