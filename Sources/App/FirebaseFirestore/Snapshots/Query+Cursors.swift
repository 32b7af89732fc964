// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Query {
    /// Starts at a document, inclusive.
    ///
    /// A document that does not exist, or lacks a field the query sorts by, makes the query fail with
    /// `invalidArgument`.
    public func start(atDocument document: DocumentSnapshot) -> Query { cursor(.start, document, before: true) }

    /// Starts at values of the fields the query sorts by, inclusive.
    ///
    /// There may be fewer values than orders.
    public func start(at fieldValues: [Any]) -> Query { cursor(.start, fieldValues, before: true) }

    /// Starts after a document, exclusive.
    public func start(afterDocument document: DocumentSnapshot) -> Query { cursor(.start, document, before: false) }

    /// Starts after values of the fields the query sorts by, exclusive.
    public func start(after fieldValues: [Any]) -> Query { cursor(.start, fieldValues, before: false) }

    /// Ends before a document, exclusive.
    public func end(beforeDocument document: DocumentSnapshot) -> Query { cursor(.end, document, before: true) }

    /// Ends before values of the fields the query sorts by, exclusive.
    public func end(before fieldValues: [Any]) -> Query { cursor(.end, fieldValues, before: true) }

    /// Ends at a document, inclusive.
    public func end(atDocument document: DocumentSnapshot) -> Query { cursor(.end, document, before: false) }

    /// Ends at values of the fields the query sorts by, inclusive.
    public func end(at fieldValues: [Any]) -> Query { cursor(.end, fieldValues, before: false) }

    package enum CursorSide { case start, end }

    /// A cursor at a document: the values of all orders, the document id included (QR-38).
    func cursor(_ side: CursorSide, _ snapshot: DocumentSnapshot, before: Bool) -> Query {
        changed { query throws(FirestoreError) in
            let path = snapshot.reference.path
            guard let document = snapshot.document else {
                throw .invalidArgument("a query cannot start or end at a document that does not exist", at: path)
            }
            let orders = query.query.effectiveOrders
            try Self.rejectPendingTimestamps(in: document, orders: orders)
            let bound = try QueryBound(
                at: document, orders: orders, before: before, database: self.firestore.databaseID)
            // The orders a cursor has values for are sent explicitly.
            query.query.orders = orders
            query.set(side, bound)
        }
    }

    /// The authority will assign another time, at another position (SY-38).
    private static func rejectPendingTimestamps(in document: Document, orders: [SortOrder]) throws(FirestoreError) {
        defer { withExtendedLifetime(document) {} }
        for order in orders where !order.path.isDocumentID {
            guard let value = document.fields.view[order.path], PendingTimestamp(value) != nil else { continue }
            throw .invalidArgument(
                "a query cannot start or end at a document whose order field is a server timestamp that is not known yet; wait for "
                    + "the write to be acknowledged, or use another order",
                at: "\(document.key.path), field \(order.path.canonical)")
        }
    }

    /// A cursor at values of the explicit orders (QR-34, QR-35).
    func cursor(_ side: CursorSide, _ fieldValues: [Any], before: Bool) -> Query {
        changed { query throws(FirestoreError) in
            guard !fieldValues.isEmpty else { throw .invalidArgument("a cursor needs at least one value") }
            guard fieldValues.count <= query.query.orders.count else {
                throw .invalidArgument("a cursor has more values than the query has orders")
            }
            var values: [ValueBytes] = []
            for (value, order) in zip(fieldValues, query.query.orders) {
                let place = "cursor value for \(order.path.canonical)"
                let operand = try AnyValueParser.operand(value, path: order.path)
                if order.path.isDocumentID {
                    let column = DocumentIDOperand(
                        scope: query.query.scope, database: self.firestore.databaseID, place: place)
                    values.append(ValueBytes(try column.reference(operand)))
                } else {
                    try PathRules.checkReferences(in: operand, database: self.firestore.databaseID, place: place)
                    values.append(ValueBytes(operand))
                }
            }
            query.set(side, QueryBound(values: values, before: before))
        }
    }
}

extension ClientQuery {
    mutating func set(_ side: Query.CursorSide, _ bound: QueryBound) {
        switch side {
        case .start: query.start = bound
        case .end: query.end = bound
        }
    }
}
