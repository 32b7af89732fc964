// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension ReverseWriter {
    /// The query without its parent, which is a separate field.
    mutating func query(_ number: Int, _ query: StructuredQuery) {
        message(number) { writer in
            if let nearest = query.nearest { writer.search(9, nearest) }
            if let end = query.end { writer.bound(8, end) }
            if let start = query.start { writer.bound(7, start) }
            writer.integer(6, query.offset)
            if let limit = query.limit { writer.message(5) { $0.integer(1, limit) } }
            for order in query.orders.reversed() {
                writer.message(4) { writer in
                    writer.element(2, order.direction == .ascending ? 1 : 2)
                    writer.fieldReference(1, order.path)
                }
            }
            if let filter = query.filter { writer.filter(3, filter) }
            writer.selector(2, query.scope)
            if let projection = query.projection {
                writer.message(1) { writer in
                    for path in projection.reversed() { writer.fieldReference(2, path) }
                }
            }
        }
    }

    mutating func fieldReference(_ number: Int, _ path: FieldPathSegments) {
        message(number) { $0.text(2, path.canonical) }
    }

    private mutating func selector(_ number: Int, _ scope: QueryScope) {
        message(number) { writer in
            switch scope {
            case .collection(let path): writer.text(2, path.id)
            case .collectionGroup(let id, _):
                writer.flag(3, true)
                writer.text(2, id)
            case .kindless(_, let allDescendants): writer.flag(3, allDescendants)
            }
        }
    }

    private mutating func bound(_ number: Int, _ bound: QueryBound) {
        message(number) { writer in
            writer.flag(2, bound.before)
            for value in bound.values.reversed() { writer.value(1, value) }
        }
    }

    private mutating func filter(_ number: Int, _ filter: QueryFilter) {
        message(number) { writer in
            switch filter {
            case .and(let filters): writer.composite(1, filters)
            case .or(let filters): writer.composite(2, filters)
            case .field(let path, let op, let operand):
                if let unary = Self.unaryNumber(op, operand) {
                    writer.message(3) { writer in
                        writer.fieldReference(2, path)
                        writer.integer(1, unary)
                    }
                } else {
                    writer.message(2) { writer in
                        writer.value(3, operand)
                        writer.integer(2, op.wireNumber)
                        writer.fieldReference(1, path)
                    }
                }
            }
        }
    }

    private mutating func composite(_ op: Int, _ filters: [QueryFilter]) {
        message(1) { writer in
            for filter in filters.reversed() { writer.filter(2, filter) }
            writer.integer(1, op)
        }
    }

    /// Comparisons with null and NaN are encoded as unary filters (QR-11).
    private static func unaryNumber(_ op: QueryFilter.FieldOperator, _ operand: ValueBytes) -> Int? {
        defer { withExtendedLifetime(operand) {} }
        guard op == .equal || op == .notEqual else { return nil }
        if operand.view.isNull { return op == .equal ? 3 : 5 }
        if operand.view.double?.isNaN == true { return op == .equal ? 2 : 4 }
        return nil
    }
}
