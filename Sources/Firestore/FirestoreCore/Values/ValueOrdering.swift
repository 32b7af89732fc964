// SPDX-License-Identifier: Apache-2.0

/// The brackets of the value order, lowest first (VAL-1). Integers and doubles share one bracket; vectors have a separate one,
/// although they are encoded as maps (VAL-2). Pending timestamps, which are maps too, are timestamps (SY-38).
package enum TypeBracket: UInt8, Comparable, Sendable {
    case malformed, null, boolean, number, timestamp, string, bytes, reference, geoPoint, array, vector, map

    package static func < (left: TypeBracket, right: TypeBracket) -> Bool { left.rawValue < right.rawValue }
}

/// The order of values (VAL-1 … VAL-16) and the equality that follows from it (VAL-17), on encoded bytes.
///
/// Results are negative, zero or positive. Damaged bytes order below all valid ones; nothing here traps.
package enum ValueOrdering {
    package static func compare(_ left: ValueView, _ right: ValueView) -> Int {
        compare(left, right, depth: 0)
    }

    /// Query equality: 1 equals 1.0, all zeros are equal, NaN equals NaN, also deep inside arrays and maps.
    package static func equals(_ left: ValueView, _ right: ValueView) -> Bool { compare(left, right) == 0 }

    package static func typeBracket(_ value: ValueView) -> TypeBracket {
        switch value.kind {
        case .malformed: .malformed
        case .null: .null
        case .boolean: .boolean
        case .integer, .double: .number
        case .timestamp: .timestamp
        case .string: .string
        case .bytes: .bytes
        case .reference: .reference
        case .geoPoint: .geoPoint
        case .array: .array
        case .map:
            if value.vector != nil { .vector } else { PendingTimestamp(value) == nil ? .map : .timestamp }
        }
    }

    /// Valid values nest far less; damaged bytes must not exhaust the stack.
    private static let deepest = 4 * Limits.nestingLevels

    private static func compare(_ left: ValueView, _ right: ValueView, depth: Int) -> Int {
        let bracket = typeBracket(left)
        let other = typeBracket(right)
        guard bracket == other else { return bracket < other ? -1 : 1 }
        switch bracket {
        case .malformed, .null: return 0
        case .boolean: return compare(left.boolean.map { $0 ? 1 : 0 }, right.boolean.map { $0 ? 1 : 0 })
        case .number: return compareNumbers(left, right)
        case .timestamp: return compareTimestamps(left, right)
        case .string: return compare(left.stringBytes, right.stringBytes, by: compareBytes)
        case .bytes: return compare(left.dataBytes, right.dataBytes, by: compareBytes)
        // A full name starts with the project and the database, so they are compared first (VAL-13).
        case .reference: return compare(left.referenceBytes, right.referenceBytes, by: PathOrdering.compare)
        case .geoPoint: return compare(left.geoPoint, right.geoPoint, by: compareGeoPoints)
        case .array:
            guard depth < deepest else { return 0 }
            return compare(left.elements, right.elements) { compareElements($0, $1, depth: depth) }
        case .vector:
            guard depth < deepest else { return 0 }
            return compare(left.vector, right.vector) { left, right in
                let difference = left.count - right.count
                return difference != 0 ? difference : compareElements(left, right, depth: depth)
            }
        case .map:
            guard depth < deepest else { return 0 }
            return compare(left.fields, right.fields) { compareEntries($0, $1, depth: depth) }
        }
    }

    /// Unreadable values order before readable ones.
    private static func compare<T>(_ left: T?, _ right: T?, by order: (T, T) -> Int) -> Int {
        switch (left, right) {
        case (let left?, let right?): order(left, right)
        case (nil, nil): 0
        case (nil, _): -1
        case (_, nil): 1
        }
    }

    private static func compare<T: Comparable>(_ left: T?, _ right: T?) -> Int {
        compare(left, right) { $0 < $1 ? -1 : ($0 == $1 ? 0 : 1) }
    }

    /// Element by element, then the shorter first (VAL-12).
    private static func compareElements(_ left: ArrayView, _ right: ArrayView, depth: Int) -> Int {
        var lefts = left.makeIterator()
        var rights = right.makeIterator()
        while true {
            switch (lefts.next(), rights.next()) {
            case (let left?, let right?):
                let order = compare(left, right, depth: depth + 1)
                if order != 0 { return order }
            case (nil, nil): return 0
            case (nil, _): return -1
            case (_, nil): return 1
            }
        }
    }

    /// In parallel: name, then value; the first difference decides (VAL-15). Names are sorted in the bytes.
    private static func compareEntries(_ left: FieldsView, _ right: FieldsView, depth: Int) -> Int {
        var lefts = left.makeIterator()
        var rights = right.makeIterator()
        while true {
            switch (lefts.next(), rights.next()) {
            case (let left?, let right?):
                let names = compareBytes(left.name, right.name)
                if names != 0 { return names }
                let values = compare(left.value, right.value, depth: depth + 1)
                if values != 0 { return values }
            case (nil, nil): return 0
            case (nil, _): return -1
            case (_, nil): return 1
            }
        }
    }

    /// Pending timestamps follow all others; two of them are ordered by the time of the local write (SY-38).
    private static func compareTimestamps(_ left: ValueView, _ right: ValueView) -> Int {
        switch (left.kind, right.kind) {
        case (.map, .map): compare(PendingTimestamp(left)?.localWriteTime, PendingTimestamp(right)?.localWriteTime)
        case (.map, _): 1
        case (_, .map): -1
        default: compare(left.timestamp, right.timestamp)
        }
    }

    private static func compareGeoPoints(_ left: GeoPointValue, _ right: GeoPointValue) -> Int {
        let order = compareDoubles(left.latitude, right.latitude)
        return order != 0 ? order : compareDoubles(left.longitude, right.longitude)
    }
}
