// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Protos
import SwiftProtobuf
import Testing

@testable import FirestoreWire

/// Whatever protobuf allows becomes the one form in which documents are stored (docs/decisions/0001).
struct CanonicalFieldsTests {
    private let key = DocumentKey(trusted: "c/d")

    @Test func `any encoding of fields becomes Core's encoding`() throws {
        for round in 0..<RandomValues.rounds {
            var random = RandomValues(seed: UInt64(round))
            let map = random.fields()
            var sloppy = SloppyEncoder(random: random)
            let bytes = ByteSlice(sloppy.fields(map, number: 2))
            let canonical = try FieldBytes(wire: bytes, of: key)
            #expect(canonical == FieldBytes(map), "round \(round)")
        }
    }

    @Test func `SwiftProtobuf decodes the same bytes to the same message`() throws {
        for round in 0..<RandomValues.rounds / 3 {
            var random = RandomValues(seed: UInt64(round))
            // Its maps are dictionaries of strings, which takes two spellings of é for one.
            let map = FieldMap(random.fields().entries.filter { $0.name != "é" }.map { ($0.name, Self.withoutTwins($0.value)) })
            var sloppy = SloppyEncoder(random: random)
            let theirs = try Google_Firestore_V1_Document(serializedBytes: sloppy.fields(map, number: 2))
            let again = ByteSlice(try theirs.serializedBytes() as [UInt8])
            #expect(try FieldBytes(wire: again, of: key) == FieldBytes(map), "round \(round)")
        }
    }

    private static func withoutTwins(_ value: Value) -> Value {
        switch value {
        case .map(let map): .map(FieldMap(map.entries.filter { $0.name != "é" }.map { ($0.name, withoutTwins($0.value)) }))
        case .array(let elements): .array(elements.map(withoutTwins))
        default: value
        }
    }

    @Test func `canonical bytes are used without a copy`() throws {
        var random = RandomValues(seed: 7)
        let bytes = FieldBytes(random.fields()).bytes
        let taken = try FieldBytes(wire: bytes, of: key)
        #expect(taken.bytes.start == bytes.start && taken.bytes.owner === bytes.owner)
    }

    @Test func `many entries in the worst order are sorted`() throws {
        let names = (0..<5_000).map { "name\($0)" }
        let map = FieldMap(names.map { ($0, .integer(1)) })
        var bytes: [UInt8] = []
        for name in names.sorted().reversed() {
            bytes.appendEntry(tag: WireTag.documentEntry, name: name.utf8, value: [WireTag.integer, 1])
        }
        #expect(try FieldBytes(wire: ByteSlice(bytes), of: key) == FieldBytes(map))
    }

    @Test func `of two thousand entries of one name the last wins`() throws {
        var bytes: [UInt8] = []
        for number in 0..<2_000 {
            var value: [UInt8] = []
            Value.integer(Int64(number)).append(to: &value)
            bytes.appendEntry(tag: WireTag.documentEntry, name: number % 2 == 0 ? "b".utf8 : "a".utf8, value: value)
        }
        let fields = try FieldBytes(wire: ByteSlice(bytes), of: key)
        #expect(fields == FieldBytes(FieldMap([("a", .integer(1_999)), ("b", .integer(1_998))])))
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let place: String

        init(_ rule: String, _ place: String, _ bytes: [UInt8]) {
            testDescription = rule
            self.bytes = bytes
            self.place = place
        }

        /// A field with an unusual encoding of its value.
        static func field(_ rule: String, named name: String = "f", _ value: [UInt8], at place: String = "f") -> Refusal {
            var bytes: [UInt8] = []
            bytes.appendEntry(tag: WireTag.documentEntry, name: name.utf8, value: value)
            return Refusal(rule, "c/d, field \(place)", bytes)
        }

        static func value(_ rule: String, _ value: Value, at place: String = "f") -> Refusal {
            var bytes: [UInt8] = []
            value.append(to: &bytes)
            return field(rule, bytes, at: place)
        }
    }

    private static func nested(_ levels: Int) -> Value {
        (1..<levels).reduce(.map(FieldMap())) { value, _ in .map(FieldMap([("m", value)])) }
    }

    static let refusals: [Refusal] = [
        .field("DM-29 no type", []),
        .field("DM-29 a field reference", [0x9A, 0x01, 0x01, 0x61]),
        .field("DM-29 a function", [0xA2, 0x01, 0x00]),
        .field("DM-15 an empty name", named: "", [0x08, 0x01], at: "``"),
        .field("DM-15 a reserved name", named: "__a__", [0x08, 0x01], at: "__a__"),
        .value("DM-15 a reserved key in a map", .map(FieldMap([("__type__", .string("x"))])), at: "f.__type__"),
        .value(
            "SY-D9 a pending timestamp",
            .map(
                FieldMap([
                    ("__local_write_time__", .timestamp(TimestampValue(seconds: 1, nanoseconds: 0))), ("__type__", .string("server_timestamp")),
                ])), at: "f.__local_write_time__"),
        .value("DM-28 an array in an array", .array([.array([])]), at: "f[0]"),
        .value("DM-27 21 levels", nested(21), at: "f" + String(repeating: ".m", count: 20)),
        .value("VAL-21 beyond 9999", .timestamp(TimestampValue(seconds: 253_402_300_800, nanoseconds: 0))),
        .field("VAL-21 negative nanoseconds", [0x52, 0x0B, 0x10, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]),
        .value("VAL-11 latitude", .geoPoint(GeoPointValue(latitude: 90.5, longitude: 0))),
        .value("VAL-11 NaN", .geoPoint(GeoPointValue(latitude: 0, longitude: .nan))),
        .value("VAL-25 a collection", .reference("projects/p/databases/d/documents/c")),
        .value("VAL-25 no name at all", .reference("somewhere")),
        .value("VAL-20 2049 dimensions", .vector(Array(repeating: 0, count: 2_049))),
        .field("VAL-26 a string", [0x8A, 0x01, 0x02, 0xC3, 0x28]),
        .value("DM-26 a long string", .string(String(repeating: "x", count: 1_048_488))),
        .value("DM-26 long bytes", .bytes([UInt8](repeating: 1, count: 1_048_488))),
        Refusal("a cut entry", "c/d", [0x12, 0x05, 0x0A, 0x01]),
        Refusal("a stray end of a group", "c/d", [0x12, 0x07, 0x0A, 0x01, 0x61, 0x12, 0x02, 0x58, 0x00, 0x0C]),
        .field("a cut value", [0x8A, 0x01, 0x05, 0x61]),
    ]

    @Test(arguments: refusals) func `illegal documents are rejected with the path`(refusal: Refusal) throws {
        let error = try #require(throws: FirestoreError.self) {
            try FieldBytes(wire: ByteSlice(refusal.bytes), of: key)
        }
        #expect(error.code == .invalidArgument)
        #expect(error.location == refusal.place, "\(error)")
    }

    @Test func `twenty levels are legal, a vector inside the last one too`() throws {
        let map = FieldMap([("f", Self.nested(19)), ("v", .map(FieldMap([("v", .vector([1, 2]))])))])
        #expect(try FieldBytes(wire: FieldBytes(map).bytes, of: key) == FieldBytes(map))
    }

    @Test func `damaged bytes never crash, and nothing illegal comes of them`() {
        for round in 0..<RandomValues.rounds * 3 {
            var random = RandomValues(seed: UInt64(round) &* 31)
            let map = random.fields()
            var sloppy = SloppyEncoder(random: random)
            var bytes = sloppy.fields(map, number: 2)
            for _ in 0..<sloppy.random.number(1...4) where !bytes.isEmpty {
                let index = sloppy.random.number(0...(bytes.count - 1))
                switch sloppy.random.number(0...3) {
                case 0: bytes.remove(at: index)
                case 1: bytes.insert(UInt8(sloppy.random.number(0...255)), at: index)
                case 2: bytes.removeLast(bytes.count - index)
                default: bytes[index] = UInt8(sloppy.random.number(0...255))
                }
            }
            if let fields = try? FieldBytes(wire: ByteSlice(bytes), of: key) {
                #expect(throws: Never.self) { try DocumentCheck.check(fields, of: key) }
            }
        }
    }
}
