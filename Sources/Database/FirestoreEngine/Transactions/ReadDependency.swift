// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// The state that a read in a transaction depends on.
enum ReadDependency: Sendable {
    /// Documents and their versions, `.none` for missing ones.
    case documents([(key: DocumentKey, version: DocumentVersion)])
    case query(QueryDependency)
    /// What a pipeline reads.
    case several([ReadDependency])
}

/// The dependency on a query's result: no document that is part of it, or would be, may change (TX-5).
struct QueryDependency: Sendable {
    let scope: QueryScope
    /// The approximate memory it holds.
    private(set) var weight: Int
    private let matcher: QueryMatcher
    private let ordering: DocumentOrdering
    private let reach: Reach

    private enum Reach {
        /// No result was requested.
        case nothing
        case everyMatch
        /// The result has reached its limit: what lies after its last document does not matter.
        case upTo(Document)
    }

    /// `result` with all fields. A vector search or an aggregation depends on every match.
    init(_ query: StructuredQuery, result: [Document], database: DatabaseID, isWhole: Bool = false) {
        scope = query.scope
        matcher = QueryMatcher(query, database: database)
        ordering = DocumentOrdering(query.effectiveOrders)
        weight = query.weight
        if isWhole || query.nearest != nil {
            reach = .everyMatch
        } else if query.limit == 0 {
            reach = .nothing
        } else if let limit = query.limit, let last = result.last, result.count >= limit {
            reach = .upTo(last)
            weight += last.key.path.utf8.count + last.fields.bytes.count
        } else {
            reach = .everyMatch
        }
    }

    /// Whether the result would be different, or might be, without this document in this state.
    func concerns(_ document: Document) -> Bool {
        switch reach {
        case .nothing: false
        case .everyMatch: matcher.matches(document)
        case .upTo(let last): matcher.matches(document) && ordering.compare(document, last) <= 0
        }
    }
}

extension StructuredQuery {
    /// The approximate memory of its filters and cursors, as they are and prepared for matching.
    fileprivate var weight: Int {
        var bytes = filter?.weight ?? 0
        for order in orders { bytes += order.path.weight }
        for bound in [start, end].compactMap(\.self) { bytes += bound.values.reduce(0) { $0 + $1.bytes.count + 64 } }
        return 1_024 + 2 * (scope.place.utf8.count + bytes)
    }
}

extension QueryFilter {
    fileprivate var weight: Int {
        switch self {
        case .field(let path, _, let value): 128 + path.weight + value.bytes.count
        case .and(let filters), .or(let filters): filters.reduce(64) { $0 + $1.weight }
        }
    }
}

extension FieldPathSegments {
    fileprivate var weight: Int { segments.reduce(32) { $0 + $1.utf8.count + 16 } }
}
