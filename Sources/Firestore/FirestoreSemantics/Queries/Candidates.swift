// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The matching documents that a plan's access returns.
struct Candidates<Source: DocumentSource> {
    private let plan: QueryPlan
    private let query: StructuredQuery
    private let source: Source
    /// nil if everything that the access finds matches.
    private let matcher: QueryMatcher?
    private let counters: QueryCounters
    private let mayLieOutside: Bool

    init(plan: QueryPlan, query: StructuredQuery, source: Source, database: DatabaseID, counters: QueryCounters) {
        self.plan = plan
        self.query = query
        self.source = source
        self.counters = counters
        counters.indexes += plan.indexes
        matcher = switch plan.access {
        case .nothing: nil
        case .indexes(let access) where access.isExact: nil
        // The range of a scan ensures the conditions on the name, so the key of a document need not be read.
        case .scan: QueryMatcher(query.withoutNameRanges, database: database)
        case .keys, .indexes: QueryMatcher(query, database: database)
        }
        mayLieOutside = !query.scope.parentIsImplied
    }

    /// Calls `body` with all matching documents, in the order of the access, until it stops.
    func forEach(
        _ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep
    ) throws(FirestoreError) {
        // Reading a property of a generic structure for each document would look its type up each time.
        let (matcher, counters) = (matcher, counters)
        switch plan.access {
        case .nothing: return
        case .keys(let keys):
            for key in keys {
                guard let document = try source.document(key) else { continue }
                counters.documentsRead += 1
                guard matcher?.matches(document) != false else { continue }
                counters.matches += 1
                if try document.withScanned(body) == .stop { return }
            }
        case .scan(let range, let descending):
            try source.scan(query.scope, range: range, descending: descending) { scanned throws(FirestoreError) in
                counters.documentsRead += 1
                guard matcher?.matches(scanned) != false else { return .next }
                counters.matches += 1
                return try body(scanned)
            }
        case .indexes(let access):
            let merge = try IndexMerge(access, scope: query.scope, over: source, counters: counters)
            let isExact = access.isExact
            try source.visitEach({ () throws(FirestoreError) in try merge.next() }) { scanned throws(FirestoreError) in
                counters.documentsRead += 1
                guard isExact || isMatch(scanned) else { return .next }
                counters.matches += 1
                return try body(scanned)
            }
        }
    }

    /// The documents after the offset and up to the limit, for an access in result order.
    func window(_ body: (borrowing ScannedDocument) throws(FirestoreError) -> ScanStep) throws(FirestoreError) {
        var found = 0
        // Entries that are known to match are skipped without reading their documents.
        if case .indexes(let access) = plan.access, access.isExact, plan.offset > 0 {
            let merge = try IndexMerge(access, scope: query.scope, over: source, counters: counters)
            for _ in 0..<plan.offset {
                guard try merge.next() != nil else { return }
            }
            return try source.visitEach({ () throws(FirestoreError) in try merge.next() }) { scanned throws(FirestoreError) in
                found += 1
                counters.documentsRead += 1
                let step = try body(scanned)
                return found == plan.wanted.map { $0 - plan.offset } ? .stop : step
            }
        }
        let (offset, wanted) = (plan.offset, plan.wanted)
        try forEach { scanned throws(FirestoreError) in
            found += 1
            guard found > offset else { return .next }
            let step = try body(scanned)
            return found == wanted ? .stop : step
        }
    }

    /// The number of matches, up to `most`.
    func count(upTo most: Int?) throws(FirestoreError) -> Int {
        guard most != 0 else { return 0 }
        if case .scan(let range, _) = plan.access, matcher?.acceptsAll == true {
            let found = try source.documentCount(in: query.scope, range: range, upTo: most)
            counters.entriesRead += found
            counters.matches += found
            return found
        }
        var found = 0
        guard case .indexes(let access) = plan.access, access.isExact else {
            try forEach { _ in
                found += 1
                return found == most ? .stop : .next
            }
            return found
        }
        if access.isCountable { return try countEntries(access, upTo: most) }
        let merge = try IndexMerge(access.unordered, scope: query.scope, over: source, counters: counters)
        try merge.forEach { _ in
            counters.matches += 1
            found += 1
            return found == most ? .stop : .next
        }
        return found
    }

    private func countEntries(_ access: IndexAccess, upTo most: Int?) throws(FirestoreError) -> Int {
        var collection: CollectionPath?
        if case .collection(let path) = query.scope { collection = path }
        var found = 0
        for leg in access.scans.lazy.flatMap(\.legs) where found != most {
            found += try source.entryCount(of: leg.index, in: collection, range: leg.range, upTo: most.map { $0 - found })
        }
        counters.entriesRead += found
        counters.matches += found
        return found
    }

    private func isMatch(_ scanned: borrowing ScannedDocument) -> Bool {
        guard let matcher else { return true }
        return mayLieOutside ? matcher.matches(key: scanned.key, fields: scanned.view) : matcher.matches(scanned)
    }
}

extension QueryPlan {
    /// Whether the number of index entries is the number of documents.
    package var isCountable: Bool { if case .indexes(let access) = access { access.isCountable } else { false } }
}

extension IndexAccess {
    /// Whether every entry of every range is a distinct match.
    var isCountable: Bool { isExact && !mayRepeat && scans.allSatisfy { $0.legs.count == 1 && !$0.hasTests } }

    /// The access to these entries in the cheapest order.
    var unordered: IndexAccess {
        var copy = self
        copy.isOrdered = false
        return copy
    }
}

extension StructuredQuery {
    /// The query without the conditions that `KeyConstraints` has converted into the range of a scan: comparisons of
    /// the name that all results must meet.
    fileprivate var withoutNameRanges: StructuredQuery {
        var copy = self
        copy.filter = filter?.withoutNameRanges
        return copy
    }
}

extension QueryFilter {
    fileprivate var withoutNameRanges: QueryFilter? {
        switch self {
        case .field(let path, .lessThan, _), .field(let path, .lessThanOrEqual, _), .field(let path, .greaterThan, _),
            .field(let path, .greaterThanOrEqual, _):
            path.isDocumentID ? nil : self
        case .and(let filters): .and(filters.compactMap(\.withoutNameRanges))
        case .field, .or: self
        }
    }
}
