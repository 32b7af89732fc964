// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
public import Foundation

/// A search for the documents whose vectors are nearest to a given one, made by `Query.findNearest`.
///
/// A search can be run, not listened to. It reads every document that the query matches, so filters make it faster.
///
/// Beyond the Apple SDK.
public final class VectorQuery: NSObject, Sendable {
    /// The query whose result is searched.
    public let query: Query
    private let search: Result<VectorSearch, FirestoreError>

    init(query: Query, search: Result<VectorSearch, FirestoreError>) {
        self.query = query
        self.search = search
        super.init()
    }

    /// Finds the documents, nearest first; equally near ones are sorted by document id.
    ///
    /// Sees every write made before the call, except that a server does not see writes that are still queued. `completion`
    /// is called on the queue of the settings, with `unavailable` if the server cannot be reached, and with `invalidArgument`
    /// for a limit outside 1 to 1,000, a vector with no or more than 2,048 dimensions, and a query with a limit or cursors.
    public func getDocuments(completion: @escaping (VectorQuerySnapshot?, (any Error)?) -> Void) {
        getDocuments(source: .default, completion: completion)
    }

    /// Finds the documents, nearest first; equally near ones are sorted by document id.
    ///
    /// Sees every write made before the call, except that a server does not see writes that are still queued. Throws
    /// `unavailable` if the server cannot be reached, and `invalidArgument` for a limit outside 1 to 1,000, a vector with no
    /// or more than 2,048 dimensions, and a query with a limit or cursors.
    @discardableResult
    public nonisolated(nonsending) func getDocuments() async throws -> VectorQuerySnapshot {
        try await getDocuments(source: .default)
    }

    /// Finds the documents, nearest first, with an explicit source.
    ///
    /// A server does not see writes that are still queued; the cache has the documents that are known on this machine.
    /// `.default` is the same as `.server`: it does not fall back to the cache. The embedded database is server and cache in
    /// one: every source gives the same result.
    public func getDocuments(
        source: FirestoreSource, completion: @escaping (VectorQuerySnapshot?, (any Error)?) -> Void
    ) {
        query.firestore.deliver(UserCallback(completion)) { try await self.fetch($0, from: source) }
    }

    /// Finds the documents, nearest first, with an explicit source.
    ///
    /// A server does not see writes that are still queued; the cache has the documents that are known on this machine.
    /// `.default` is the same as `.server`: it does not fall back to the cache. The embedded database is server and cache in
    /// one: every source gives the same result.
    @discardableResult
    public nonisolated(nonsending) func getDocuments(source: FirestoreSource) async throws -> VectorQuerySnapshot {
        try await query.firestore.reading { try await self.fetch($0, from: source) }
    }

    private func fetch(_ backend: any ClientBackend, from source: FirestoreSource) async throws -> VectorQuerySnapshot {
        var query = try self.query.runnable.get()
        query.query.nearest = try search.get()
        return VectorQuerySnapshot(query: self, view: try await backend.run(query, from: source.internalForm))
    }

    /// Equal when query and search are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? VectorQuery, query == other.query else { return false }
        return self === other || search.hasValue(of: other.search)
    }

    /// Hashes query and search.
    public override var hash: Int { Hasher.hash(query, try? search.get()) }

    /// The query whose result is searched.
    public override var description: String { "<VectorQuery in \(query)>" }
}

extension Query {
    /// A search of the result for the documents whose vectors are nearest to a given one.
    ///
    /// Documents whose field does not contain a vector of the same dimension are left out. The query may filter; it
    /// must not have a limit or cursors.
    ///
    /// Beyond the Apple SDK.
    ///
    /// - Parameters:
    ///   - vectorField: The field that contains the vectors, in dotted notation.
    ///   - queryVector: The vector to search around.
    ///   - limit: The maximum number of documents, 1 to 1,000.
    ///   - distanceMeasure: The measure of the distance.
    ///   - distanceResultField: The name of a field of the returned documents that receives their distance.
    ///   - distanceThreshold: The largest distance (for the dot product the smallest) of a returned document.
    public func findNearest(
        vectorField: String, queryVector: VectorValue, limit: Int, distanceMeasure: VectorDistanceMeasure,
        distanceResultField: String? = nil, distanceThreshold: Double? = nil
    ) -> VectorQuery {
        findNearest(
            vectorField: FieldPath(dotted: vectorField), queryVector: queryVector, limit: limit,
            distanceMeasure: distanceMeasure, distanceResultField: distanceResultField,
            distanceThreshold: distanceThreshold)
    }

    /// A search of the result for the documents whose vectors are nearest to a given one, in a field given as a path.
    ///
    /// Beyond the Apple SDK.
    public func findNearest(
        vectorField: FieldPath, queryVector: VectorValue, limit: Int, distanceMeasure: VectorDistanceMeasure,
        distanceResultField: String? = nil, distanceThreshold: Double? = nil
    ) -> VectorQuery {
        VectorQuery(
            query: self,
            search: Result { () throws(FirestoreError) in
                VectorSearch(
                    field: try vectorField.segments.get(), vector: queryVector.array, measure: distanceMeasure.measure,
                    limit: limit, resultField: distanceResultField.map { FieldPathSegments($0) },
                    threshold: distanceThreshold)
            })
    }
}

extension VectorDistanceMeasure {
    fileprivate var measure: VectorSearch.Measure {
        switch self {
        case .euclidean: .euclidean
        case .cosine: .cosine
        case .dotProduct: .dotProduct
        }
    }
}
