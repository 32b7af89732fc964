// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Converts a choice of indexes into scans of byte ranges, one per combination of fixed values and interval.
struct IndexScanBuilder {
    let query: StructuredQuery
    let orders: [SortOrder]
    let database: DatabaseID
    let branch: FilterBranch
    let candidate: IndexChoice.Candidate
    /// Without duplicates and directions.
    private let fixedColumns: [IndexDefinition.Field]

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
        fixedColumns = candidate.fixedFields.reduce(into: []) { columns, field in
            let column = field.mode == .descending ? IndexDefinition.Field(field.path) : field
            if !columns.contains(column) { columns.append(column) }
        }
        for values in combinations() { addScans(fixing: FixedValues(columns: fixedColumns, values: values)) }
    }

    /// The values that the fixed columns can have together.
    private func combinations() -> [[[UInt8]]] {
        var result: [[[UInt8]]] = [[]]
        for column in fixedColumns {
            let values = (column.mode == .arrayContains ? branch.array?.elements : branch.values(of: column.path))?.points ?? []
            if values.count == 1 {
                for place in result.indices { result[place].append(values[0]) }
            } else {
                result = result.flatMap { known in values.map { known + [$0] } }
            }
        }
        return result
    }

    private mutating func addScans(fixing fixed: FixedValues) {
        var lower = KeyCut.before([])
        var upper = KeyCut.after([])
        if let isBackward = candidate.isBackward {
            let start = query.start.map { cut(for: $0, isStart: true, fixed) }
            let end = query.end.map { cut(for: $0, isStart: false, fixed) }
            lower = (isBackward ? end?.flipped : start) ?? lower
            upper = (isBackward ? start?.flipped : end) ?? upper
        } else if query.start != nil || query.end != nil {
            boundsAreExact = false
        }
        guard lower < upper else { return }
        var columns: [IndexScan.Column] = []
        for field in candidate.columns {
            // The range restricts the first column.
            let test = columns.isEmpty ? nil : branch.values(of: field.path)
            columns.append(IndexScan.Column(isDescending: field.mode == .descending, test: test))
        }
        let prefixes = candidate.legs.map { leg in
            let fields = leg.index.definition.fields[..<leg.fixed]
            return leg.fixed == 1 ? fixed.bytes(in: fields[0]) : fields.flatMap(fixed.bytes)
        }
        let order = orderParts(fixed)
        for interval in firstColumnIntervals() {
            let low = max(interval.lower, lower)
            let high = min(interval.upper, upper)
            guard low < high else { continue }
            let legs = zip(candidate.legs, prefixes).map { leg, prefix in
                IndexScan.Leg(
                    index: leg.index, prefix: prefix,
                    range: IndexRange(lower: low.prefixed(by: prefix).bound ?? [], upper: high.prefixed(by: prefix).bound))
            }
            scans.append(IndexScan(legs: legs, isBackward: candidate.isBackward ?? false, columns: columns, order: order))
        }
    }

    /// The set of values of the column after the fixed ones, as it is in the index.
    private func firstColumnIntervals() -> [ValueIntervals.Interval] {
        guard let first = candidate.columns.first, let wanted = branch.values(of: first.path) else {
            return ValueIntervals.everything.intervals
        }
        return first.mode == .descending ? wanted.intervals.map(\.flipped) : wanted.intervals
    }

    private func orderParts(_ fixed: FixedValues) -> [IndexScan.OrderPart]? {
        guard candidate.isBackward != nil, orders.contains(where: { fixed.value(of: $0.path) != nil }) else { return nil }
        return orders.prefix { !$0.path.isDocumentID }.map { order in
            guard let value = fixed.value(of: order.path) else { return .column }
            return .fixed(order.direction == .ascending ? value : value.map { ~$0 })
        }
    }

    /// The position of a cursor among the entries, in the query's direction (QR-34 … QR-39).
    private mutating func cut(for bound: QueryBound, isStart: Bool, _ fixed: FixedValues) -> KeyCut {
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
            if let known = fixed.value(of: order.path) {
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

/// The values of the fixed columns in one scan.
private struct FixedValues {
    let columns: [IndexDefinition.Field]
    let values: [[UInt8]]

    func value(of path: FieldPathSegments, isElement: Bool = false) -> [UInt8]? {
        columns.firstIndex { $0.path == path && ($0.mode == .arrayContains) == isElement }.map { values[$0] }
    }

    /// The value as an index contains it.
    func bytes(in field: IndexDefinition.Field) -> [UInt8] {
        let value = value(of: field.path, isElement: field.mode == .arrayContains) ?? []
        return field.mode == .descending ? value.map { ~$0 } : value
    }
}
