// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Converts a choice of indexes into scans of byte ranges, one per combination of fixed values and interval.
struct IndexScanBuilder {
    let query: StructuredQuery
    let orders: [SortOrder]
    let database: DatabaseID
    let branch: FilterBranch
    let candidate: IndexChoice.Candidate

    /// Whether the ranges include the cursors exactly.
    private(set) var boundsAreExact = true
    private(set) var scans: [IndexScan] = []

    init(
        query: StructuredQuery, orders: [SortOrder], database: DatabaseID, branch: FilterBranch,
        candidate: IndexChoice.Candidate
    ) {
        self.query = query
        self.orders = orders
        self.database = database
        self.branch = branch
        self.candidate = candidate
        for values in combinations() { addScans(fixing: values) }
    }

    /// The fixed columns, without duplicates.
    private var fixedColumns: [IndexDefinition.Field] {
        candidate.fixedFields.map { $0.mode == .descending ? IndexDefinition.Field($0.path) : $0 }
            .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    private func combinations() -> [[IndexDefinition.Field: [UInt8]]] {
        var result: [[IndexDefinition.Field: [UInt8]]] = [[:]]
        for column in fixedColumns {
            let values = (column.mode == .arrayContains ? branch.array?.elements.points : branch.fields[column.path]?.points) ?? []
            result = result.flatMap { known in
                values.map { value in
                    var more = known
                    more[column] = value
                    return more
                }
            }
        }
        return result
    }

    private mutating func addScans(fixing values: [IndexDefinition.Field: [UInt8]]) {
        let fixed = { (path: FieldPathSegments) in values[IndexDefinition.Field(path)] }
        var lower = KeyCut.before([])
        var upper = KeyCut.after([])
        if let isBackward = candidate.isBackward {
            let start = query.start.map { cut(for: $0, isStart: true, fixed: fixed) }
            let end = query.end.map { cut(for: $0, isStart: false, fixed: fixed) }
            lower = (isBackward ? end?.flipped : start) ?? lower
            upper = (isBackward ? start?.flipped : end) ?? upper
        } else if query.start != nil || query.end != nil {
            boundsAreExact = false
        }
        guard lower < upper else { return }
        var columns: [IndexScan.Column] = []
        for (place, field) in candidate.columns.enumerated() {
            columns.append(
                IndexScan.Column(
                    isDescending: field.mode == .descending, test: place == 0 ? nil : branch.fields[field.path]))
        }
        let prefixes = candidate.legs.map { leg in
            leg.index.definition.fields.prefix(leg.fixed).flatMap { field -> [UInt8] in
                switch field.mode {
                case .arrayContains: values[field] ?? []
                case .ascending: fixed(field.path) ?? []
                case .descending: (fixed(field.path) ?? []).map { ~$0 }
                }
            }
        }
        for interval in firstColumnIntervals() {
            let low = max(interval.lower, lower)
            let high = min(interval.upper, upper)
            guard low < high else { continue }
            let legs = zip(candidate.legs, prefixes).map { leg, prefix in
                IndexScan.Leg(
                    index: leg.index, prefix: prefix,
                    range: IndexRange(lower: low.prefixed(by: prefix).bound ?? [], upper: high.prefixed(by: prefix).bound))
            }
            scans.append(
                IndexScan(legs: legs, isBackward: candidate.isBackward ?? false, columns: columns, order: orderParts(fixed)))
        }
    }

    /// The set of values of the column after the fixed ones, as it is in the index.
    private func firstColumnIntervals() -> [ValueIntervals.Interval] {
        guard let first = candidate.columns.first, let wanted = branch.fields[first.path] else {
            return ValueIntervals.everything.intervals
        }
        return first.mode == .descending ? wanted.intervals.map(\.flipped) : wanted.intervals
    }

    private func orderParts(_ fixed: (FieldPathSegments) -> [UInt8]?) -> [IndexScan.OrderPart]? {
        guard candidate.isBackward != nil else { return nil }
        return orders.prefix { !$0.path.isDocumentID }.map { order in
            guard let value = fixed(order.path) else { return .column }
            return .fixed(order.direction == .ascending ? value : value.map { ~$0 })
        }
    }

    /// The position of a cursor among the entries, in the query's direction (QR-34 … QR-39).
    private mutating func cut(
        for bound: QueryBound, isStart: Bool, fixed: (FieldPathSegments) -> [UInt8]?
    ) -> KeyCut {
        var bytes: [UInt8] = []
        for (order, value) in zip(orders, bound.values) {
            defer { withExtendedLifetime(value) {} }
            let isAscending = order.direction == .ascending
            if order.path.isDocumentID {
                guard case .key(let key) = KeyOperand(value.view, database: database), let name = encodedName(key) else {
                    boundsAreExact = false
                    return KeyCut(bytes: bytes, isAfter: !isStart)
                }
                bytes += isAscending ? name : name.map { ~$0 }
                continue
            }
            let encoded = IndexValueEncoding.encode(value.view)
            if let known = fixed(order.path) {
                if known == encoded { continue }
                // All entries of the scan are on one side of the cursor, as far as they are equal up to here.
                return KeyCut(bytes: bytes, isAfter: known.lexicographicallyPrecedes(encoded) == isAscending)
            }
            bytes += isAscending ? encoded : encoded.map { ~$0 }
        }
        return KeyCut(bytes: bytes, isAfter: !bound.before)
    }

    /// nil for a document that the index does not contain by its id.
    private func encodedName(_ key: DocumentKey) -> [UInt8]? {
        guard case .collection(let path) = query.scope else { return IndexName.path(key) }
        return key.collection == path ? IndexName.id(key) : nil
    }
}
