// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Checks orders and cursors (QR-31, QR-35, QR-37).
struct OrderCheck {
    private let query: StructuredQuery
    private let database: DatabaseID?

    init(_ query: StructuredQuery, database: DatabaseID?) {
        self.query = query
        self.database = database
    }

    func check() throws(FirestoreError) {
        for order in query.orders { try QueryCheck.checkPath(order.path) }
        if query.orders.count > 1 {
            var seen: Set<FieldPathSegments> = []
            for order in query.orders where !seen.insert(order.path).inserted {
                throw .invalidArgument("the query orders by \(order.path.quoted) twice; once is enough")
            }
        }
        // An implicit order by the document id is always the last.
        if let name = query.orders.firstIndex(where: { $0.path.isDocumentID }) {
            let following = query.effectiveOrders.dropFirst(name + 1)
            if let next = following.first {
                throw .invalidArgument(
                    "nothing can be ordered after the document id, and \(next.path.quoted) is, "
                        + "explicitly or because of an inequality; order by it first")
            }
        }
        if let start = query.start { try check(start, called: "start") }
        if let end = query.end { try check(end, called: "end") }
    }

    /// Values belong to the explicit orders, in order; there may be fewer. Implicit orders must be sent explicitly.
    private func check(_ bound: QueryBound, called name: String) throws(FirestoreError) {
        guard bound.values.count <= query.orders.count else {
            throw .invalidArgument(
                "the \(name) cursor has \(bound.values.count) values for \(query.orders.count) orders; "
                    + "add an order for each value")
        }
        for (value, order) in zip(bound.values, query.orders) {
            let place = "\(name) cursor, order by \(order.path.quoted)"
            try DocumentCheck.check(value, in: place)
            guard order.path.isDocumentID else { continue }
            do { try OperandCheck(database: database).checkReference(value) } catch { throw error.located(at: place) }
        }
    }
}
