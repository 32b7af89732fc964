// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// What the model says of an expression for one row.
enum ModelResult {
    case absent
    /// The evaluation has failed; `if_error` and `is_error` see it.
    case failed
    case value(Value)

    static let null = ModelResult.value(.null)

    static func boolean(_ boolean: Bool) -> ModelResult { .value(.boolean(boolean)) }
    static func integer(_ integer: Int) -> ModelResult { .value(.integer(Int64(integer))) }

    var isAbsent: Bool { if case .absent = self { true } else { false } }
    var isFailed: Bool { if case .failed = self { true } else { false } }
    var isNull: Bool { if case .value(.null) = self { true } else { false } }
    var isNothing: Bool { isAbsent || isNull }
    var isTrue: Bool { boolean == true }
    var boolean: Bool? { if case .value(.boolean(let boolean)) = self { boolean } else { nil } }

    /// `null` in place of nothing and of a failure.
    var orNull: Value { if case .value(let value) = self { value } else { .null } }
}

/// The request fails, whatever catches failures of expressions.
struct ModelFault: Error {}

/// The kinds of values, in their order.
enum ModelKind: Int {
    case null, boolean, number, timestamp, string, bytes, reference, geoPoint, array, vector, map
}

extension Value {
    var kind: ModelKind {
        switch self {
        case .null: .null
        case .boolean: .boolean
        case .integer, .double: .number
        case .timestamp: .timestamp
        case .string: .string
        case .bytes: .bytes
        case .reference: .reference
        case .geoPoint: .geoPoint
        case .array: .array
        case .map(let map): map.isVector ? .vector : .map
        }
    }

    var isNaN: Bool { if case .double(let double) = self { double.isNaN } else { false } }

    var elements: [Value]? { if case .array(let elements) = self { elements } else { nil } }

    /// The entries of a map that is no vector.
    var plainMap: FieldMap? { if case .map(let map) = self, !map.isVector { map } else { nil } }
}

extension FieldMap {
    fileprivate var isVector: Bool {
        if case .string("__vector__")? = self["__type__"], case .array? = self["value"] { entries.count == 2 } else { false }
    }
}

/// The total order of values, by trees.
enum ModelOrder {
    static func equals(_ left: Value, _ right: Value) -> Bool { compare(left, right) == 0 }

    static func compare(_ left: Value, _ right: Value) -> Int {
        guard left.kind == right.kind else { return left.kind.rawValue - right.kind.rawValue }
        switch (left, right) {
        case (.boolean(let left), .boolean(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
        case (.timestamp(let left), .timestamp(let right)):
            return left.seconds == right.seconds
                ? sign(left.nanoseconds, right.nanoseconds) : sign(left.seconds, right.seconds)
        case (.string(let left), .string(let right)): return compare(Array(left.utf8), Array(right.utf8)) { sign($0, $1) }
        case (.bytes(let left), .bytes(let right)): return compare(left, right) { sign($0, $1) }
        case (.reference(let left), .reference(let right)): return paths(left, right)
        case (.geoPoint(let left), .geoPoint(let right)):
            let latitudes = numbers(.double(left.latitude), .double(right.latitude))
            return latitudes != 0 ? latitudes : numbers(.double(left.longitude), .double(right.longitude))
        case (.array(let left), .array(let right)): return compare(left, right, by: compare)
        case (.map(let left), .map(let right)): return maps(left, right)
        default: return left.kind == .number ? numbers(left, right) : 0
        }
    }

    /// Names, segment by segment.
    static func paths(_ left: String, _ right: String) -> Int {
        compare(left.split(separator: "/"), right.split(separator: "/")) { left, right in
            compare(Array(left.utf8), Array(right.utf8)) { sign($0, $1) }
        }
    }

    private static func maps(_ left: FieldMap, _ right: FieldMap) -> Int {
        if left.isVector, case .array(let lefts)? = left["value"], case .array(let rights)? = right["value"] {
            return lefts.count == rights.count ? compare(lefts, rights, by: compare) : lefts.count - rights.count
        }
        return compare(left.entries, right.entries) { left, right in
            let names = compare(Array(left.name.utf8), Array(right.name.utf8)) { sign($0, $1) }
            return names != 0 ? names : compare(left.value, right.value)
        }
    }

    private static func compare<Element>(_ left: [Element], _ right: [Element], by order: (Element, Element) -> Int) -> Int {
        for (left, right) in zip(left, right) {
            let order = order(left, right)
            if order != 0 { return order }
        }
        return left.count - right.count
    }

    private static func sign<Number: Comparable>(_ left: Number, _ right: Number) -> Int { left < right ? -1 : left == right ? 0 : 1 }

    // MARK: Numbers

    /// Exact, with NaN below everything.
    static func numbers(_ left: Value, _ right: Value) -> Int {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return sign(left, right)
        case (.double(let left), .double(let right)):
            if left.isNaN || right.isNaN { return (left.isNaN ? 0 : 1) - (right.isNaN ? 0 : 1) }
            return sign(left, right)
        case (.integer(let left), .double(let right)): return mixed(left, right)
        case (.double(let left), .integer(let right)): return -mixed(right, left)
        default: return 0
        }
    }

    private static func mixed(_ integer: Int64, _ double: Double) -> Int {
        if double.isNaN { return 1 }
        let rounded = Double(integer)
        if rounded != double { return rounded < double ? -1 : 1 }
        // They round to one double: its exact value decides, which may be just beyond the integers.
        guard let exact = Int64(exactly: double) else { return -1 }
        return sign(integer, exact)
    }
}
