// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@Suite struct DocumentCheckTests {
    static let key = DocumentKey(trusted: "users/jeff")

    @discardableResult
    static func check(_ entries: (String, Value)...) throws(FirestoreError) -> Int {
        try DocumentCheck.check(FieldBytes(FieldMap(entries)), of: key)
    }

    /// `levels` maps around a null.
    static func nested(_ levels: Int) -> Value {
        (0..<levels).reduce(Value.null) { inner, level in
            level % 2 == 0 ? .map(FieldMap([("m", inner)])) : .array([inner])
        }
    }

    @Test func `the documented example takes 147 bytes`() throws {  // DM-24
        let fields = FieldBytes(
            FieldMap([
                ("type", .string("Personal")), ("done", .boolean(false)), ("priority", .integer(1)),
                ("description", .string("Learn Cloud Firestore")),
            ]))
        let key = DocumentKey(trusted: "users/jeff/tasks/my_task_id")
        #expect(try DocumentCheck.check(fields, of: key) == 147)
    }

    static let sizes: [(Value, Int)] = [
        (.null, 1), (.boolean(true), 1), (.integer(1), 8), (.double(1), 8), (.string("é"), 3), (.bytes([1, 2]), 2),
        (.timestamp(TimestampValue(seconds: 5, nanoseconds: 1_000)), 8),
        (.geoPoint(GeoPointValue(latitude: 0, longitude: -0.0)), 16),
        (.reference("projects/p/databases/d/documents/users/jeff"), 27),  // 6 + 5 + 16
        (.reference("projects/p/databases/d/documents/users/__id123456__"), 30),  // 6 + 8 + 16
        (.array([.integer(1), .string("a")]), 10), (.map(FieldMap([("ab", .integer(1))])), 11), (.vector([1, 2, 3]), 24),
        (.array([]), 0), (.map(FieldMap()), 0),
    ]

    @Test(arguments: sizes.indices)
    func `every kind has its size`(index: Int) throws {  // DM-23
        let (value, size) = Self.sizes[index]
        // Name 6 + 5 + 16, field name 2, document 32.
        #expect(try Self.check(("f", value)) == 27 + 2 + size + 32)
    }

    @Test func `a document may be exactly one mebibyte`() throws {  // DM-25, DM-26
        let rest = Limits.documentBytes - 32 - 27 - (2 + 1) - (2 + 1)
        let half = Value.string(String(repeating: "x", count: rest / 2))
        func other(_ extra: Int) -> Value { .string(String(repeating: "x", count: rest - rest / 2 + extra)) }
        #expect(try Self.check(("a", half), ("b", other(0))) == Limits.documentBytes)
        let error = expectInvalid { () throws(FirestoreError) in try Self.check(("a", half), ("b", other(1))) }
        #expect(error?.location == "users/jeff")
    }

    @Test func `one value may take 1048487 bytes`() throws {  // DM-26
        _ = try Self.check(("a", .bytes(Array(repeating: 0, count: Limits.valueBytes))))
        let error = expectInvalid { () throws(FirestoreError) in
            try Self.check(("a", .string(String(repeating: "x", count: Limits.valueBytes + 1))))
        }
        #expect(error?.description.contains("field a") == true)
    }

    @Test func `twenty levels are accepted, twenty-one are not`() throws {  // DM-27
        _ = try Self.check(("a", Self.nested(20)))
        expectInvalid { () throws(FirestoreError) in try Self.check(("a", Self.nested(21))) }
    }

    static let refused: [(String, Value, String)] = [
        ("array in array", .array([.null, .array([])]), "f[1]"),  // DM-28
        ("vector in array", .array([.vector([1])]), "f[0]"),
        ("empty name", .map(FieldMap([("", .null)])), "f.``"),  // DM-15
        ("reserved name", .array([.map(FieldMap([("__x__", .null)]))]), "f[0].__x__"),
        ("half a vector", .map(FieldMap([("__type__", .string("__vector__"))])), "f.__type__"),  // VAL-20
        ("vector of integers", .map(FieldMap([("__type__", .string("__vector__")), ("value", .array([.integer(1)]))])), "f[0]"),
        ("long vector", .vector(Array(repeating: 1, count: 2_049)), "f"),
        ("long name", .map(FieldMap([(String(repeating: "x", count: 1_501), .null)])), ""),
        ("latitude", .geoPoint(GeoPointValue(latitude: 90.1, longitude: 0)), "f"),  // VAL-11
        ("longitude", .geoPoint(GeoPointValue(latitude: 0, longitude: -180.1)), "f"),
        ("no number", .geoPoint(GeoPointValue(latitude: .nan, longitude: 0)), "f"),
        ("too early", .timestamp(TimestampValue(seconds: -62_135_596_801, nanoseconds: 0)), "f"),  // VAL-21
        ("too late", .timestamp(TimestampValue(seconds: 253_402_300_800, nanoseconds: 0)), "f"),
        ("too precise", .timestamp(TimestampValue(seconds: 0, nanoseconds: 1)), "f"),  // VAL-22
        ("collection", .reference("projects/p/databases/d/documents/users"), "f"),  // VAL-25
        ("relative", .reference("users/jeff"), "f"),
        ("bad id", .reference("projects/p/databases/d/documents/users/.."), "f"),
    ]

    @Test(arguments: refused.indices)
    func `a value that Firestore does not store is rejected with its path`(index: Int) {
        let (name, value, path) = Self.refused[index]
        let error = expectInvalid { () throws(FirestoreError) in try Self.check(("f", value)) }
        #expect(error?.location?.hasPrefix("users/jeff, field \(path)") == true, "\(name): \(String(describing: error))")
    }

    @Test func `vectors of 2048 dimensions, references elsewhere and dotted names are fine`() throws {
        _ = try Self.check(
            ("v", .vector(Array(repeating: 0.5, count: 2_048))), ("a.b `c`", .null), ("__", .null), ("___", .null),
            ("r", .reference("projects/other/databases/x/documents/a/b")))  // VAL-20, VAL-25, DM-17
    }
}
