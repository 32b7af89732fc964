// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

@Suite struct TransformTests {
    static func apply(
        _ kinds: [FieldTransform.Kind], to stored: Value?, at path: FieldPathSegments = FieldPathSegments("f")
    ) throws -> (field: Value?, results: [Value]) {
        var fields = FieldMap()
        fields[path] = stored
        let before = Document(
            key: DocumentKey(trusted: "c/1"), createTime: .none, updateTime: .none, fields: FieldBytes(fields))
        let write = Write(
            key: before.key, operation: .patch(.empty, mask: []),
            transforms: kinds.map { FieldTransform(path: path, kind: $0) })
        try WriteCheck.check([write])
        let applied = try WriteApplication.apply(write, to: before, at: WriteApplicationTests.times, in: database)
        return (try applied.document?.fields.map[path], applied.result.transformResults)
    }

    /// Identity: 1 is not 1.0 here.
    static func expectSame(_ left: Value?, _ right: Value?, _ comment: String = "") {
        #expect(left.map { ValueBytes($0) } == right.map { ValueBytes($0) }, "\(comment): \(String(describing: left))")
    }

    static let numbers: [(Value?, FieldTransform.Kind, Value)] = [
        // WR-33
        (.integer(.max), .increment(.integer(1)), .integer(.max)),
        (.integer(.min), .increment(.integer(-1)), .integer(.min)),
        (.integer(1), .increment(.double(0.5)), .double(1.5)),
        (.double(1), .increment(.integer(1)), .double(2)),
        (.string("x"), .increment(.integer(5)), .integer(5)),
        (nil, .increment(.double(5)), .double(5)),
        (.double(.nan), .increment(.integer(1)), .double(.nan)),
        (.double(.infinity), .increment(.double(-.infinity)), .double(.nan)),
        // WR-34
        (.integer(1), .maximum(.integer(2)), .integer(2)),
        (.integer(3), .maximum(.double(2)), .integer(3)),
        (.integer(3), .maximum(.double(3)), .integer(3)),
        (.double(3), .minimum(.integer(3)), .double(3)),
        (.double(0), .maximum(.double(-0.0)), .double(0)),
        (.double(-0.0), .minimum(.integer(0)), .double(-0.0)),
        (.integer(3), .minimum(.double(2.5)), .double(2.5)),
        (.integer(3), .minimum(.double(.nan)), .double(.nan)),
        (.double(.nan), .maximum(.integer(3)), .double(.nan)),
        (nil, .minimum(.integer(9)), .integer(9)),
        (.array([]), .maximum(.double(9)), .double(9)),
        (.integer(9_007_199_254_740_993), .maximum(.double(9_007_199_254_740_992)), .integer(9_007_199_254_740_993)),
    ]

    @Test(arguments: numbers.indices)
    func `numbers follow the tables, and the result is the stored value`(index: Int) throws {
        let (stored, kind, expected) = Self.numbers[index]
        let (field, results) = try Self.apply([kind], to: stored)
        Self.expectSame(field, expected)
        Self.expectSame(results.first, expected)
    }

    private static let one = Value.integer(1)

    static let arrays: [(Value?, FieldTransform.Kind, [Value])] = [
        // WR-35
        (.array([one]), .appendMissingElements([.integer(2), one, .integer(3), .integer(2)]), [one, .integer(2), .integer(3)]),
        (.array([one, one]), .appendMissingElements([.double(1)]), [one, one]),  // VAL-19
        (.array([.double(.nan), .null]), .appendMissingElements([.null, .double(.nan)]), [.double(.nan), .null]),
        (nil, .appendMissingElements([one]), [one]),
        (.string("x"), .appendMissingElements([]), []),
        (.array([map(("a", one))]), .appendMissingElements([map(("a", .double(1)))]), [map(("a", one))]),
        // WR-36
        (.array([one, .integer(2), .double(1)]), .removeAllFromArray([one]), [.integer(2)]),
        (nil, .removeAllFromArray([one]), []),
        (.integer(3), .removeAllFromArray([one]), []),
        (.array([.double(.nan), .null, .string("a")]), .removeAllFromArray([.null, .double(.nan)]), [.string("a")]),
    ]

    @Test(arguments: arrays.indices)
    func `arrays gain missing elements and lose named ones, and the result is null`(index: Int) throws {  // WR-29
        let (stored, kind, expected) = Self.arrays[index]
        let (field, results) = try Self.apply([kind], to: stored)
        Self.expectSame(field, .array(expected))
        Self.expectSame(results.first, .null)
    }

    @Test func `a server timestamp is the request time in milliseconds`() throws {  // WR-32
        let (field, results) = try Self.apply([.serverTimestamp], to: .null)
        let expected = Value.timestamp(TimestampValue(seconds: 5, nanoseconds: 0))
        Self.expectSame(field, expected)
        Self.expectSame(results.first, expected)
        let late = CommitTimes(
            commitTime: .none, requestTime: TimestampValue(seconds: -1, nanoseconds: 987_654_321))
        #expect(late.requestTime == TimestampValue(seconds: -1, nanoseconds: 987_000_000))
    }

    @Test func `transforms see the results of earlier ones, and each reports its own value`() throws {  // WR-28
        let (field, results) = try Self.apply(
            [.increment(.integer(1)), .increment(.integer(10)), .maximum(.double(3.5)), .minimum(.integer(2))], to: .integer(0))
        Self.expectSame(field, .integer(2))
        Self.expectSame(.array(results), .array([.integer(1), .integer(11), .integer(11), .integer(2)]))
    }

    @Test func `a transform sees the fields that the update of the same write has set`() throws {  // WR-38
        let write = Write(
            key: DocumentKey(trusted: "c/1"), operation: .set(FieldBytes(FieldMap([("n", .integer(5))]))),
            transforms: [FieldTransform(path: FieldPathSegments("n"), kind: .increment(.integer(2)))])
        let stored = document("c/1", ("n", .integer(100)))
        let applied = try WriteApplication.apply(write, to: stored, at: WriteApplicationTests.times, in: database)
        Self.expectSame(try applied.document?.fields.map["n"], .integer(7))
    }

    @Test func `nested and overlapping paths work in order`() throws {  // WR-7, WR-28
        let write = Write(
            key: DocumentKey(trusted: "c/1"), operation: .patch(.empty, mask: []),
            transforms: [
                FieldTransform(path: path("a.b"), kind: .increment(.integer(1))),
                FieldTransform(path: path("a.c"), kind: .increment(.integer(2))),
                FieldTransform(path: path("a"), kind: .increment(.integer(3))),
                FieldTransform(path: path("a.d"), kind: .increment(.integer(4))),
            ])
        let applied = try WriteApplication.apply(write, to: nil, at: WriteApplicationTests.times, in: database)
        Self.expectSame(try applied.document.map { .map(try $0.fields.map) }, map(("a", map(("d", .integer(4))))))
    }

    @Test func `a transform that changes nothing preserves the update time`() throws {  // WR-22
        let stored = document("c/1", ("a", .array([.integer(1)])), ("n", .integer(3)), version: 7)
        let write = Write(
            key: stored.key, operation: .patch(.empty, mask: []),
            transforms: [
                FieldTransform(path: path("a"), kind: .appendMissingElements([.integer(1)])),
                FieldTransform(path: path("n"), kind: .maximum(.integer(2))),
            ])
        let applied = try WriteApplication.apply(write, to: stored, at: WriteApplicationTests.times, in: database)
        #expect(applied.document == stored && applied.result.updateTime == stored.updateTime)
    }
}
