// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

@Suite struct WriteCheckTests {
    static let key = DocumentKey(trusted: "c/1")

    static func patch(_ mask: [String]) -> Write {
        Write(key: key, operation: .patch(.empty, mask: mask.map { path($0) }))
    }

    static func transforming(_ kind: FieldTransform.Kind, at field: String = "f") -> Write {
        Write(
            key: key, operation: .patch(.empty, mask: []),
            transforms: [FieldTransform(path: path(field), kind: kind)])
    }

    static func set(_ name: String, _ value: Value) -> Write {
        Write(key: key, operation: .set(FieldBytes(FieldMap([(name, value)]))))
    }

    static let refused: [(String, Write)] = [
        ("DM-9 odd path", Write(key: DocumentKey(trusted: "c"), operation: .delete)),
        ("DM-5 reserved id", Write(key: DocumentKey(trusted: "c/__x__"), operation: .delete)),
        ("DM-15 reserved field", set("__x__", .null)),
        ("DM-21 name as a field", set("__name__", .null)),
        ("DM-28 array in array", set("f", .array([.array([])]))),
        ("WR-9 reserved mask", patch(["__name__"])),
        ("WR-2 transforms on delete", Write(key: key, operation: .delete, transforms: [FieldTransform(path: path("a"), kind: .serverTimestamp)])),
        ("WR-12 verify of nothing", Write(key: key, operation: .verify)),
        ("WR-2 transforms on verify", Write(key: key, operation: .verify, transforms: [FieldTransform(path: path("a"), kind: .serverTimestamp)])),
        ("WR-33 increment by text", transforming(.increment(.string("1")))),
        ("WR-34 maximum of null", transforming(.maximum(.null))),
        ("WR-34 minimum of array", transforming(.minimum(.array([])))),
        ("WR-37 union of arrays", transforming(.appendMissingElements([.array([])]))),
        ("WR-37 removal of arrays", transforming(.removeAllFromArray([.null, .array([])]))),
        ("VAL-11 in a transform", transforming(.appendMissingElements([.geoPoint(GeoPointValue(latitude: 91, longitude: 0))]))),
        ("a transform inside another", Write(key: key, operation: .set(.empty), transforms: ["a", "b", "a.b"].map {
            FieldTransform(path: path($0), kind: .serverTimestamp)
        })),
        ("WR-39 reserved transform path", transforming(.serverTimestamp, at: "a.__b__")),
    ]

    @Test(arguments: refused.indices)
    func `writes that no server accepts are rejected before anything is queued`(index: Int) {
        let (rule, write) = Self.refused[index]
        let error = expect(.invalidArgument) { () throws(FirestoreError) in
            try WriteCheck.check([Self.set("fine", .null), write])
        }
        #expect(error?.location?.hasPrefix("c") == true, "\(rule): \(String(describing: error))")
    }

    @Test func `sound commits pass, the same document many times over too`() throws {  // WR-14
        try WriteCheck.check([])
        try WriteCheck.check([
            Self.set("a", .integer(1)), Self.patch(["a", "b.c", "b.d", "a-"]), Self.transforming(.increment(.double(1))),
            Write(key: Self.key, operation: .verify, precondition: .exists(true)), Write(key: Self.key, operation: .delete),
        ])
    }

    @Test func `a mask may name a field twice, and a field and one inside it`() throws {  // WR-9
        try WriteCheck.check([Self.patch(["b", "a", "b"]), Self.patch(["a.b.c", "z", "a.b", "a.b-"])])
    }

    @Test func `a document takes 500 transforms per commit`() throws {  // WR-31
        let transform = FieldTransform(path: path("n"), kind: .increment(.integer(1)))
        func write(_ count: Int, _ id: String) -> Write {
            Write(
                key: DocumentKey(trusted: "c/" + id), operation: .patch(.empty, mask: []),
                transforms: Array(repeating: transform, count: count))
        }
        try WriteCheck.check([write(300, "1"), write(500, "2"), write(200, "1")])
        expect(.invalidArgument) { () throws(FirestoreError) in
            try WriteCheck.check([write(300, "1"), write(201, "1")])
        }
    }

    @Test func `a commit carries at most ten mebibytes`() throws {  // WR-23
        let big = Self.set("f", .bytes(Array(repeating: 0, count: 1_000_000)))
        try WriteCheck.check(Array(repeating: big, count: 10))
        expect(.invalidArgument) { () throws(FirestoreError) in
            try WriteCheck.check(Array(repeating: big, count: 11))
        }
    }
}
