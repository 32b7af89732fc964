// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Answers a query by reading the rules aloud: filter everything, sort everything, cut. On trees.
struct NaiveQueries {
    struct Row {
        let key: DocumentKey
        let fields: FieldMap

        func value(_ path: FieldPathSegments) -> Value? {
            if path.isDocumentID { return reference(key.path) }
            var value = Value.map(fields)
            for name in path.segments {
                guard case .map(let map) = value, let entry = map.entries.first(where: { $0.name == name }) else {
                    return nil
                }
                value = entry.value
            }
            return value
        }
    }

    private let rows: [Row]

    init(_ documents: [Document]) throws {
        rows = try documents.map { Row(key: $0.key, fields: try $0.fields.map) }
    }

    func run(_ query: StructuredQuery) throws -> [DocumentKey] {
        let orders = allOrders(query)
        var result: [Row] = []
        for row in rows where isIn(row.key, query.scope) {
            if let filter = query.filter, try !accepts(filter, row) { continue }
            // QR-30
            if orders.contains(where: { row.value($0.path) == nil }) { continue }
            if let start = query.start {
                let order = try position(of: row, start, orders)
                guard order > 0 || (order == 0 && start.before) else { continue }
            }
            if let end = query.end {
                let order = try position(of: row, end, orders)
                guard order < 0 || (order == 0 && !end.before) else { continue }
            }
            result.append(row)
        }
        result.sort { left, right in
            for order in orders {
                guard let leftValue = left.value(order.path), let rightValue = right.value(order.path) else { continue }
                let comparison = NaiveValues.compare(leftValue, rightValue)
                if comparison != 0 { return (comparison < 0) == (order.direction == .ascending) }
            }
            return false
        }
        let rest = result.dropFirst(query.offset)
        return rest.prefix(query.limit ?? rest.count).map(\.key)
    }

    /// QR-28
    private func allOrders(_ query: StructuredQuery) -> [SortOrder] {
        var orders = query.orders
        let direction = orders.last?.direction ?? .ascending
        for field in inequalities(query.filter).sorted() where field != "__name__" {
            let path = path(field)
            if !orders.contains(where: { $0.path == path }) { orders.append(SortOrder(path: path, direction: direction)) }
        }
        if !orders.contains(where: { $0.path.isDocumentID }) {
            orders.append(SortOrder(path: .documentID, direction: direction))
        }
        return orders
    }

    /// Dotted; the test's field names are plain letters, for which this sorts like the paths.
    private func inequalities(_ filter: QueryFilter?) -> Set<String> {
        switch filter {
        case nil: []
        case .and(let filters)?, .or(let filters)?: filters.reduce(into: []) { $0.formUnion(inequalities($1)) }
        case .field(let path, let op, _)?:
            [.equal, .in, .arrayContains, .arrayContainsAny].contains(op) ? [] : [path.segments.joined(separator: ".")]
        }
    }

    private func isIn(_ key: DocumentKey, _ scope: QueryScope) -> Bool {
        let segments = key.path.split(separator: "/")
        let collection = segments.dropLast().joined(separator: "/")
        switch scope {
        case .collection(let path): return collection == path.path
        case .collectionGroup(let id, let under):
            return segments[segments.count - 2] == id && (under == nil || key.path.hasPrefix(under!.path + "/"))
        case .kindless(let under, let allDescendants):
            let depth = under.map { $0.path.split(separator: "/").count } ?? 0
            return (under == nil || key.path.hasPrefix(under!.path + "/")) && (allDescendants || segments.count == depth + 2)
        }
    }

    private func position(of row: Row, _ bound: QueryBound, _ orders: [SortOrder]) throws -> Int {
        for (order, operand) in zip(orders, bound.values) {
            guard let value = row.value(order.path) else { continue }
            let comparison = NaiveValues.compare(value, try operand.value)
            if comparison != 0 { return order.direction == .ascending ? comparison : -comparison }
        }
        return 0
    }

    private func accepts(_ filter: QueryFilter, _ row: Row) throws -> Bool {
        switch filter {
        case .and(let filters):
            for filter in filters where try !accepts(filter, row) { return false }
            return true
        case .or(let filters):
            for filter in filters where try accepts(filter, row) { return true }
            return false
        case .field(let path, let op, let operand):
            guard let value = row.value(path) else { return false }  // QR-5
            return accepts(value, op, try operand.value)
        }
    }

    private func accepts(_ value: Value, _ op: QueryFilter.FieldOperator, _ operand: Value) -> Bool {
        func equal(_ left: Value, _ right: Value) -> Bool { NaiveValues.compare(left, right) == 0 }
        func listed() -> [Value] { if case .array(let values) = operand { values } else { [] } }
        // QR-10
        func matchable(_ value: Value) -> Bool { !NaiveValues.isNull(value) && !NaiveValues.isNaN(value) }
        // QR-6; null and NaN are in no range (QR-12, QR-13).
        let inBracket =
            NaiveValues.rank(value) == NaiveValues.rank(operand) && matchable(value) && matchable(operand)
        let order = NaiveValues.compare(value, operand)
        switch op {
        case .equal: return order == 0
        case .lessThan: return inBracket && order < 0
        case .lessThanOrEqual: return inBracket && order <= 0
        case .greaterThan: return inBracket && order > 0
        case .greaterThanOrEqual: return inBracket && order >= 0
        case .notEqual: return !NaiveValues.isNull(value) && order != 0
        case .in: return listed().contains { matchable($0) && equal($0, value) }
        case .notIn:
            if listed().contains(where: NaiveValues.isNull) || NaiveValues.isNull(value) { return false }
            return !listed().contains { equal($0, value) }
        case .arrayContains:
            guard case .array(let elements) = value else { return false }
            return matchable(operand) && elements.contains { equal($0, operand) }
        case .arrayContainsAny:
            guard case .array(let elements) = value else { return false }
            return listed().contains { wanted in matchable(wanted) && elements.contains { equal($0, wanted) } }
        }
    }
}
