// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The value order a second time, on trees, written without looking at `ValueOrdering`: what it is checked against.
enum NaiveValues {
    static func compare(_ left: Value, _ right: Value) -> Int {
        if rank(left) != rank(right) { return rank(left) - rank(right) }
        if rank(left) == 3 {
            switch (pendingTime(left), pendingTime(right)) {
            case (let left?, let right?): return compare(left, right)
            case (nil, .some): return -1
            case (.some, nil): return 1
            case (nil, nil): break
            }
        }
        switch (left, right) {
        case (.boolean(let left), .boolean(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
        case (.timestamp(let left), .timestamp(let right)):
            return left.seconds == right.seconds
                ? sign(left.nanoseconds, right.nanoseconds) : sign(left.seconds, right.seconds)
        case (.string(let left), .string(let right)): return lexicographic(Array(left.utf8), Array(right.utf8), sign)
        case (.bytes(let left), .bytes(let right)): return lexicographic(left, right, sign)
        case (.reference(let left), .reference(let right)): return comparePaths(left, right)
        case (.geoPoint(let left), .geoPoint(let right)):
            let latitudes = numbers(.double(left.latitude), .double(right.latitude))
            return latitudes != 0 ? latitudes : numbers(.double(left.longitude), .double(right.longitude))
        case (.array(let left), .array(let right)): return lexicographic(left, right, compare)
        case (.map(let leftMap), .map(let rightMap)):
            if let left = components(left), let right = components(right) {
                return left.count == right.count ? lexicographic(left, right, compare) : left.count - right.count
            }
            return lexicographic(leftMap.entries, rightMap.entries) { left, right in
                let names = lexicographic(Array(left.name.utf8), Array(right.name.utf8), sign)
                return names != 0 ? names : compare(left.value, right.value)
            }
        default: return numbers(left, right)
        }
    }

    static func rank(_ value: Value) -> Int {
        switch value {
        case .null: 0
        case .boolean: 1
        case .integer, .double: 2
        case .timestamp: 3
        case .string: 4
        case .bytes: 5
        case .reference: 6
        case .geoPoint: 7
        case .array: 8
        case .map: pendingTime(value) != nil ? 3 : components(value) == nil ? 10 : 9
        }
    }

    private static func pendingTime(_ value: Value) -> Value? {
        guard case .map(let map) = value, case .string("server_timestamp")? = map["__type__"] else { return nil }
        return map["__local_write_time__"]
    }

    static func isNaN(_ value: Value) -> Bool {
        if case .double(let double) = value { double.isNaN } else { false }
    }

    static func isNull(_ value: Value) -> Bool { rank(value) == 0 }

    static func comparePaths(_ left: String, _ right: String) -> Int {
        lexicographic(left.utf8.split(separator: 47), right.utf8.split(separator: 47)) { left, right in
            let (leftID, rightID) = (String(Substring(left)), String(Substring(right)))
            switch (number(leftID), number(rightID)) {
            case (let left?, let right?): return sign(left, right)
            case (.some, nil): return -1
            case (nil, .some): return 1
            case (nil, nil): return lexicographic(Array(left), Array(right), sign)
            }
        }
    }

    private static func number(_ id: String) -> Int64? {
        id.hasPrefix("__id") && id.hasSuffix("__") && id.count > 6 ? Int64(id.dropFirst(4).dropLast(2)) : nil
    }

    private static func components(_ value: Value) -> [Value]? {
        guard case .map(let map) = value, case .string("__vector__")? = map["__type__"],
            case .array(let components)? = map["value"]
        else { return nil }
        return components
    }

    private static func numbers(_ left: Value, _ right: Value) -> Int {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return sign(left, right)
        case (.double(let left), .double(let right)):
            if left.isNaN || right.isNaN { return (left.isNaN ? 0 : 1) - (right.isNaN ? 0 : 1) }
            return sign(left, right)
        case (.integer(let left), .double(let right)):
            if right.isNaN { return 1 }
            if right.magnitude >= 0x1p63 { return right > 0 ? -1 : (right == -0x1p63 ? sign(left, .min) : 1) }
            let floor = right.rounded(.down)
            let whole = sign(left, Int64(floor))
            return whole != 0 ? whole : (right > floor ? -1 : 0)
        case (.double, .integer): return -numbers(right, left)
        default: return 0
        }
    }

    private static func sign<T: Comparable>(_ left: T, _ right: T) -> Int { left == right ? 0 : (left < right ? -1 : 1) }

    private static func lexicographic<T>(_ left: [T], _ right: [T], _ order: (T, T) -> Int) -> Int {
        for (left, right) in zip(left, right) {
            let result = order(left, right)
            if result != 0 { return result }
        }
        return left.count - right.count
    }
}
