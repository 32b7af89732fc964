import FirestoreCore
public import Foundation

/// A search for the documents whose vectors are nearest to one, made by `Query.findNearest`.
///
/// It can be run, not listened to. It looks at every document the query lets through, so filters make it quicker.
public final class VectorQuery: NSObject, Sendable {
    /// The query among whose result is searched.
    public let query: Query
    private let search: Result<VectorSearch, FirestoreError>

    init(query: Query, search: Result<VectorSearch, FirestoreError>) {
        self.query = query
        self.search = search
        super.init()
    }

    /// Finds the documents, nearest first, equally near ones by document id.
    ///
    /// Sees every write made before the call. `completion` is called on the queue of the settings, with
    /// `invalidArgument` for a limit outside of 1 to 1,000, a vector without or with more than 2,048 dimensions, and a
    /// query with limit or cursors.
    public func getDocuments(completion: @escaping (VectorQuerySnapshot?, (any Error)?) -> Void) {
        query.firestore.deliver(UserCallback(completion)) { try await self.fetch($0) }
    }

    /// Finds the documents, nearest first, equally near ones by document id.
    ///
    /// Sees every write made before the call. Throws `invalidArgument` for a limit outside of 1 to 1,000, a vector
    /// without or with more than 2,048 dimensions, and a query with limit or cursors.
    @discardableResult
    public nonisolated(nonsending) func getDocuments() async throws -> VectorQuerySnapshot {
        try await query.firestore.reading { try await self.fetch($0) }
    }

    private func fetch(_ backend: any ClientBackend) async throws -> VectorQuerySnapshot {
        var query = try self.query.runnable.get()
        query.query.nearest = try search.get()
        return VectorQuerySnapshot(query: self, view: try await backend.run(query))
    }

    /// Equal when both search for the same in the same query.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? VectorQuery, query == other.query else { return false }
        switch (search, other.search) {
        case (.success(let left), .success(let right)): return left == right
        case (.failure, .failure): return self === other
        default: return false
        }
    }

    /// Goes by query and search.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(query)
        hasher.combine(try? search.get())
        return hasher.finalize()
    }

    /// The query among whose result is searched.
    public override var description: String { "<VectorQuery in \(query)>" }
}

extension Query {
    /// Searches the result for the documents whose vectors are nearest to one.
    ///
    /// Documents without a vector of the same dimension in the field take no part. The query may filter; it has neither
    /// limit nor cursors.
    /// - Parameters:
    ///   - vectorField: Where the vectors are, in dotted notation.
    ///   - queryVector: The vector to be near to.
    ///   - limit: How many documents at most, 1 to 1,000.
    ///   - distanceMeasure: How distance is measured.
    ///   - distanceResultField: The name of a field in which the documents of the answer carry their distance.
    ///   - distanceThreshold: The largest distance (for the dot product the smallest) of a document in the answer.
    public func findNearest(
        vectorField: String, queryVector: VectorValue, limit: Int, distanceMeasure: VectorDistanceMeasure,
        distanceResultField: String? = nil, distanceThreshold: Double? = nil
    ) -> VectorQuery {
        findNearest(
            vectorField: FieldPath(dotted: vectorField), queryVector: queryVector, limit: limit,
            distanceMeasure: distanceMeasure, distanceResultField: distanceResultField,
            distanceThreshold: distanceThreshold)
    }

    /// Searches the result for the documents whose vectors are nearest to one, in a field named by a path.
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
