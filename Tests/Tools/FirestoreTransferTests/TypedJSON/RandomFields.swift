// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport

/// Fields with everything in them that makes typed JSON difficult. Repeats for a seed.
struct RandomFields: RandomNumberGenerator {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> UInt64 { generator.next() }

    static let database = DatabaseID(projectID: "p", databaseID: "(default)")

    private static let names = [
        "a", "b", "", "$", "$map", "$timestamp", "$double", "$unknown", "é", "e\u{301}", "path", "fields", "a.b", "`", "\\", "\"", "\n", "\u{0}", "__name__",
        "__type__", "value", "longer than sixteen bytes", "日本", "😀", "$\u{301}", "\u{FEFF}",
    ]

    private static let doubles: [Double] = [
        0, -0.0, 1, -1, 0.1, 1e22, 1e23, 1e-7, .leastNonzeroMagnitude, 1.7976931348623157e308, .infinity, -.infinity, .nan, 9_007_199_254_740_992, 35.75936, 1e16,
        123_456_789_012_345_680, 0.30000000000000004, 2.2250738585072014e-308,
    ]

    private static let integers: [Int64] = [0, 1, -1, .max, .min, .min + 1, 9_007_199_254_740_993, 10, -100]

    private static let times: [TimestampValue] = [
        TimestampValue(seconds: 0, nanoseconds: 0), TimestampValue(seconds: -62_135_596_800, nanoseconds: 0),
        TimestampValue(seconds: 253_402_300_799, nanoseconds: 999_999_000), TimestampValue(seconds: -1, nanoseconds: 1_000),
        TimestampValue(seconds: 1_795_253_400, nanoseconds: 250_000_000),
    ]

    private static let references = [
        "projects/p/databases/(default)/documents/cities/SF", "projects/p/databases/other/documents/cities/SF",
        "projects/q/databases/(default)/documents/a/b/c/é", "projects/p/databases/(default)/documents/projects/p",
        "projects/p/databases/(default)/documents/a/__id-7__",
    ]

    mutating func fields() -> FieldMap {
        FieldMap((0..<Int.random(in: 0...6, using: &self)).map { _ in (name(), value(level: 0)) })
    }

    private mutating func name() -> String { Self.names.randomElement(using: &self) ?? "a" }

    mutating func value(level: Int) -> Value {
        switch Int.random(in: 0..<(level < 4 ? 13 : 10), using: &self) {
        case 0: return .null
        case 1: return .boolean(Bool.random(using: &self))
        case 2: return .integer(Self.integers.randomElement(using: &self) ?? 0)
        case 3: return .integer(Int64.random(in: .min ... .max, using: &self))
        case 4: return .double(Self.doubles.randomElement(using: &self) ?? 0)
        case 5: return .double(Double(bitPattern: next()))
        case 6: return .string(name() + (Bool.random(using: &self) ? "\u{1F}\"/\\" + name() : ""))
        case 7:
            if Bool.random(using: &self) { return .timestamp(Self.times.randomElement(using: &self) ?? Self.times[0]) }
            return .timestamp(TimestampValue(microsecondsSince1970: Int64.random(in: -62_135_596_800_000_000...253_402_300_799_999_999, using: &self)))
        case 8: return .bytes((0..<Int.random(in: 0...5, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) })
        case 9:
            if Bool.random(using: &self) { return .reference(Self.references.randomElement(using: &self) ?? "") }
            return .geoPoint(GeoPointValue(latitude: [0, -0.0, 90, -37.5][Int.random(in: 0..<4, using: &self)], longitude: 1e-9))
        case 10: return .array((0..<Int.random(in: 0...4, using: &self)).map { _ in value(level: level + 1) })
        case 11: return .vector((0..<Int.random(in: 0...3, using: &self)).map { _ in Self.doubles.randomElement(using: &self) ?? 0 })
        default:
            // Maps of one field are what may look like something else.
            let count = Bool.random(using: &self) ? 1 : Int.random(in: 0...3, using: &self)
            return .map(FieldMap((0..<count).map { _ in (name(), value(level: level + 1)) }))
        }
    }
}
