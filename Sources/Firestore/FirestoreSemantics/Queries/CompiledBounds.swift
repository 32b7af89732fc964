// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The cursors of a query, prepared for many documents (QR-34 … QR-39).
struct CompiledBounds: Sendable {
    private let start: CompiledBound?
    private let end: CompiledBound?

    init(_ query: StructuredQuery, orders: [SortOrder], database: DatabaseID) {
        start = query.start.map { CompiledBound($0, orders: orders, database: database) }
        end = query.end.map { CompiledBound($0, orders: orders, database: database) }
    }

    var needsKey: Bool { start?.needsKey == true || end?.needsKey == true }

    func contain(key: DocumentKey?, fields: FieldsView) -> Bool {
        if let start {
            let order = start.compare(key: key, fields: fields)
            guard start.before ? order >= 0 : order > 0 else { return false }
        }
        if let end {
            let order = end.compare(key: key, fields: fields)
            guard end.before ? order < 0 : order <= 0 else { return false }
        }
        return true
    }
}

private struct CompiledBound: Sendable {
    enum Column: Sendable {
        case key(KeyOperand, SortOrder.Direction)
        case value(CompiledPath, ValueBytes, SortOrder.Direction)
    }

    let before: Bool
    private let columns: [Column]

    init(_ bound: QueryBound, orders: [SortOrder], database: DatabaseID) {
        before = bound.before
        columns = zip(orders, bound.values).map { order, value in
            defer { withExtendedLifetime(value) {} }
            return order.path.isDocumentID
                ? .key(KeyOperand(value.view, database: database), order.direction)
                : .value(CompiledPath(order.path), value, order.direction)
        }
    }

    var needsKey: Bool {
        columns.contains { if case .key = $0 { true } else { false } }
    }

    /// The position of the document relative to the cursor's values, in the query's order; zero if it has the whole
    /// prefix. The order is total across types, without brackets (QR-36).
    func compare(key: DocumentKey?, fields: FieldsView) -> Int {
        for column in columns {
            let order: Int
            let direction: SortOrder.Direction
            switch column {
            case .key(let operand, let columnDirection):
                order = key.map(operand.compare) ?? 0
                direction = columnDirection
            case .value(let path, let operand, let columnDirection):
                defer { withExtendedLifetime(operand) {} }
                order = path.value(in: fields).map { ValueOrdering.compare($0, operand.view) } ?? -1
                direction = columnDirection
            }
            if order != 0 { return direction == .ascending ? order : -order }
        }
        return 0
    }
}
