// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension PipelineSource {
    /// The pipeline that asks what a query asks.
    ///
    /// Stages can be added to it. Conditions have the meaning they have in pipelines: `isNotEqualTo` and `notIn` are true for documents
    /// without the field. A query that cannot be run, for example with `limit(toLast:)` and without an order, makes the execution fail with
    /// `invalidArgument`.
    public func create(from query: Query) -> Pipeline {
        do throws(FirestoreError) {
            let client = try query.runnable.get()
            guard query.firestore.databaseID == firestore.databaseID else {
                throw .invalidArgument("the query belongs to another database", at: client.query.scope.place)
            }
            return try QueryStages(client).pipeline(from: self)
        } catch {
            return start(.database, [ExpressionContent(error)], nil)
        }
    }
}

/// Translates a query into stages: the source, conditions, orders, cursors and limits, in this sequence.
private struct QueryStages {
    private let query: StructuredQuery
    private let limitsToLast: Bool

    init(_ client: ClientQuery) {
        query = client.query
        limitsToLast = client.limitsToLast
    }

    func pipeline(from source: PipelineSource) throws(FirestoreError) -> Pipeline {
        var pipeline = try self.source(source)
        for filter in conjuncts(query.filter) { pipeline = pipeline.where(Condition(filter).expression) }
        let exists = query.orders.filter { !$0.path.isDocumentID }.map { Field($0.path).exists() }
        if !exists.isEmpty { pipeline = pipeline.where(BooleanContent(all: exists, of: "and")) }
        let orders = query.effectiveOrders
        if let start = query.start { pipeline = pipeline.where(Cursor(start, orders, isStart: true).expression) }
        if let end = query.end { pipeline = pipeline.where(Cursor(end, orders, isStart: false).expression) }
        let sorted = orders.map { Field($0.path).ordering($0.direction) }
        guard limitsToLast, let limit = query.limit else {
            pipeline = pipeline.sort(sorted)
            if query.offset > 0 { pipeline = pipeline.adding(.offset, [pipeline.integer(query.offset)]) }
            return query.limit.map { pipeline.adding(.limit, [pipeline.integer($0)]) } ?? pipeline
        }
        return pipeline.sort(orders.map { Field($0.path).ordering($0.direction.reversed) })
            .adding(.limit, [pipeline.integer(limit)]).sort(sorted)
    }

    private func source(_ source: PipelineSource) throws(FirestoreError) -> Pipeline {
        switch query.scope {
        case .collection(let collection): source.collection(collection.path)
        case .collectionGroup(let id, nil): source.collectionGroup(id)
        case .kindless(nil, true): source.database()
        case .collectionGroup, .kindless:
            throw .invalidArgument("a query of everything below a document has no pipeline", at: query.scope.place)
        }
    }

    /// The filters that all have to be true.
    private func conjuncts(_ filter: QueryFilter?) -> [QueryFilter] {
        switch filter {
        case nil: []
        case .and(let filters)?: filters
        case let filter?: [filter]
        }
    }
}

/// A filter of a query as a condition.
private struct Condition {
    let expression: any BooleanExpression

    init(_ filter: QueryFilter) {
        switch filter {
        case .and(let filters): expression = Self.join(filters, by: "and")
        case .or(let filters): expression = Self.join(filters, by: "or")
        case .field(let path, let op, let value): expression = Self.comparison(Field(path), op, value)
        }
    }

    private static func join(_ filters: [QueryFilter], by name: String) -> any BooleanExpression {
        BooleanContent(all: filters.map { Condition($0).expression }, of: name)
    }

    /// A comparison of a query is never true for a missing field, except those that exclude values.
    private static func comparison(_ field: Field, _ op: QueryFilter.FieldOperator, _ value: ValueBytes) -> any BooleanExpression {
        let operand = StoredConstant(value)
        return switch op {
        case .notEqual: field.notEqual(operand)
        case .notIn: field.notEqualAny(operand)
        case .equal: field.exists() && field.equal(operand)
        case .lessThan: field.exists() && field.lessThan(operand)
        case .lessThanOrEqual: field.exists() && field.lessThanOrEqual(operand)
        case .greaterThan: field.exists() && field.greaterThan(operand)
        case .greaterThanOrEqual: field.exists() && field.greaterThanOrEqual(operand)
        case .arrayContains: field.exists() && field.arrayContains(operand)
        case .arrayContainsAny: field.exists() && field.arrayContainsAny(operand)
        case .in: field.exists() && field.equalAny(operand)
        }
    }
}

/// A cursor as a condition: behind a position, or before it.
private struct Cursor {
    let expression: any BooleanExpression

    init(_ bound: QueryBound, _ orders: [SortOrder], isStart: Bool) {
        let columns = Array(zip(orders, bound.values))
        // A start before a position includes it, and so does an end behind one.
        let isInclusive = bound.before == isStart
        let alternatives = columns.indices.map { index -> any BooleanExpression in
            let (order, value) = columns[index]
            let isGreater = (order.direction == .ascending) == isStart
            let isLast = index == columns.count - 1
            let before = columns[..<index].map { order, value in Field(order.path).equal(StoredConstant(value)) }
            let last = Self.compare(order.path, value, isGreater: isGreater, orEqual: isLast && isInclusive)
            return BooleanContent(all: before + [last], of: "and")
        }
        expression = BooleanContent(all: alternatives, of: "or")
    }

    /// Null and NaN are positions of an order like others, but comparisons with them are never true.
    private static func compare(
        _ path: FieldPathSegments, _ value: ValueBytes, isGreater: Bool, orEqual: Bool
    ) -> any BooleanExpression {
        let operand = StoredConstant(value)
        let isSpecial = value.view.isNull || value.view.double?.isNaN == true
        let left: any Expression = isSpecial ? Field(path).call("cmp", operand) : Field(path)
        let right: any Expression = isSpecial ? Constant(0) : operand
        return switch (isGreater, orEqual) {
        case (true, true): left.greaterThanOrEqual(right)
        case (true, false): left.greaterThan(right)
        case (false, true): left.lessThanOrEqual(right)
        case (false, false): left.lessThan(right)
        }
    }
}

/// A constant that is already encoded.
private struct StoredConstant: ContentExpression {
    let content: ExpressionContent

    init(_ value: ValueBytes) { content = ExpressionContent(.constant(value)) }
}

extension BooleanContent {
    /// A composite of conditions. One of a single condition is that condition, and one of none does not filter.
    fileprivate init(all conditions: [any BooleanExpression], of name: String) {
        let contents = conditions.map { ExpressionContent(of: $0) }
        switch contents.count {
        case 0: self.init(content: ExpressionContent(Value.boolean(true)))
        case 1: self.init(content: contents[0])
        default: self.init(content: ExpressionContent(call: name, contents))
        }
    }
}

extension Field {
    fileprivate init(_ path: FieldPathSegments) { self.init(FieldPath(.success(path))) }

    fileprivate func ordering(_ direction: SortOrder.Direction) -> Ordering {
        direction == .ascending ? ascending() : descending()
    }
}
