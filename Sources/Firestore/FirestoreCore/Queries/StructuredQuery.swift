// SPDX-License-Identifier: Apache-2.0

/// A query as data (`google.firestore.v1.StructuredQuery`). The public class is `Query`.
///
/// Evaluation order: scope, filter, orders with bounds, offset, limit (QR-1). `limit(toLast:)` is implemented by the client:
/// it reverses the orders and the result (QR-42).
package struct StructuredQuery: Sendable, Hashable {
    package var scope: QueryScope
    package var filter: QueryFilter?
    /// The explicit orders, as given. `effectiveOrders` adds the implicit ones.
    package var orders: [SortOrder]
    package var start: QueryBound?
    package var end: QueryBound?
    package var offset: Int
    package var limit: Int?
    /// The fields to return: nil for all, `__name__` alone for none (QR-43).
    package var projection: [FieldPathSegments]?
    /// A search for the nearest vectors among the documents that the filter accepts (QR-55).
    package var nearest: VectorSearch?

    package init(
        scope: QueryScope, filter: QueryFilter? = nil, orders: [SortOrder] = [], start: QueryBound? = nil,
        end: QueryBound? = nil, offset: Int = 0, limit: Int? = nil, projection: [FieldPathSegments]? = nil,
        nearest: VectorSearch? = nil
    ) {
        self.scope = scope
        self.filter = filter
        self.orders = orders
        self.start = start
        self.end = end
        self.offset = offset
        self.limit = limit
        self.projection = projection
        self.nearest = nearest
    }

    /// Explicit orders, then every inequality field not yet ordered, sorted, then `__name__` (QR-28, QR-29).
    /// Added ones take the direction of the last explicit order.
    package var effectiveOrders: [SortOrder] {
        var result = orders
        let direction = orders.last?.direction ?? .ascending
        let unequal = filter?.inequalityFields ?? []
        if unequal.count < 2 {
            for path in unequal where !result.contains(where: { $0.path == path }) && !path.isDocumentID {
                result.append(SortOrder(path: path, direction: direction))
            }
        } else {
            let ordered = Set(orders.map(\.path))
            for path in Set(unequal).sorted() where !ordered.contains(path) && !path.isDocumentID {
                result.append(SortOrder(path: path, direction: direction))
            }
        }
        if !result.contains(where: { $0.path.isDocumentID }) {
            result.append(SortOrder(path: .documentID, direction: direction))
        }
        return result
    }
}

/// The documents that a query reads (QR-2).
package enum QueryScope: Sendable, Hashable {
    case collection(CollectionPath)
    /// Every collection with this id at any depth, below `under` or in the whole database.
    case collectionGroup(id: String, under: DocumentKey?)
    /// Documents of every collection directly below `under` (nil: the root), or of everything below it (QR-2, QR-3).
    case kindless(under: DocumentKey?, allDescendants: Bool)

    /// Its name in errors, and the place where conflicting transactions take turns.
    package var place: String {
        switch self {
        case .collection(let path): path.path
        case .collectionGroup(let id, _): id
        case .kindless(let under, _): under?.path ?? "the root"
        }
    }

    /// The document that contains all of it; nil for the whole database.
    package var parent: DocumentKey? {
        switch self {
        case .collection(let path): path.parent
        case .collectionGroup(_, let under), .kindless(let under, _): under
        }
    }
}

extension QueryScope {
    /// Compares by UTF-8 bytes, like every comparison of names.
    package static func == (left: QueryScope, right: QueryScope) -> Bool {
        switch (left, right) {
        case (.collection(let left), .collection(let right)): left == right
        case (.collectionGroup(let left, let leftUnder), .collectionGroup(let right, let rightUnder)):
            equalUTF8(left, right) && leftUnder == rightUnder
        case (.kindless(let left, let leftAll), .kindless(let right, let rightAll)):
            left == right && leftAll == rightAll
        case (.collection, _), (.collectionGroup, _), (.kindless, _): false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .collection(let path): hasher.combine(path)
        case .collectionGroup(let id, let under):
            hashUTF8(id, into: &hasher)
            hasher.combine(under)
        case .kindless(let under, let allDescendants):
            hasher.combine(under)
            hasher.combine(allDescendants)
        }
    }
}

package struct SortOrder: Sendable, Hashable {
    package enum Direction: Sendable, Hashable {
        case ascending, descending
        package var reversed: Direction { self == .ascending ? .descending : .ascending }
    }

    package var path: FieldPathSegments
    package var direction: Direction

    package init(path: FieldPathSegments, direction: Direction = .ascending) {
        self.path = path
        self.direction = direction
    }
}

/// A cursor: a prefix of the order's values, and whether it is before or after documents equal to it (QR-34).
package struct QueryBound: Sendable, Hashable {
    package var values: [ValueBytes]
    package var before: Bool

    package init(values: [ValueBytes], before: Bool) {
        self.values = values
        self.before = before
    }
}

package indirect enum QueryFilter: Sendable, Hashable {
    package enum FieldOperator: String, Sendable, Hashable {
        case lessThan, lessThanOrEqual, equal, notEqual, greaterThan, greaterThanOrEqual
        case arrayContains, arrayContainsAny, `in`, notIn

        /// Whether the operator adds an implicit order (QR-28).
        package var isInequality: Bool {
            switch self {
            case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notEqual, .notIn: true
            case .equal, .arrayContains, .arrayContainsAny, .in: false
            }
        }
    }

    /// A comparison with null or NaN by `equal`/`notEqual` is the unary filter (QR-11).
    case field(FieldPathSegments, FieldOperator, ValueBytes)
    /// True when all are true, including when empty (QR-15).
    case and([QueryFilter])
    case or([QueryFilter])

    /// The fields of all inequality filters, in order of appearance, possibly repeated.
    package var inequalityFields: [FieldPathSegments] {
        var paths: [FieldPathSegments] = []
        addInequalityFields(to: &paths)
        return paths
    }

    private func addInequalityFields(to paths: inout [FieldPathSegments]) {
        switch self {
        case .field(let path, let op, _): if op.isInequality { paths.append(path) }
        case .and(let filters), .or(let filters): for filter in filters { filter.addInequalityFields(to: &paths) }
        }
    }
}
