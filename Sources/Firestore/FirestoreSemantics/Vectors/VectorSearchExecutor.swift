// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Finds the documents of a query whose vectors are nearest to a given one (QR-55 … QR-61), by reading all of them.
package enum VectorSearchExecutor {
    /// The nearest among the documents of the query in one snapshot. `visit` sees each.
    package static func nearest(
        _ search: VectorSearch, among query: StructuredQuery, over source: some DocumentSource, database: DatabaseID,
        counters: QueryCounters = QueryCounters(), visit: (borrowing ScannedDocument) -> Void = { _ in }
    ) throws(FirestoreError) -> NearestDocuments {
        var nearest = NearestDocuments(search)
        try QueryExecutor.forEach(query, over: source, database: database, counters: counters) { scanned in
            nearest.offer(scanned)
            visit(scanned)
            return .next
        }
        return nearest
    }

    /// The query in disjoint parts that together have all documents, each to be searched separately: `boundaries` are
    /// the first documents of all parts but the first, in order.
    package static func parts(
        of query: StructuredQuery, at boundaries: [DocumentKey], database: DatabaseID
    ) -> [StructuredQuery] {
        let names = boundaries.map { ValueBytes(.reference(database.name(of: $0))) }
        return (0...names.count).map { part in
            var bounds = query.filter.map { [$0] } ?? []
            if part > 0 { bounds.append(.field(.documentID, .greaterThanOrEqual, names[part - 1])) }
            if part < names.count { bounds.append(.field(.documentID, .lessThan, names[part])) }
            var query = query
            query.filter = .and(bounds)
            return query
        }
    }
}
