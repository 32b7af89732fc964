// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

/// How the documents of a source are found, and how much of what the stages behind it demand that answers already.
struct SourcePlan {
    /// What the rows are to the stages, in the order in which they are found.
    enum Way {
        /// All that the stages ask for is how many there are.
        case counted
        /// In the order of the names, or nothing depends on the order.
        case asFound
        /// In another order: they are held until all are there.
        case held
        /// In the order of the sort behind them, which has nothing left to do.
        case sorted(Ties)
        /// As `sorted`, less the rows that a descending sort puts last: those without a value of its field.
        case sortedWithValues(FieldPathSegments, Ties)
        /// In the order of a field; only the rows with its first value matter.
        case extreme(FieldPathSegments)
    }

    /// Rows that a sort does not distinguish.
    enum Ties {
        case byName, reversed
    }

    var way: Way
    /// What is asked; its order is the one that the stages expect.
    var query: StructuredQuery
    var plan: QueryPlan
    /// What an index should answer.
    var wish: StructuredQuery

    /// Whether the first rows may be found by looking at few documents: each step finds one, in the order in which they are wanted.
    func mayBeShort(isSorted: Bool) -> Bool {
        guard plan.findsWithEachStep(of: query) else { return false }
        switch way {
        case .asFound: return !isSorted
        case .sorted, .sortedWithValues: return true
        case .counted, .held, .extreme: return false
        }
    }

    /// Whether the rows pass in an order in which they can be found again.
    func isStreaming(isSorted: Bool) -> Bool {
        switch way {
        case .asFound, .held: !isSorted
        case .sorted(.byName): isSorted
        case .sorted(.reversed): false
        case .counted, .sortedWithValues, .extreme: false
        }
    }
}

extension SourcePlan: CustomStringConvertible {
    /// `a range of index books(genre, year), in the order of the sort`
    var description: String {
        let access = "\(plan.access)" + (plan.scansAll ? " of all documents" : "")
        switch way {
        case .counted: return plan.isCountable ? "\(access), entries counted" : "\(access), counted"
        case .asFound: return access
        case .held: return "\(access), sorted by name"
        case .sorted: return "\(access), in the order of the sort"
        case .sortedWithValues(let path, _): return "\(access), in the order of the sort; then those without \(path.canonical)"
        case .extreme(let path): return "\(access), the first value of \(path.canonical)"
        }
    }
}

/// Plans the source of a pipeline with the indexes of a snapshot.
struct SourcePlanner {
    /// More values than this in lists, multiplied with one another, are not looked up one by one.
    private static let mostPoints = 256
    private static let nameOrder = SortOrder(path: .documentID)

    let scope: QueryScope
    let condition: SourceCondition
    let database: DatabaseID
    /// The filter for the conditions; nil for all documents of the scope.
    let filter: QueryFilter?
    /// Whether the filter says all that the conditions say.
    let isExact: Bool
    private let existing: Set<FieldPathSegments>

    /// - Parameter bound: The conditions with the values of their variables.
    init(_ scope: QueryScope, _ condition: SourceCondition, bound: [PipelineArgument], database: DatabaseID) {
        self.scope = scope
        self.condition = condition
        self.database = database
        let implied = ImpliedFilter(bound, of: .everything, in: database)
        existing = implied.existing
        let plannable = implied.filter?.plannable.flatMap { $0.points <= Self.mostPoints ? $0 : nil }
        filter = plannable
        isExact = implied.isExact && plannable == implied.filter
    }

    /// - Parameters:
    ///   - most: How many rows the sort behind the source passes on; nil for all.
    ///   - counters: Count what planning reads; nil to read no entries.
    func plan(
        over source: some DocumentSource, most: Int?, counting counters: QueryCounters?
    ) throws(FirestoreError) -> SourcePlan {
        switch condition.use {
        case .counted where isExact:
            let query = StructuredQuery(scope: scope, filter: filter)
            return SourcePlan(way: .counted, query: query, plan: try plan(query, source), wish: query)
        case .extreme(let order): return try extreme(order, source)
        case .sorted(let orders): return try sorted(orders, most: most, source, counters)
        case .counted, .rows(seesOrder: false): return try rows(source, seesOrder: false)
        case .rows: return try rows(source, seesOrder: true)
        }
    }

    /// The rows in any order, or in that of the names.
    func rows(_ source: some DocumentSource, seesOrder: Bool) throws(FirestoreError) -> SourcePlan {
        var query = StructuredQuery(scope: scope, filter: filter)
        let wish = query
        // By name first, or the planner would order by the fields of inequalities.
        query.orders = [Self.nameOrder]
        let plan = try plan(query, source)
        let way: SourcePlan.Way = seesOrder && !plan.arrangement.isAsFound ? .held : .asFound
        return SourcePlan(way: way, query: query, plan: plan, wish: wish)
    }

    private func extreme(_ order: SortOrder, _ source: some DocumentSource) throws(FirestoreError) -> SourcePlan {
        let query = ordered(by: [order], names: order.direction, having: order.path)
        let plan = try plan(query, source, most: 1)
        guard plan.arrangement.isAsFound else {
            var other = try rows(source, seesOrder: false)
            other.wish = query.limited(to: 1)
            return other
        }
        return SourcePlan(way: .extreme(order.path), query: query, plan: plan, wish: query.limited(to: 1))
    }

    private func sorted(
        _ orders: [SortOrder], most: Int?, _ source: some DocumentSource, _ counters: QueryCounters?
    ) throws(FirestoreError) -> SourcePlan {
        // Indexes for queries have the names in the direction of the last field. Only ties in the order of the names can be streamed.
        let isDescending = orders.last?.direction == .descending && orders.last?.path.isDocumentID != true
        let ways: [SourcePlan.Ties] = !isDescending ? [.byName] : most == nil ? [.byName, .reversed] : [.reversed, .byName]
        for ties in ways {
            if let found = try sorted(orders, ties, most: most, source, counters) { return found }
        }
        // The sort puts ties in the order of the names itself.
        var other = try rows(source, seesOrder: false)
        other.wish = ordered(by: orders, names: isDescending ? .descending : .ascending).limited(to: most)
        return other
    }

    private func sorted(
        _ orders: [SortOrder], _ ties: SourcePlan.Ties, most: Int?, _ source: some DocumentSource, _ counters: QueryCounters?
    ) throws(FirestoreError) -> SourcePlan? {
        let names: SortOrder.Direction = if case .reversed = ties { .descending } else { .ascending }
        let mayEndWithoutValues = most != nil && orders.count == 1 && orders[0].direction == .descending
        if !mayEndWithoutValues || isDemanded(orders) {
            let query = ordered(by: orders, names: names)
            let found = try plan(query, source, most: most)
            guard found.arrangement.isAsFound else { return nil }
            if !isDemanded(orders), try !isWhole(query, found, source, most: most, counters) { return nil }
            return SourcePlan(way: .sorted(ties), query: query, plan: found, wish: query.limited(to: most))
        }
        let valued = ordered(by: orders, names: names, having: orders[0].path)
        let plan = try plan(valued, source, most: most)
        guard plan.arrangement.isAsFound else { return nil }
        return SourcePlan(way: .sortedWithValues(orders[0].path, ties), query: valued, plan: plan, wish: valued.limited(to: most))
    }

    /// Whether every document that matters has the fields that it is ordered by, since the conditions demand them.
    private func isDemanded(_ orders: [SortOrder]) -> Bool {
        orders.allSatisfy { $0.path.isDocumentID || existing.contains($0.path) || filter?.present.contains($0.path) == true }
    }

    /// Whether every document that matters has the fields that it is ordered by. An index contains only those.
    private func isWhole(
        _ query: StructuredQuery, _ plan: QueryPlan, _ source: some DocumentSource, most: Int?, _ counters: QueryCounters?
    ) throws(FirestoreError) -> Bool {
        // Where counting takes entries alone, the documents without the fields are those that one index has more than the other.
        guard let counters, most != nil, plan.isCountable else { return false }
        let all = StructuredQuery(scope: scope, filter: filter)
        if filter != nil, try !self.plan(all, source).isCountable { return false }
        let counted = QueryCounters()
        defer { counters.entriesRead += counted.entriesRead }
        return try QueryExecutor.count(all, over: source, database: database, counters: counted)
            == QueryExecutor.count(query, over: source, database: database, counters: counted)
    }

    private func ordered(
        by orders: [SortOrder], names: SortOrder.Direction, having path: FieldPathSegments? = nil
    ) -> StructuredQuery {
        var filters = filter.map { [$0] } ?? []
        if let path, !path.isDocumentID { filters.append(.field(path, .notEqual, ValueBytes(.null))) }
        let isNamed = orders.contains { $0.path.isDocumentID }
        return StructuredQuery(
            scope: scope, filter: filters.count > 1 ? .and(filters) : filters.first,
            orders: isNamed ? orders : orders + [SortOrder(path: .documentID, direction: names)])
    }

    /// A plan for all rows of a query, of which perhaps only the first ones are wanted.
    func plan(_ query: StructuredQuery, _ source: some DocumentSource, most: Int? = nil) throws(FirestoreError) -> QueryPlan {
        var plan = try QueryExecutor.plan(query.limited(to: most), over: source, database: database)
        // The stages end the scan: a filter among them may drop rows.
        plan.limit = nil
        return plan
    }
}

extension StructuredQuery {
    fileprivate func limited(to count: Int?) -> StructuredQuery {
        var limited = self
        limited.limit = count
        return limited
    }
}
