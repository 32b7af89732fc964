import FirestoreCore

/// Finds the documents of a query whose vectors are nearest to one (QR-55 … QR-61), by looking at all of them.
enum VectorSearchExecutor {
    static func run(
        _ search: VectorSearch, among query: StructuredQuery, over source: some DocumentSource, database: DatabaseID,
        counters: QueryCounters
    ) throws(FirestoreError) -> [Document] {
        var nearest = NearestDocuments(search)
        try QueryExecutor.forEach(query, over: source, database: database, counters: counters) { scanned in
            nearest.offer(scanned)
            return .next
        }
        guard let field = search.resultField?.segments.first else { return nearest.entries.map(\.document) }
        return nearest.entries.map { entry in
            entry.document.replacingFields(
                entry.document.fields.setting(field, to: ValueBytes(.double(entry.distance))))
        }
    }
}
