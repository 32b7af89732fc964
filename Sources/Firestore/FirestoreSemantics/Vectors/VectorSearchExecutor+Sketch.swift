// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension VectorSearchExecutor {
    /// The nearest among the documents of a query for a part of a collection, found by reading those that may be: the changed ones, and
    /// the others in the order of their bounds, until no distance can be less.
    ///
    /// nil if that would be many of the documents, because a filter accepts few or because all are about as near: then reading all of them
    /// in their order takes less time.
    package static func nearest(
        _ search: VectorSearch, by vectors: SketchedVectors, in collection: CollectionPath, among query: StructuredQuery,
        over source: some DocumentSource, database: DatabaseID, counters: QueryCounters
    ) throws(FirestoreError) -> NearestDocuments? {
        guard let bounds = SketchBounds(search, in: vectors.sketch) else { return nil }
        let matcher = QueryMatcher(query, database: database)
        var nearest = NearestDocuments(search)
        func offer(_ id: String) throws(FirestoreError) {
            guard let document = try source.document(DocumentKey(collection: collection, id: id)) else { return }
            counters.documentsRead += 1
            guard matcher.matches(document) else { return }
            counters.matches += 1
            try document.withScanned { nearest.offer($0) }
        }
        for id in vectors.changed { try offer(id) }
        for id in vectors.sketch.unbounded where !vectors.changed.contains(id) { try offer(id) }
        let most = 4 * (search.limit + batch) + vectors.sketch.rows.count / 64
        var (visited, last) = (0, SketchBounds.Bounded?.none)
        while true {
            let next = bounds.least(search.limit + batch, after: last)
            for bounded in next {
                if nearest.excludes(bounded.bound) { return nearest }
                let id = vectors.sketch.ids[bounded.row]
                if !vectors.changed.contains(id) { try offer(id) }
            }
            guard let end = next.last else { return nearest }
            (visited, last) = (visited + next.count, end)
            if visited >= most { return nil }
        }
    }

    /// How many more documents than the limit are looked at together.
    private static let batch = 64
}
