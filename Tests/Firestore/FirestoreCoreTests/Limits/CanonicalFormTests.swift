// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

/// `DocumentCheck` with bytes that Hearth's encoders never write.
@Suite struct CanonicalFormTests {
    static let key = DocumentKey(trusted: "c/d")

    static func check(_ bytes: [UInt8]) throws(FirestoreError) {
        try DocumentCheck.check(FieldBytes(canonical: ByteSlice(bytes)), of: key)
    }

    static func document(_ name: String = "a", value: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendEntry(tag: WireTag.documentEntry, name: name.utf8, value: value)
        return bytes
    }

    static func entry(_ name: [UInt8], _ value: [UInt8] = [WireTag.null, 0]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendEntry(tag: WireTag.documentEntry, name: name, value: value)
        return bytes
    }

    @Test func `entries are sorted and unique`() throws {
        try Self.check(Self.entry([0x61]) + Self.entry([0x62]))
        expectInvalid { () throws(FirestoreError) in try Self.check(Self.entry([0x62]) + Self.entry([0x61])) }
        expectInvalid { () throws(FirestoreError) in try Self.check(Self.entry([0x61]) + Self.entry([0x61])) }
    }

    static let damagedValues: [[UInt8]] = [
        [],
        [WireTag.null], [WireTag.null, 1], [WireTag.null, 0, 0],
        [WireTag.boolean, 2], [WireTag.boolean, 0x81, 0],
        [WireTag.integer], [WireTag.integer, 0x81, 0x00],  // 1, not in the shortest form
        [WireTag.double, 0, 0, 0], [WireTag.double, 1, 0, 0, 0, 0, 0, 0xF8, 0x7F],  // another NaN
        [WireTag.string, 0x00], [WireTag.string, WireTag.longTagSuffix, 2, 0x61],
        [WireTag.string, WireTag.longTagSuffix, 1, 0x61, 0],
        [WireTag.string, WireTag.longTagSuffix, 2, 0xC0, 0x80],  // VAL-26: overlong
        [WireTag.string, WireTag.longTagSuffix, 3, 0xED, 0xA0, 0x80],  // a surrogate
        [WireTag.string, WireTag.longTagSuffix, 4, 0xF4, 0x90, 0x80, 0x80],  // beyond U+10FFFF
        [WireTag.timestamp, 2, WireTag.seconds, 0],  // a zero that should be left out
        [WireTag.timestamp, 4, WireTag.nanoseconds, 0xE8, 0x07, WireTag.seconds],
        [WireTag.geoPoint, 9, WireTag.latitude, 0, 0, 0, 0, 0, 0, 0, 0],
        [WireTag.map, 2, WireTag.documentEntry, 0], [WireTag.array, 2, 0x12, 0], [WireTag.array, 2, WireTag.arrayElement, 0],
        [0x7A, 0], [0xFF],
    ]

    @Test(arguments: damagedValues)
    func `a value has one spelling`(value: [UInt8]) {
        expectInvalid { () throws(FirestoreError) in try Self.check(Self.document(value: value)) }
    }

    @Test func `UTF-8 is judged as the standard library judges it`() {
        var generator = SeededGenerator(seed: 11)
        let pieces: [[UInt8]] = [
            [0x61], [0xC3, 0xA9], [0xE2, 0x82, 0xAC], [0xF0, 0x9F, 0x98, 0x80], [0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0xF0, 0x80, 0x80, 0x80], [0xEF, 0xBF, 0xBF], Array("ascii run".utf8),
        ]
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...6, using: &generator)).flatMap { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            }
            let expected = String(validating: bytes, as: UTF8.self) != nil
            #expect(bytes.withUnsafeBytes { isValidUTF8($0) } == expected, "\(bytes)")
        }
    }

    /// Whatever passes can be read back completely and has the same bytes when written again.
    @Test func `mutated bytes are rejected or sound, never a crash`() throws {
        var generator = SeededGenerator(seed: 2026)
        let original = FieldBytes(
            FieldMap([
                ("a", .integer(300)), ("b", .string("naïve")), ("c", .array([.double(1.5), .map(FieldMap([("x", .null)]))])),
                ("d", .timestamp(TimestampValue(seconds: 1_700_000_000, nanoseconds: 5_000))),
                ("e", .geoPoint(GeoPointValue(latitude: 1, longitude: 2))), ("f", .vector([1, 2])),
                ("g", .reference("projects/p/databases/d/documents/a/b")), ("h", .bytes([1, 2, 3])), ("i", .boolean(true)),
            ]))
        let bytes = original.bytes.array
        try Self.check(bytes)
        var passed = 0
        for _ in 0..<60_000 {
            var mutated = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let position = Int.random(in: 0..<max(1, mutated.count), using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where !mutated.isEmpty: mutated.remove(at: position)
                case 1: mutated.insert(.random(in: 0...255, using: &generator), at: position)
                case 2: mutated.removeLast(Int.random(in: 0...mutated.count, using: &generator))
                default: if position < mutated.count { mutated[position] = .random(in: 0...255, using: &generator) }
                }
            }
            let fields = FieldBytes(canonical: ByteSlice(mutated))
            do {
                try DocumentCheck.check(fields, of: Self.key)
            } catch {
                #expect(error.code == .invalidArgument)
                continue
            }
            passed += 1
            #expect(FieldBytes(try fields.map) == fields, "\(mutated)")
        }
        #expect(passed > 100)
    }
}
