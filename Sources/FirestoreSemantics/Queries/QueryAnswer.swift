package import FirestoreCore

/// The documents of a query as they are handed out, after every step of its evaluation (QR-1).
package enum QueryAnswer {
    package static func documents(
        of query: StructuredQuery, over source: some DocumentSource, database: DatabaseID
    ) throws(FirestoreError) -> [Document] {
        try QueryExecutor.run(query, over: source, database: database)
    }
}
