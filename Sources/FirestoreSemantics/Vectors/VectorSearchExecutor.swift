import FirestoreCore

/// Finds the documents of a query whose vectors are nearest to one (QR-55 … QR-61), by looking at all of them.
enum VectorSearchExecutor {
    static func run(
        _ search: VectorSearch, among query: StructuredQuery, over source: some DocumentSource, database: DatabaseID
    ) throws(FirestoreError) -> [Document] {
        var nearest = NearestDocuments(search)
        let matcher = QueryMatcher(query, database: database)
        try source.scan(query.scope, range: .all, descending: false) { scanned throws(FirestoreError) in
            if matcher.matches(scanned) { nearest.offer(scanned) }
            return .next
        }
        guard let field = search.resultField?.segments.first else { return nearest.entries.map(\.document) }
        return nearest.entries.map { entry in
            entry.document.replacingFields(
                entry.document.fields.setting(field, to: ValueBytes(.double(entry.distance))))
        }
    }
}
