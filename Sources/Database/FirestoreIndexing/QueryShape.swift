// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A number for a query without its values: queries of one shape need the same indexes.
enum QueryShape {
    static func number(of query: StructuredQuery) -> Int {
        var hasher = Hasher()
        hasher.combine(query.scope)
        for order in query.orders {
            hasher.combine(order.path)
            hasher.combine(order.direction)
        }
        if let filter = query.filter { combine(filter, into: &hasher) }
        return hasher.finalize()
    }

    private static func combine(_ filter: QueryFilter, into hasher: inout Hasher) {
        switch filter {
        case .field(let path, let op, _):
            hasher.combine(path)
            hasher.combine(op)
        case .and(let filters), .or(let filters):
            if case .and = filter { hasher.combine(1) } else { hasher.combine(2) }
            hasher.combine(filters.count)
            for filter in filters { combine(filter, into: &hasher) }
        }
    }
}
