// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// What a read in a transaction relies on.
enum ReadDependency: Sendable {
    /// Documents and the versions they had, `.none` for missing ones.
    case documents([(key: DocumentKey, version: DocumentVersion)])
    case query(QueryDependency)
}

/// What a query's result relies on: no document that belongs to it, or would, may change (TX-5).
struct QueryDependency: Sendable {
    let scope: QueryScope
    private let matcher: QueryMatcher
    private let ordering: DocumentOrdering
    private let reach: Reach

    private enum Reach {
        /// Nothing was asked for.
        case nothing
        case everyMatch
        /// The result is as long as it may be: what lies behind its last document does not matter.
        case upTo(Document)
    }

    /// `result` with all fields. A search for near vectors or an aggregation relies on every match.
    init(_ query: StructuredQuery, result: [Document], database: DatabaseID, isWhole: Bool = false) {
        scope = query.scope
        matcher = QueryMatcher(query, database: database)
        ordering = DocumentOrdering(query.effectiveOrders)
        if isWhole || query.nearest != nil {
            reach = .everyMatch
        } else if query.limit == 0 {
            reach = .nothing
        } else if let limit = query.limit, let last = result.last, result.count >= limit {
            reach = .upTo(last)
        } else {
            reach = .everyMatch
        }
    }

    /// Whether the result would be another one, or might, without this document in this state.
    func concerns(_ document: Document) -> Bool {
        switch reach {
        case .nothing: false
        case .everyMatch: matcher.matches(document)
        case .upTo(let last): matcher.matches(document) && ordering.compare(document, last) <= 0
        }
    }
}
