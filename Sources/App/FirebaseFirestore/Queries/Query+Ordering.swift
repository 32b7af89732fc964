// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Query {
    /// Sorts by a field, in dotted notation, ascending, after the existing orders. Documents without the field are left
    /// out.
    public func order(by field: String) -> Query { order(by: FieldPath(dotted: field), descending: false) }

    /// Sorts by a field, ascending, after the existing orders. Documents without the field are left out.
    public func order(by path: FieldPath) -> Query { order(by: path, descending: false) }

    /// Sorts by a field, in dotted notation, after the existing orders. Documents without the field are left out.
    public func order(by field: String, descending: Bool) -> Query {
        order(by: FieldPath(dotted: field), descending: descending)
    }

    /// Sorts by a field, after the existing orders. Documents without the field are left out.
    public func order(by path: FieldPath, descending: Bool) -> Query {
        changed { query throws(FirestoreError) in
            guard query.query.start == nil, query.query.end == nil else {
                throw .invalidArgument("order(by:) must come before start and end")  // QR-38
            }
            query.query.orders.append(
                SortOrder(path: try path.segments.get(), direction: descending ? .descending : .ascending))
        }
    }

    /// Limits the result to its first documents. Replaces an earlier limit.
    public func limit(to limit: Int) -> Query { self.limit(limit, last: false) }

    /// Limits the result to its last documents. Needs an order, and replaces an earlier limit.
    public func limit(toLast limit: Int) -> Query { self.limit(limit, last: true) }

    private func limit(_ limit: Int, last: Bool) -> Query {
        changed { query throws(FirestoreError) in
            guard limit > 0 else { throw .invalidArgument("the limit of a query must be at least 1, but is \(limit)") }
            query.query.limit = min(limit, Int(Int32.max))
            query.limitsToLast = last
        }
    }
}
