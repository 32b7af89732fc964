// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@Suite struct ValueTests {
    @Test(arguments: ValueOrderingTests.ladder.indices)
    func `every value survives its bytes`(rung: Int) throws {
        for value in ValueOrderingTests.ladder[rung] {
            let bytes = ValueBytes(value)
            #expect(ValueBytes(try bytes.value) == bytes)
        }
    }

    @Test func `a field of a document is the documented bytes`() {
        let fields = FieldBytes(FieldMap([("title", .string("Hi"))]))
        #expect(
            fields.bytes.array == [0x12, 0x0E, 0x0A, 0x05] + Array("title".utf8) + [0x12, 0x05, 0x8A, 0x01, 0x02] + Array("Hi".utf8))
    }

    @Test func `entries sort by the bytes of their names, in whatever order they were added`() {
        let names = ["b", "a", "é", "B", "e\u{301}", "", "aa"]
        let forwards = FieldBytes(FieldMap(names.map { ($0, .null) }))
        let backwards = FieldBytes(FieldMap(names.reversed().map { ($0, .null) }))
        #expect(forwards == backwards)
        #expect(forwards.view.map { String(decoding: $0.name, as: UTF8.self) }.map { Array($0.utf8) } == ["", "B", "a", "aa", "b", "e\u{301}", "é"].map { Array($0.utf8) })
    }

    @Test func `a path finds the value at it and nothing else`() throws {
        let inner = FieldMap([("x.y", .integer(1)), ("z", .array([.null]))])
        let fields = FieldBytes(FieldMap([("m", .map(inner)), ("n", .null)]))
        #expect(fields.view[FieldPathSegments(["m", "x.y"])]?.integer == 1)
        #expect(fields.view[FieldPathSegments(["m", "x"])] == nil)
        #expect(fields.view[FieldPathSegments(["n", "x"])] == nil)
        #expect(fields.view[FieldPathSegments(["m", "z", "0"])] == nil)
    }

    @Test func `setting a path creates the maps above it, removing creates none`() {  // WR-7, WR-8
        var map = FieldMap([("a", .integer(1))])
        map[FieldPathSegments(["a", "b"])] = .integer(2)
        map[FieldPathSegments(["c", "d"])] = nil
        #expect(FieldBytes(map) == FieldBytes(FieldMap([("a", .map(FieldMap([("b", .integer(2))])))])))
        map[FieldPathSegments(["a", "b"])] = nil
        #expect(FieldBytes(map) == FieldBytes(FieldMap([("a", .map(FieldMap()))])))
    }

    @Test func `damaged bytes throw, at any depth`() {
        for bytes: [UInt8] in [[0x12], [0x12, 0x05, 0x0A], [0x12, 0x04, 0x0A, 0x00, 0x12, 0x00]] {
            let fields = FieldBytes(canonical: ByteSlice(bytes))
            #expect(throws: FirestoreError.self) { try fields.map }
        }
    }

    @Test(arguments: [
        (0, 0, 0), (1_500_000, 1, 500_000_000), (-1, -1, 999_999_000), (-1_000_000, -1, 0), (-1_500_001, -2, 499_999_000),
    ])
    func `microseconds floor to seconds and forward nanoseconds`(micros: Int64, seconds: Int64, nanos: Int32) {
        let timestamp = TimestampValue(microsecondsSince1970: micros)
        #expect(timestamp == TimestampValue(seconds: seconds, nanoseconds: nanos))
        #expect(timestamp.microsecondsSince1970 == micros)
    }
}
