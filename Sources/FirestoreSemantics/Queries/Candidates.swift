import FirestoreCore

/// The matching documents a plan's access yields.
struct Candidates<Source: DocumentSource> {
    private let plan: QueryPlan
    private let query: StructuredQuery
    private let source: Source
    private let matcher: QueryMatcher
    private let counters: QueryCounters
    private let mayLieOutside: Bool

    init(plan: QueryPlan, query: StructuredQuery, source: Source, database: DatabaseID, counters: QueryCounters) {
        self.plan = plan
        self.query = query
        self.source = source
        self.counters = counters
        counters.indexes += plan.indexes
        matcher = QueryMatcher(query, database: database)
        mayLieOutside = !query.scope.parentIsImplied
    }

    /// All matching documents, in the order of the access, until `body` has enough.
    func forEach(
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        switch plan.access {
        case .nothing: return
        case .keys(let keys):
            for key in keys {
                guard let document = try source.document(key) else { continue }
                counters.documentsRead += 1
                guard matcher.matches(document) else { continue }
                counters.matches += 1
                if try document.withScanned(body) == .stop { return }
            }
        case .scan(let range, let descending):
            try source.scan(query.scope, range: range, descending: descending) { scanned throws(FirestoreError) in
                counters.documentsRead += 1
                guard matcher.matches(scanned) else { return .next }
                counters.matches += 1
                return try body(scanned)
            }
        case .indexes(let access):
            let merge = try IndexMerge(access, scope: query.scope, over: source, counters: counters)
            try merge.forEachRow { row throws(FirestoreError) in
                counters.documentsRead += 1
                return try source.withDocument(at: row) { scanned throws(FirestoreError) in
                    guard access.isExact || isMatch(scanned) else { return .next }
                    counters.matches += 1
                    return try body(scanned)
                }
            }
        }
    }

    /// Those behind the offset and up to the limit, for an access in result order.
    func window(_ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep) throws(FirestoreError) {
        var found = 0
        // Entries that are matches by themselves are skipped without their documents.
        if case .indexes(let access) = plan.access, access.isExact, plan.offset > 0 {
            let merge = try IndexMerge(access, scope: query.scope, over: source, counters: counters)
            return try merge.forEachRow { row throws(FirestoreError) in
                found += 1
                guard found > plan.offset else { return .next }
                counters.documentsRead += 1
                let step = try source.withDocument(at: row, body)
                return found == plan.wanted ? .stop : step
            }
        }
        try forEach { scanned throws(FirestoreError) in
            found += 1
            guard found > plan.offset else { return .next }
            let step = try body(scanned)
            return found == plan.wanted ? .stop : step
        }
    }

    /// One call per matching document.
    func count(_ body: () -> ScanStep) throws(FirestoreError) {
        guard case .indexes(let access) = plan.access, access.isExact else {
            return try forEach { _ throws(FirestoreError) in body() }
        }
        let merge = try IndexMerge(access.unordered, scope: query.scope, over: source, counters: counters)
        try merge.forEachRow { _ throws(FirestoreError) in
            counters.matches += 1
            return body()
        }
    }

    private func isMatch(_ scanned: borrowing ScannedDocument) -> Bool {
        mayLieOutside ? matcher.matches(key: scanned.key, fields: scanned.view) : matcher.matches(scanned)
    }
}

extension IndexAccess {
    /// The same entries, in whatever order is cheapest.
    var unordered: IndexAccess {
        var copy = self
        copy.isOrdered = false
        return copy
    }
}
