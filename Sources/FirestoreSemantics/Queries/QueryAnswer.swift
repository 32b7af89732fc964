package import FirestoreCore

/// The documents of a query as they are handed out, after every step of its evaluation (QR-1): the result itself, or
/// what a vector search finds in it, cut down to the fields asked for.
package enum QueryAnswer {
    package static func documents(
        of query: StructuredQuery, over source: some DocumentSource, database: DatabaseID,
        counters: QueryCounters = QueryCounters()
    ) throws(FirestoreError) -> [Document] {
        let documents =
            if let search = query.nearest {
                try VectorSearchExecutor.run(
                    search, among: query, over: source, database: database, counters: counters)
            } else {
                try QueryExecutor.run(query, over: source, database: database, counters: counters)
            }
        guard let paths = query.projection, !paths.isEmpty else { return documents }
        let projection = Projection(paths)
        return documents.map(projection.apply)
    }
}
