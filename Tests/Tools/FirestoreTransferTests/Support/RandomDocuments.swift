// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTransfer
import TestSupport

/// Documents of every kind, some below documents that do not exist.
struct RandomDocuments {
    var generator: SeededGenerator
    let database: DatabaseID

    init(seed: UInt64, database: DatabaseID) {
        generator = SeededGenerator(seed: seed)
        self.database = database
    }

    /// Sorted by key, none twice.
    mutating func documents(_ count: Int) -> [TransferredDocument] {
        var documents: [DocumentKey: FieldBytes] = [:]
        while documents.count < count {
            let key = key()
            documents[key] = FieldBytes(map(depth: 0))
        }
        return documents.map { TransferredDocument(key: $0.key, fields: $0.value) }.sorted { $0.key < $1.key }
    }

    private mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
    private mutating func pick<T>(_ choices: [T]) -> T { choices[number(0..<choices.count)] }

    private static let ids = [
        "a", "B", "SF", "Zürich", "e\u{301}", "é", "with space", "a.b", "__id7__", "__id-12__", "__id9223372036854775807__", "😀", "0", "~", "a-b", "a0",
        "quote\"", "back\\slash", "tab\t", "\u{1}", "%2F", "__id", "_x_",
    ]

    mutating func key() -> DocumentKey {
        var path = ""
        for level in 0..<(1 + number(0..<8) / 5 + number(0..<8) / 6) {
            let collection = pick(["cities", "a", "a-b", "users", "Ü", "x.y", "a b"])
            let id = number(0..<3) == 0 ? pick(Self.ids) : AutoID.make(using: &generator)
            path += (level == 0 ? "" : "/") + collection + "/" + id
        }
        return DocumentKey(trusted: path)
    }

    mutating func map(depth: Int) -> FieldMap {
        let names = ["a", "b", "name", "Ünïcode", "with.dot", "$price", "$map", "with space", "`tick`", "😀", "\n", "_", "0", "é", "e\u{301}"]
        return FieldMap((0..<number(0..<6)).map { _ in (pick(names), value(depth: depth)) })
    }

    mutating func value(depth: Int, inArray: Bool = false) -> Value {
        switch number(0..<(depth < 4 ? 16 : 12)) {
        case 0: return .null
        case 1: return .boolean(number(0..<2) == 0)
        case 2: return .integer(pick([0, 1, -1, .max, .min, 1 << 53 + 1, 42]))
        case 3: return .integer(Int64(bitPattern: generator.next()))
        case 4: return .double(pick([0, -0.0, 1, 0.1, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e21, 3]))
        case 5: return .double(Double(bitPattern: generator.next()))
        case 6: return .timestamp(TimestampValue(microsecondsSince1970: pick([0, 1, -1, 1_700_000_000_123_456, -62_135_596_800_000_000, 253_402_300_799_999_999])))
        case 7: return .string(pick(["", "plain", "e\u{301}", "é", "😀\u{0}\u{1F}\"\\/", "line\nfeed\r\t", "\u{2028}", String(repeating: "long ", count: 400)]))
        case 8: return .bytes((0..<pick([0, 1, 2, 3, 40, 2_000])).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
        case 9: return .reference(reference())
        case 10: return .geoPoint(pick([GeoPointValue(latitude: 0, longitude: -0.0), GeoPointValue(latitude: 90, longitude: -180), GeoPointValue(latitude: 37.7749, longitude: -122.4194)]))
        case 11: return inArray ? .integer(7) : .vector((0..<number(0..<4)).map { Double($0) - 0.5 })
        case 12, 13: return .map(map(depth: depth + 1))
        default:
            if inArray { return .map(map(depth: depth + 1)) }
            return .array((0..<number(0..<4)).map { _ in value(depth: depth + 1, inArray: true) })
        }
    }

    private mutating func reference() -> String {
        let other = DatabaseID(projectID: "other", databaseID: "second")
        return (number(0..<4) == 0 ? other : database).name(of: key())
    }
}
