// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The total order of a query's result: its effective orders, with ties resolved by `__name__` (QR-28, QR-33).
package struct DocumentOrdering: Sendable {
    struct Column: Sendable {
        let path: CompiledPath
        let isDescending: Bool
    }

    /// The columns before `__name__`.
    let columns: [Column]
    let isNameDescending: Bool

    /// Expects the effective orders. Orders after `__name__` have no effect, and a missing `__name__` is added in the
    /// last direction.
    package init(_ orders: [SortOrder]) {
        let name = orders.firstIndex { $0.path.isDocumentID }
        columns = orders[..<(name ?? orders.endIndex)].map {
            Column(path: CompiledPath($0.path), isDescending: $0.direction == .descending)
        }
        isNameDescending = (name.map { orders[$0] } ?? orders.last)?.direction == .descending
    }

    /// Negative, zero (the same key) or positive.
    package func compare(_ left: Document, _ right: Document) -> Int {
        defer { withExtendedLifetime((left, right)) {} }
        let leftFields = left.fields.view
        let rightFields = right.fields.view
        for column in columns {
            let order = Self.compare(column.path.value(in: leftFields), column.path.value(in: rightFields))
            if order != 0 { return column.isDescending ? -order : order }
        }
        return compareKeys(left.key, right.key)
    }

    func compareKeys(_ left: DocumentKey, _ right: DocumentKey) -> Int {
        let order = PathOrdering.compare(left.path, right.path)
        return isNameDescending ? -order : order
    }

    /// Matching documents have every ordered field; a missing one sorts lowest.
    static func compare(_ left: ValueView?, _ right: ValueView?) -> Int {
        switch (left, right) {
        case (let left?, let right?): ValueOrdering.compare(left, right)
        case (nil, nil): 0
        case (nil, _): -1
        case (_, nil): 1
        }
    }
}
