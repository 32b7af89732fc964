// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension PipelineSource {
    /// The pipeline that asks what a query asks.
    ///
    /// Stages can be added to it. Conditions have the meaning they have in pipelines: `isNotEqualTo` and `notIn` are true for documents
    /// without the field. A query that cannot be run, for example with `limit(toLast:)` and without an order, makes the execution fail with
    /// `invalidArgument`.
    public func create(from query: Query) -> Pipeline { create(from: query, meaning: .ofPipelines) }

    func create(from query: Query, meaning: ConditionMeaning) -> Pipeline {
        do throws(FirestoreError) {
            let client = try query.runnable.get()
            guard query.firestore.databaseID == firestore.databaseID else {
                throw .invalidArgument("the query belongs to another database", at: client.query.scope.place)
            }
            return try QueryStages(client, meaning).pipeline(from: self)
        } catch {
            return start(.database, [ExpressionContent(error)], nil)
        }
    }
}

/// Translates a query into stages: the source, conditions, orders, cursors and limits, in this sequence.
private struct QueryStages {
    private let query: StructuredQuery
    private let limitsToLast: Bool
    private let meaning: ConditionMeaning

    init(_ client: ClientQuery, _ meaning: ConditionMeaning) {
        self.meaning = meaning
        query = client.query
        limitsToLast = client.limitsToLast
    }

    func pipeline(from source: PipelineSource) throws(FirestoreError) -> Pipeline {
        var pipeline = try self.source(source)
        // Without conditions the documents come by their names anyway, and later stages are nearer to the source.
        if meaning == .ofQueries, query == StructuredQuery(scope: query.scope) { return pipeline }
        for filter in conjuncts(query.filter) { pipeline = pipeline.where(QueryCondition(filter, meaning: meaning).expression) }
        let exists = query.orders.filter { !$0.path.isDocumentID }.map { Field($0.path).exists() }
        if !exists.isEmpty { pipeline = pipeline.where(BooleanContent(all: exists, of: "and")) }
        let orders = query.effectiveOrders
        if let start = query.start { pipeline = pipeline.where(Cursor(start, orders, isStart: true, meaning).expression) }
        if let end = query.end { pipeline = pipeline.where(Cursor(end, orders, isStart: false, meaning).expression) }
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

/// A cursor as a condition: behind a position, or before it.
private struct Cursor {
    let expression: any BooleanExpression

    init(_ bound: QueryBound, _ orders: [SortOrder], isStart: Bool, _ meaning: ConditionMeaning) {
        let columns = Array(zip(orders, bound.values))
        // A start before a position includes it, and so does an end behind one.
        let isInclusive = bound.before == isStart
        let alternatives = columns.indices.map { index -> any BooleanExpression in
            let (order, value) = columns[index]
            let isGreater = (order.direction == .ascending) == isStart
            let isLast = index == columns.count - 1
            let before = columns[..<index].map { order, value in Field(order.path).equal(StoredConstant(value)) }
            let last = Self.compare(order.path, value, isGreater: isGreater, orEqual: isLast && isInclusive, meaning)
            return BooleanContent(all: before + [last], of: "and")
        }
        expression = BooleanContent(all: alternatives, of: "or")
    }

    private static func compare(
        _ path: FieldPathSegments, _ value: ValueBytes, isGreater: Bool, orEqual: Bool, _ meaning: ConditionMeaning
    ) -> any BooleanExpression {
        let operand = StoredConstant(value)
        let isOfAnyType =
            switch meaning {
            // Null and NaN are positions of an order like others, but comparisons with them are never true.
            case .ofPipelines: value.isNullOrNaN
            // Behind a position are values of all later types, which comparisons leave out. Names have one type.
            case .ofQueries: !path.isDocumentID
            }
        let left: any Expression = isOfAnyType ? Field(path).call("cmp", operand) : Field(path)
        let right: any Expression = isOfAnyType ? Constant(0) : operand
        return switch (isGreater, orEqual) {
        case (true, true): left.greaterThanOrEqual(right)
        case (true, false): left.greaterThan(right)
        case (false, true): left.lessThanOrEqual(right)
        case (false, false): left.lessThan(right)
        }
    }
}

extension Field {
    fileprivate func ordering(_ direction: SortOrder.Direction) -> Ordering {
        direction == .ascending ? ascending() : descending()
    }
}
