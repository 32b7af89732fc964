// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
import FirestoreCore

extension ModelQuery {
    /// Starts at a value of the field that the query sorts by first, inclusive.
    ///
    /// A field that is not the first order makes every operation of the query fail with `invalidArgument`.
    public func start<Value: FirestoreOrderable & Encodable, Kind>(
        at field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, _ value: Value
    ) -> TypedQuery<Model> {
        start(at: .value(field, value))
    }

    /// Starts after a value of the field that the query sorts by first, exclusive.
    public func start<Value: FirestoreOrderable & Encodable, Kind>(
        after field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, _ value: Value
    ) -> TypedQuery<Model> {
        start(after: .value(field, value))
    }

    /// Ends at a value of the field that the query sorts by first, inclusive.
    public func end<Value: FirestoreOrderable & Encodable, Kind>(
        at field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, _ value: Value
    ) -> TypedQuery<Model> {
        end(at: .value(field, value))
    }

    /// Ends before a value of the field that the query sorts by first, exclusive.
    public func end<Value: FirestoreOrderable & Encodable, Kind>(
        before field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, _ value: Value
    ) -> TypedQuery<Model> {
        end(before: .value(field, value))
    }

    /// Starts at values of the fields that the query sorts by, inclusive.
    ///
    /// ```swift
    /// cities.order(by: \.country).order(by: \.population).start(at: .value(\.country, "DE"), .value(\.population, 5))
    /// ```
    /// There may be fewer values than orders. Fields that are not the orders, in their order, make every operation of the query
    /// fail with `invalidArgument`.
    public func start(at values: CursorValue<Model>...) -> TypedQuery<Model> { cursor(.start, values, before: true) }

    /// Starts after values of the fields that the query sorts by, exclusive.
    public func start(after values: CursorValue<Model>...) -> TypedQuery<Model> { cursor(.start, values, before: false) }

    /// Ends at values of the fields that the query sorts by, inclusive.
    public func end(at values: CursorValue<Model>...) -> TypedQuery<Model> { cursor(.end, values, before: false) }

    /// Ends before values of the fields that the query sorts by, exclusive.
    public func end(before values: CursorValue<Model>...) -> TypedQuery<Model> { cursor(.end, values, before: true) }

    /// Starts at a document, inclusive. A document that does not exist, or lacks a field the query sorts by, makes the query fail
    /// with `invalidArgument`.
    public func start(at document: DocumentSnapshot) -> TypedQuery<Model> { typedQuery.with(typedQuery.query.start(atDocument: document)) }

    /// Starts after a document, exclusive.
    public func start(after document: DocumentSnapshot) -> TypedQuery<Model> {
        typedQuery.with(typedQuery.query.start(afterDocument: document))
    }

    /// Ends at a document, inclusive.
    public func end(at document: DocumentSnapshot) -> TypedQuery<Model> { typedQuery.with(typedQuery.query.end(atDocument: document)) }

    /// Ends before a document, exclusive.
    public func end(before document: DocumentSnapshot) -> TypedQuery<Model> {
        typedQuery.with(typedQuery.query.end(beforeDocument: document))
    }

    private func cursor(_ side: Query.CursorSide, _ values: [CursorValue<Model>], before: Bool) -> TypedQuery<Model> {
        let typed = typedQuery
        return typed.with(
            typed.query.cursor(side, before: before) { orders throws(FirestoreError) in
                try typed.operands(of: values, for: orders)
            })
    }
}

extension TypedQuery {
    /// The values of a cursor, checked against the orders of the query (MP-44).
    fileprivate func operands(of values: [CursorValue<Model>], for orders: [FieldPathSegments]) throws(FirestoreError) -> [Value] {
        guard !values.isEmpty else { throw .invalidArgument("a cursor needs at least one value") }
        var result: [Value] = []
        for (position, value) in values.enumerated() {
            let path = try coder.segments(of: value.path)
            guard position < orders.count else {
                throw .invalidArgument("a cursor has more values than the query has orders: add order(by:) for \(path.canonical)")
            }
            guard path == orders[position] else {
                throw .invalidArgument(
                    "value \(position + 1) of a cursor is one of \(path.canonical), but order \(position + 1) of the query is by "
                        + "\(orders[position].canonical); give the values in the order of order(by:)")
            }
            result.append(try value.operand.value(at: value.path, coder, in: query.firestore))
        }
        return result
    }
}
