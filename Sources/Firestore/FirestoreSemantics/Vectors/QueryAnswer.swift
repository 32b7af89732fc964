// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The documents that a query returns, after all steps of its evaluation (QR-1): the result itself, or the result of a
/// vector search in it, reduced to the projection.
package enum QueryAnswer {
    package static func documents(
        of query: StructuredQuery, over source: some DocumentSource, database: DatabaseID,
        counters: QueryCounters = QueryCounters()
    ) throws(FirestoreError) -> [Document] {
        if let search = query.nearest {
            return documents(
                of: query,
                nearest: try VectorSearchExecutor.nearest(
                    search, among: query, over: source, database: database, counters: counters))
        }
        return project(
            try QueryExecutor.run(query, over: source, database: database, counters: counters), for: query)
    }

    /// The answer to a query whose vector search has been run.
    package static func documents(of query: StructuredQuery, nearest: NearestDocuments) -> [Document] {
        project(nearest.documents, for: query)
    }

    /// The documents reduced to the projection of the query.
    package static func project(_ documents: [Document], for query: StructuredQuery) -> [Document] {
        guard let paths = query.projection, !paths.isEmpty else { return documents }
        let projection = Projection(paths)
        return documents.map(projection.apply)
    }
}
