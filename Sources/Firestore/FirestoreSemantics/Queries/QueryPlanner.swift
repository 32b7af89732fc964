// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Chooses how to answer a query: key lookups, index ranges, a range of keys, or a scan of the scope.
package enum QueryPlanner {
    /// `indexes`: the usable ones on the scope's collection id.
    package static func plan(
        _ query: StructuredQuery, database: DatabaseID, indexes: [ReadyIndex] = []
    ) -> QueryPlan {
        let orders = query.effectiveOrders
        var plan = QueryPlan(
            access: .nothing, arrangement: .sort, orders: orders, offset: query.offset, limit: query.limit)
        if plan.limit == 0 { return plan }

        var constraints = KeyConstraints(scope: query.scope, database: database)
        if let filter = query.filter { constraints.add(filter) }
        let isInKeyOrder = orders.first?.path.isDocumentID == true
        let descending = isInKeyOrder && orders[0].direction == .descending
        if isInKeyOrder { constraints.add(start: query.start, end: query.end, descending: descending) }

        plan.access = constraints.access(descending: descending)
        var isInOrder = false
        if case .scan = plan.access {
            isInOrder = isInKeyOrder
            if let access = indexAccess(query, orders, database, indexes.filter { query.scope.isServed(by: $0.definition) }) {
                plan.access = access.scans.isEmpty ? .nothing : .indexes(access)
                isInOrder = access.isOrdered
            }
        }
        if isInOrder {
            plan.arrangement = .asFound
        } else if let wanted = plan.wanted {
            plan.arrangement = .top(wanted)
        }
        return plan
    }

    /// nil unless every alternative of the filter has a useful index.
    private static func indexAccess(
        _ query: StructuredQuery, _ orders: [SortOrder], _ database: DatabaseID, _ indexes: [ReadyIndex]
    ) -> IndexAccess? {
        guard !indexes.isEmpty, let branches = FilterBranch.all(of: query.filter) else { return nil }
        var access = IndexAccess(scans: [], isOrdered: true, isExact: true, mayRepeat: branches.count > 1, indexes: [])
        for branch in branches where !branch.isImpossible {
            let choice = IndexChoice(branch: branch, orders: orders, isLimited: query.limit != nil)
            guard let candidate = choice.best(among: indexes) else { return nil }
            let builder = IndexScanBuilder(
                query: query, orders: orders, database: database, branch: branch, candidate: candidate)
            access.scans += builder.scans
            access.isOrdered = access.isOrdered && candidate.isBackward != nil
            access.isExact = access.isExact && candidate.isExact && builder.boundsAreExact && query.scope.parentIsImplied
            access.mayRepeat = access.mayRepeat || (branch.array?.elements.intervals.count ?? 0) > 1
            for leg in candidate.legs where !access.indexes.contains(leg.index.definition) {
                access.indexes.append(leg.index.definition)
            }
        }
        return access
    }
}

extension QueryScope {
    func isServed(by index: IndexDefinition) -> Bool {
        switch self {
        case .collection(let path): index.scope == .collection && equalUTF8(index.collectionID, path.id)
        case .collectionGroup(let id, _): index.scope == .collectionGroup && equalUTF8(index.collectionID, id)
        case .kindless: false
        }
    }

    /// Whether every entry of an index that serves the scope is in it.
    var parentIsImplied: Bool {
        if case .collectionGroup(_, .some) = self { return false }
        return true
    }

    /// The id under which indexes for the scope are registered; nil if there are none.
    package var indexedCollectionID: String? {
        switch self {
        case .collection(let path): path.id
        case .collectionGroup(let id, _): id
        case .kindless: nil
        }
    }
}

/// The conditions of the filter and the cursors on the keys of the result.
///
/// It considers only conditions that every result must meet: the filter itself and the parts of an AND.
private struct KeyConstraints {
    private let scope: QueryScope
    private let database: DatabaseID
    private var keys: Set<DocumentKey>?
    private var range = KeyRange.all
    private var isImpossible = false

    init(scope: QueryScope, database: DatabaseID) {
        self.scope = scope
        self.database = database
    }

    func access(descending: Bool) -> QueryPlan.Access {
        if isImpossible { return .nothing }
        if let keys { return .keys(keys.filter(scope.contains).sorted()) }
        switch scope {
        case .collection(let collection):
            return range.narrowed(to: collection).map { .scan($0, descending: descending) } ?? .nothing
        case .collectionGroup, .kindless: return .scan(range, descending: descending)
        }
    }

    mutating func add(_ filter: QueryFilter) {
        switch filter {
        case .and(let filters): for filter in filters { add(filter) }
        case .or(let filters): if filters.count == 1 { add(filters[0]) }
        case .field(let path, let op, let operand):
            guard path.isDocumentID else { return }
            defer { withExtendedLifetime(operand) {} }
            switch op {
            case .equal: restrict(to: [operand.view])
            case .in: if let elements = operand.view.elements { restrict(to: Array(elements)) }
            case .lessThan: bound(operand.view, isLower: false, inclusive: false)
            case .lessThanOrEqual: bound(operand.view, isLower: false, inclusive: true)
            case .greaterThan: bound(operand.view, isLower: true, inclusive: false)
            case .greaterThanOrEqual: bound(operand.view, isLower: true, inclusive: true)
            case .notEqual, .notIn, .arrayContains, .arrayContainsAny: break
            }
        }
    }

    /// Adds the cursors whose first column is the key.
    mutating func add(start: QueryBound?, end: QueryBound?, descending: Bool) {
        if let start, let value = start.values.first {
            defer { withExtendedLifetime(value) {} }
            bound(value.view, isLower: !descending, inclusive: start.before)
        }
        if let end, let value = end.values.first {
            defer { withExtendedLifetime(value) {} }
            bound(value.view, isLower: descending, inclusive: !end.before)
        }
    }

    private mutating func restrict(to operands: [ValueView]) {
        let named = Set(
            operands.compactMap { operand -> DocumentKey? in
                guard case .key(let key) = KeyOperand(operand, database: database) else { return nil }
                return key
            })
        keys = keys.map { $0.intersection(named) } ?? named
    }

    private mutating func bound(_ operand: ValueView, isLower: Bool, inclusive: Bool) {
        switch KeyOperand(operand, database: database) {
        case .key(let key):
            let bound = KeyRange.Bound(key, inclusive: inclusive)
            if isLower { range.raise(to: bound) } else { range.cut(to: bound) }
        case .outside(let order):
            // All keys are on one side of it.
            if (order > 0) != isLower { isImpossible = true }
        }
    }
}
