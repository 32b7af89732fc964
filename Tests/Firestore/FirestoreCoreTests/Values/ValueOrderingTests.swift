// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@Suite struct ValueOrderingTests {
    /// Ascending; the values of one line are equal.
    static let ladder: [[Value]] = [
        [.null],
        [.boolean(false)], [.boolean(true)],  // VAL-4
        [.double(.nan), .double(-.nan), .double(.signalingNaN)],  // VAL-5, VAL-7
        [.double(-.infinity)],
        [.double(-.greatestFiniteMagnitude)],
        [.double(-9_223_372_036_854_777_856)],  // below Int64.min
        [.integer(.min), .double(-0x1p63)],
        [.integer(.min + 1)],
        [.double(-1.5)], [.integer(-1), .double(-1)], [.double(-0.5)],
        [.integer(0), .double(0), .double(-0.0)],  // VAL-6
        [.double(.leastNonzeroMagnitude)],
        [.double(0.5)], [.integer(1), .double(1)], [.double(1.5)], [.integer(2)],
        [.integer(9_007_199_254_740_992), .double(9_007_199_254_740_992)],
        [.integer(9_007_199_254_740_993)],
        [.integer(9_007_199_254_740_994), .double(9_007_199_254_740_994)],
        [.integer(.max - 1)], [.integer(.max)],
        [.double(0x1p63)],
        [.double(.infinity)],
        [.timestamp(TimestampValue(seconds: -62_135_596_800, nanoseconds: 0))],  // VAL-10
        [.timestamp(TimestampValue(seconds: -1, nanoseconds: 999_999_000))],
        [.timestamp(TimestampValue(seconds: 0, nanoseconds: 0))],
        [.timestamp(TimestampValue(seconds: 0, nanoseconds: 1_000))],
        [.timestamp(TimestampValue(seconds: 253_402_300_799, nanoseconds: 999_999_000))],
        [pending(-5)],  // SY-38: behind every real time, by the time of the local write alone
        [pending(1), pending(1, previous: .string("x")), pending(1, previous: .null)],
        [pending(1, nanoseconds: 1_000)], [pending(2)],
        [.string("")], [.string("\u{0}")], [.string("Z")], [.string("a")], [.string("a\u{0}")], [.string("aa")],
        [.string("e\u{301}")],  // decomposed é stands apart from composed é (VAL-8)
        [.string("\u{e9}")],
        [.string("\u{ffff}")], [.string("\u{10000}")],  // UTF-8 order, not UTF-16
        [.bytes([])], [.bytes([0])], [.bytes([0, 0])], [.bytes([1])], [.bytes([0xFF])],  // VAL-9
        [reference("a", "z", "c/1")],  // VAL-13: project, then database, then path
        [reference("p", "d", "c/__id-2__")],
        [reference("p", "d", "c/__id7__")],
        [reference("p", "d", "c/__id12__")],
        [reference("p", "d", "c/12")],
        [reference("p", "d", "c/7")],
        [reference("p", "d", "c/7/x/1")],
        [reference("p", "d", "ca/1")],
        [reference("p", "e", "a/1")],
        [.geoPoint(GeoPointValue(latitude: -90, longitude: 180))],  // VAL-11
        [.geoPoint(GeoPointValue(latitude: 0, longitude: -1)), .geoPoint(GeoPointValue(latitude: -0.0, longitude: -1))],
        [.geoPoint(GeoPointValue(latitude: 0, longitude: 0))],
        [.geoPoint(GeoPointValue(latitude: 1, longitude: -180))],
        [.array([])],  // VAL-12
        [.array([.null])],
        [.array([.integer(1), .integer(2), .integer(3)]), .array([.double(1), .integer(2), .double(3)])],
        [.array([.integer(1), .integer(2), .integer(3), .integer(1)])],
        [.array([.integer(2)])],
        [.array([.string("a")])],
        [.array([.vector([1])])],
        [.array([map(("a", .null))])],
        [.vector([])],  // VAL-16
        [.vector([100])], [.vector([1, 2])], [.vector([1, 3])], [.vector([0, 0, 0])],
        [map()],  // VAL-15
        [map(("a", .integer(1))), map(("a", .double(1)))],
        [map(("a", .integer(1)), ("b", .integer(0)))],
        [map(("a", .integer(2)))],
        [map(("a", map(("x", .integer(1)))))],
        [map(("b", .integer(0)))],
    ]

    static func reference(_ project: String, _ database: String, _ path: String) -> Value {
        .reference("projects/\(project)/databases/\(database)/documents/\(path)")
    }

    static func pending(_ seconds: Int64, nanoseconds: Int32 = 0, previous: Value? = nil) -> Value {
        let time = Value.timestamp(TimestampValue(seconds: seconds, nanoseconds: nanoseconds))
        var entries = [("__local_write_time__", time), ("__type__", Value.string("server_timestamp"))]
        if let previous { entries.append(("__previous_value__", previous)) }
        return .map(FieldMap(entries))
    }

    static func map(_ entries: (String, Value)...) -> Value { .map(FieldMap(entries)) }

    @Test func `any two values of a long mixed list compare by their positions`() {
        let encoded = Self.ladder.enumerated().flatMap { rung, values in values.map { (rung, ValueBytes($0)) } }
        for (leftRung, left) in encoded {
            for (rightRung, right) in encoded {
                let order = ValueOrdering.compare(left.view, right.view).signum()
                #expect(
                    order == (leftRung - rightRung).signum(),
                    "\(Self.ladder[leftRung]) against \(Self.ladder[rightRung])")
                #expect(ValueOrdering.equals(left.view, right.view) == (leftRung == rightRung))
            }
        }
    }

    @Test func `integers and doubles share a bracket, vectors and maps do not`() {  // VAL-2
        func bracket(_ value: Value) -> TypeBracket {
            let bytes = ValueBytes(value)
            return ValueOrdering.typeBracket(bytes.view)
        }
        #expect(bracket(.integer(1)) == bracket(.double(.nan)))
        #expect(bracket(.vector([1])) == .vector)
        #expect(bracket(Self.map(("value", .array([])))) == .map)
        #expect(bracket(Self.map(("__type__", .string("other")))) == .map)
        #expect(bracket(Self.pending(1)) == .timestamp)
        #expect(bracket(Self.map(("__local_write_time__", .timestamp(TimestampValue(seconds: 1, nanoseconds: 0))))) == .map)
    }

    @Test func `query equality goes deep, identity does not confuse one with one point zero`() {  // VAL-17, VAL-18
        let left = ValueBytes(Self.map(("a", .array([.integer(1), .double(-0.0), .double(.nan)]))))
        let right = ValueBytes(Self.map(("a", .array([.double(1), .integer(0), .double(.nan)]))))
        #expect(ValueOrdering.equals(left.view, right.view))
        #expect(left != right)
    }

    @Test func `damaged bytes are lowest and never trap`() {
        let sound = Self.ladder.flatMap { $0 }.map { ValueBytes($0) }
        var generator = SeededGenerator(seed: 7)
        for value in sound {
            for _ in 0..<40 {
                var bytes = value.bytes.array
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
                case 1: bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
                default: bytes.insert(.random(in: 0...255, using: &generator), at: 0)
                }
                let damaged = ValueBytes(canonical: ByteSlice(bytes))
                for other in sound {
                    let order = ValueOrdering.compare(damaged.view, other.view)
                    #expect(order.signum() == -ValueOrdering.compare(other.view, damaged.view).signum())
                    if damaged.view.kind == .malformed { #expect(order < 0) }
                }
            }
        }
    }

    @Test func `values nested beyond reason compare without exhausting the stack`() {
        var bytes: [UInt8] = [WireTag.null, 0]
        for _ in 0..<20_000 {
            var outer: [UInt8] = [WireTag.arrayElement]
            outer.appendLengthDelimited(bytes)
            bytes = [WireTag.array]
            bytes.appendLengthDelimited(outer)
            if bytes.count > 40_000 { break }
        }
        let deep = ValueBytes(canonical: ByteSlice(bytes))
        #expect(ValueOrdering.compare(deep.view, deep.view) == 0)
    }
}
