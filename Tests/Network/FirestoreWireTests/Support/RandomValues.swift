// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport

/// Random documents of legal values, nested a few levels.
struct RandomValues {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    static let rounds = TestScale.pick(quick: 300, full: 3_000)

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    mutating func chance(_ percent: Int) -> Bool { number(0...99) < percent }
    mutating func pick<T>(_ values: [T]) -> T { values[number(0...(values.count - 1))] }

    private static let names = [
        "a", "b", "name", "_", "é", "e\u{301}", "a.b", "longer than eight", "longer than eight bytes", "\u{10000}", "\u{ffff}", "a\u{0}", "`", "__",
        "zzzzzzzz", "zzzzzzzzz",
    ]

    mutating func fields(depth: Int = 0) -> FieldMap {
        var map = FieldMap()
        for _ in 0..<number(0...8) {
            let name = chance(70) ? pick(Self.names) : "n\(number(0...60))"
            map[name] = value(depth: depth)
        }
        return map
    }

    mutating func value(depth: Int, inArray: Bool = false) -> Value {
        switch number(0...(depth < 4 ? 14 : 11)) {
        case 0: return .null
        case 1: return .boolean(chance(50))
        case 2: return .integer(pick([0, 1, -1, 127, 128, .max, .min, Int64(number(-1_000_000...1_000_000))]))
        case 3: return .double(pick([0, -0.0, 1.5, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, 1e300]))
        case 4:
            return .timestamp(
                TimestampValue(
                    seconds: pick([0, 1, -1, TimestampValue.validSeconds.lowerBound, TimestampValue.validSeconds.upperBound, 1_700_000_000]),
                    nanoseconds: Int32(pick([0, 1_000, 999_999_000, 500_000_000]))))
        case 5, 6: return .string(pick(["", "a", "ü", String(repeating: "x", count: 200), "\u{1F600}", "a\u{0}b"]))
        case 7: return .bytes((0..<number(0...20)).map { _ in UInt8(truncatingIfNeeded: number(0...255)) })
        case 8: return .reference("projects/p/databases/(default)/documents/c/\(pick(["d", "é", "__id7__", "d/c/e"]))")
        case 9:
            return .geoPoint(
                GeoPointValue(latitude: pick([0, -0.0, 90, -90, 12.5]), longitude: pick([0, -0.0, 180, -180, 12.5])))
        case 10 where !inArray: return .vector((0..<number(0...5)).map { Double($0) / 2 })
        case 12 where !inArray: return .array((0..<number(0...5)).map { _ in value(depth: depth + 1, inArray: true) })
        case 13, 14: return .map(fields(depth: depth + 1))
        default: return .integer(Int64(number(0...9)))
        }
    }
}
