package import FirestoreCore

/// The documents of a query as they are handed out, after every step of its evaluation (QR-1): the result itself, or
/// what a vector search finds in it, cut down to the fields asked for.
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

    /// The answer to a query whose vector search has been made.
    package static func documents(of query: StructuredQuery, nearest: NearestDocuments) -> [Document] {
        project(nearest.documents, for: query)
    }

    /// Cut down to the fields the query asks for.
    package static func project(_ documents: [Document], for query: StructuredQuery) -> [Document] {
        guard let paths = query.projection, !paths.isEmpty else { return documents }
        let projection = Projection(paths)
        return documents.map(projection.apply)
    }
}
