import FirestoreCore

/// One walk over index entries whose leading columns are fixed: over one index, or over the common part of several
/// that agree in everything behind their fixed columns (a zig-zag merge).
package struct IndexScan: Sendable {
    struct Leg: Sendable {
        let index: ReadyIndex
        /// The fixed columns.
        let prefix: [UInt8]
        let range: IndexRange
    }

    /// A column behind the fixed ones.
    struct Column: Sendable {
        let isDescending: Bool
        /// What its values must be in; nil if anything goes or the range has seen to it.
        let test: ValueIntervals?
    }

    let legs: [Leg]
    /// Entries are walked from the end.
    let isBackward: Bool
    let columns: [Column]
    /// Where an entry stands in the query's order: the columns as the query orders them, some of them fixed. nil if the
    /// scan does not come in the query's order.
    let order: [OrderPart]?

    enum OrderPart: Sendable {
        /// A fixed column, in the query's direction.
        case fixed([UInt8])
        /// The next column of the entry.
        case column
    }

    var hasTests: Bool { columns.contains { $0.test != nil } }

    /// Whether the columns let an entry through, looking at its key alone.
    func accepts(suffix: UnsafeRawBufferPointer) -> Bool {
        var components = IndexComponents(suffix)
        for column in columns {
            guard let component = components.next(isDescending: column.isDescending) else { return false }
            guard let test = column.test else { continue }
            if column.isDescending ? !test.contains(component.lazy.map { ~$0 }) : !test.contains(component) { return false }
        }
        return true
    }

    /// Bytes that order entries of all scans of a plan as the query does; equal for the same document.
    func orderKey(suffix: UnsafeRawBufferPointer) -> [UInt8] {
        let mask: UInt8 = isBackward ? 0xFF : 0
        guard let order, order.contains(where: { if case .fixed = $0 { true } else { false } }) else {
            return suffix.map { $0 ^ mask }
        }
        var key: [UInt8] = []
        var components = IndexComponents(suffix)
        var next = columns.makeIterator()
        for part in order {
            switch part {
            case .fixed(let bytes): key += bytes
            case .column:
                guard let column = next.next(), let component = components.next(isDescending: column.isDescending) else { continue }
                for byte in component { key.append(byte ^ mask) }
            }
        }
        // The name is left.
        for byte in suffix[components.position...] { key.append(byte ^ mask) }
        return key
    }
}

/// How indexes answer a query: all their scans together hold every match.
package struct IndexAccess: Sendable {
    var scans: [IndexScan]
    /// Every scan comes in the query's order, so merging them does too.
    var isOrdered: Bool
    /// Entries that pass are matches: no document needs to be looked at to know.
    var isExact: Bool
    /// A document can be met more than once.
    var mayRepeat: Bool
    /// What is used, for people.
    var indexes: [IndexDefinition]
}
