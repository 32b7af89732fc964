// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSemantics

/// The one thing an index key has to do: order like the values (VAL-1 … VAL-17).
@Suite struct IndexValueEncodingTests {
    /// In ascending order; values of one group are equal.
    static let ladder: [[Value]] = [
        [.null], [.boolean(false)], [.boolean(true)],
        [.double(.nan)], [.double(-.infinity)], [.double(-0x1p63.nextUp * 1.5)], [.integer(.min), .double(-0x1p63)],
        [.integer(.min + 1)], [.integer(-9_007_199_254_740_993)], [.integer(-9_007_199_254_740_992)],
        [.double(-1.5)], [.integer(-1), .double(-1)], [.double(-.leastNonzeroMagnitude)],
        [.integer(0), .double(0), .double(-0.0)], [.double(.leastNonzeroMagnitude)], [.integer(1), .double(1)],
        [.integer(9_007_199_254_740_992), .double(9_007_199_254_740_992)], [.integer(9_007_199_254_740_993)],
        [.integer(.max - 1)], [.integer(.max)], [.double(0x1p63)], [.double(.infinity)],
        [.timestamp(TimestampValue(seconds: -62_135_596_800, nanoseconds: 0))],
        [.timestamp(TimestampValue(seconds: -1, nanoseconds: 999_999_000))],
        [.timestamp(TimestampValue(seconds: 0, nanoseconds: 0))],
        [.timestamp(TimestampValue(seconds: 253_402_300_799, nanoseconds: 999_999_000))],
        [pendingTimestamp(-5)], [pendingTimestamp(1), pendingTimestamp(1, previous: .string("x"))],
        [pendingTimestamp(1, nanoseconds: 1_000)], [pendingTimestamp(2)],  // SY-D9
        [.string("")], [.string("\0")], [.string("\0\0")], [.string("a")], [.string("a\0")], [.string("a\0b")], [.string("ab")],
        [.string("e\u{301}")], [.string("é")], [.string("\u{ffff}")], [.string("\u{10000}")],
        [.bytes([])], [.bytes([0])], [.bytes([0, 255])], [.bytes([1])], [.bytes([255])], [.bytes([255, 255])],
        [reference("c/__id-3__")], [reference("c/__id7__")], [reference("c/__id12__")], [reference("c/7")], [reference("c/a")],
        [reference("c/a/d/x")], [reference("c/aa")],
        [.geoPoint(GeoPointValue(latitude: -1, longitude: 9))], [.geoPoint(GeoPointValue(latitude: 0, longitude: -2))],
        [.geoPoint(GeoPointValue(latitude: 0, longitude: 2)), .geoPoint(GeoPointValue(latitude: -0.0, longitude: 2))],
        [.array([])], [.array([.null])], [.array([.integer(1)]), .array([.double(1)])], [.array([.integer(1), .null])],
        [.array([.integer(2)])], [.array([map()])],
        [.vector([5])], [.vector([1, 2])], [.vector([1, 3])],
        [map()], [map(("a", .integer(1))), map(("a", .double(1)))], [map(("a", .integer(1)), ("b", .null))],
        [map(("a", .integer(2)))], [map(("a\0", .null))], [map(("b", .null))],
    ]

    @Test func `byte order is value order, equal values have equal bytes`() {
        let steps = Self.ladder.enumerated().flatMap { step, values in values.map { (step, ValueBytes($0)) } }
        for (leftStep, left) in steps {
            for (rightStep, right) in steps {
                let (one, other) = (encode(left), encode(right))
                #expect(one.lexicographicallyPrecedes(other) == (leftStep < rightStep), "\(leftStep) and \(rightStep)")
                #expect((one == other) == (leftStep == rightStep), "\(leftStep) and \(rightStep)")
                // Flipped, the order is reversed.
                let flipped = (one.map { ~$0 }, other.map { ~$0 })
                #expect(flipped.0.lexicographicallyPrecedes(flipped.1) == (leftStep > rightStep))
            }
        }
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `random values order like their bytes`(seed: UInt64) {
        var random = RandomData(seed: seed)
        random.hasPendingTimestamps = true
        for _ in 0..<20_000 {
            let (left, right) = (ValueBytes(random.storedValue()), ValueBytes(random.storedValue()))
            let order = withExtendedLifetime((left, right)) { ValueOrdering.compare(left.view, right.view) }
            let (one, other) = (encode(left), encode(right))
            let encoded = one == other ? 0 : (one.lexicographicallyPrecedes(other) ? -1 : 1)
            #expect(order.signum() == encoded, "seed \(seed)")
        }
    }

    @Test(arguments: [UInt64(4), 5])
    func `a key comes apart into its values, flipped ones too`(seed: UInt64) {
        var random = RandomData(seed: seed)
        random.hasPendingTimestamps = true
        for _ in 0..<5_000 {
            let columns = (0..<random.number(1...4)).map { _ in
                (bytes: encode(ValueBytes(random.storedValue())), isDescending: random.chance(50))
            }
            let key = columns.flatMap { column in column.bytes.map { column.isDescending ? ~$0 : $0 } }
            key.withUnsafeBytes { key in
                var components = IndexComponents(key)
                for column in columns {
                    let found = components.next(isDescending: column.isDescending).map { $0.map { column.isDescending ? ~$0 : $0 } }
                    #expect(found == column.bytes, "seed \(seed)")
                }
                #expect(components.position == key.count)
            }
        }
    }

    @Test func `decoding a damaged key ends`() {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<20_000 {
            let key = (0..<Int.random(in: 0...12, using: &random)).map { _ in UInt8.random(in: 0...13, using: &random) }
            key.withUnsafeBytes { key in
                var components = IndexComponents(key)
                var found = 0
                while components.next(isDescending: false) != nil { found += 1 }
                #expect(found <= key.count)
            }
        }
    }
}

private func encode(_ value: ValueBytes) -> [UInt8] {
    withExtendedLifetime(value) { IndexValueEncoding.encode(value.view) }
}

@Suite struct IndexEntryKeysTests {
    private static func keys(_ definition: IndexDefinition, _ document: Document) -> [[UInt8]] {
        defer { withExtendedLifetime(document) {} }
        return IndexEntryKeys(definition).keys(of: document.key, fields: document.fields.view)
    }

    private static func index(_ fields: [(String, IndexDefinition.Field.Mode)], group: Bool = false) -> IndexDefinition {
        IndexDefinition(
            collectionID: "c", scope: group ? .collectionGroup : .collection,
            fields: fields.map { IndexDefinition.Field(path($0.0), $0.1) })
    }

    @Test func `a document that lacks a field has no entry`() {
        let index = Self.index([("a", .ascending), ("m.x", .descending)])
        #expect(Self.keys(index, document("c/1", ("a", .integer(1)))).isEmpty)
        #expect(Self.keys(index, document("c/1", ("a", .integer(1)), ("m", .integer(1)))).isEmpty)
        #expect(Self.keys(index, document("c/1", ("a", .null), ("m", map(("x", .null))))).count == 1)
    }

    @Test func `an array has one entry per distinct element`() {
        let index = Self.index([("a", .arrayContains)])
        let elements: [Value] = [.integer(1), .double(1), .string("x"), .null, .null]
        #expect(Self.keys(index, document("c/1", ("a", .array(elements)))).count == 3)
        #expect(Self.keys(index, document("c/1", ("a", .array([])))).isEmpty)
        #expect(Self.keys(index, document("c/1", ("a", .string("x")))).isEmpty)
    }

    @Test(arguments: [false, true])
    func `entries with equal fields are in the order of names`(group: Bool) {
        // VAL-14; in a group the shorter path stands first (VAL-13).
        let ids = ["__id-2__", "__id7__", "__id12__", "12", "7", "A", "Aa", "__id", "__id1_", "a"]
        let index = Self.index([("a", .ascending)], group: group)
        let keys = ids.map { Self.keys(index, document("c/\($0)", ("a", .integer(1))))[0] }
        #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) })
        // The last direction is that of the names (QR-54).
        let backwards = Self.index([("a", .descending)], group: group)
        let flipped = ids.map { Self.keys(backwards, document("c/\($0)", ("a", .integer(1))))[0] }
        #expect(flipped == flipped.sorted { $1.lexicographicallyPrecedes($0) })
    }
}
