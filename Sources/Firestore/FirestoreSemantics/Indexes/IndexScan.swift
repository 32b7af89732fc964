// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// One scan of index entries whose leading columns are fixed: of one index, or of the intersection of several that are
/// equal after their fixed columns (a zig-zag merge).
package struct IndexScan: Sendable {
    struct Leg: Sendable {
        let index: ReadyIndex
        /// The fixed columns.
        let prefix: [UInt8]
        let range: IndexRange
    }

    /// A column after the fixed ones.
    struct Column: Sendable {
        let isDescending: Bool
        /// The set that contains its values; nil if all values match or the range restricts them already.
        let test: ValueIntervals?
    }

    let legs: [Leg]
    /// Whether entries are read from the end.
    let isBackward: Bool
    let columns: [Column]
    /// The position of an entry in the query's order: the columns as the query orders them, some of them fixed. nil if none of them is
    /// fixed, or if the scan does not have the query's order.
    let order: [OrderPart]?

    enum OrderPart: Sendable {
        /// A fixed column, in the query's direction.
        case fixed([UInt8])
        /// The next column of the entry.
        case column
    }

    var hasTests: Bool { columns.contains { $0.test != nil } }

    /// Whether the columns match, according to the key alone.
    func accepts(suffix: UnsafeRawBufferPointer) -> Bool {
        var components = IndexComponents(suffix)
        for column in columns {
            guard let component = components.next(isDescending: column.isDescending) else { return false }
            guard let test = column.test else { continue }
            if column.isDescending ? !test.contains(component.lazy.map { ~$0 }) : !test.contains(component) { return false }
        }
        return true
    }

    /// Bytes that order the entries of all scans of a plan as the query does; equal for the same document.
    func orderKey(suffix: UnsafeRawBufferPointer) -> [UInt8] {
        let mask: UInt8 = isBackward ? 0xFF : 0
        guard let order else {
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
        // The name remains.
        for byte in suffix[components.position...] { key.append(byte ^ mask) }
        return key
    }
}

/// How indexes answer a query: all scans together contain every match.
package struct IndexAccess: Sendable {
    var scans: [IndexScan]
    /// Whether every scan has the query's order, so that merging them has it, too.
    var isOrdered: Bool
    /// Whether every entry that passes is a match, without reading its document.
    var isExact: Bool
    /// Whether a document can occur more than once.
    var mayRepeat: Bool
    /// The indexes in use, for people.
    var indexes: [IndexDefinition]
}
