// SPDX-License-Identifier: Apache-2.0
extension ClientQuery {
    /// The query to send to a service, which does not have `limit(toLast:)`: every order is reversed and the bounds are swapped,
    /// so that the same documents stay in range; the caller reverses the result (QR-42).
    package var serviceQuery: StructuredQuery {
        guard limitsToLast else { return query }
        var flipped = query
        flipped.orders = query.effectiveOrders.map { SortOrder(path: $0.path, direction: $0.direction.reversed) }
        flipped.start = query.end.map { QueryBound(values: $0.values, before: !$0.before) }
        flipped.end = query.start.map { QueryBound(values: $0.values, before: !$0.before) }
        return flipped
    }
}
