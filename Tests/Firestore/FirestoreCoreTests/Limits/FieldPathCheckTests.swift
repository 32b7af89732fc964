// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@Suite struct FieldPathCheckTests {
    @Test(arguments: [("a", ["a"]), ("a.b.c", ["a", "b", "c"]), ("größe.0", ["größe", "0"]), ("a`b", ["a`b"]), ("__name__", ["__name__"])])
    func `a dotted path splits at dots and nothing else`(path: String, expected: [String]) throws {  // DM-20
        #expect(try PathCheck.fieldPath(dotted: path).segments == expected)
    }

    @Test(arguments: ["", ".", ".a", "a.", "a..b", "a~b", "a*", "a/b", "a[0]", "a]"])
    func `a dotted path rejects empty names and reserved characters`(path: String) {
        expectInvalid { () throws(FirestoreError) in _ = try PathCheck.fieldPath(dotted: path) }
    }

    @Test func `raw names may hold anything but must not be empty`() throws {  // DM-17
        #expect(try PathCheck.fieldPath(segments: ["a.b", "~*/[]", "`\\"]).segments.count == 3)
        expectInvalid { () throws(FirestoreError) in _ = try PathCheck.fieldPath(segments: []) }
        expectInvalid { () throws(FirestoreError) in _ = try PathCheck.fieldPath(segments: ["a", ""]) }
    }

    @Test(arguments: [
        ("a", ["a"]), ("a.b", ["a", "b"]), ("a.`b.c`.d", ["a", "b.c", "d"]), ("`a\\`b`", ["a`b"]), ("`a\\\\b`", ["a\\b"]),
        ("`0`", ["0"]), ("_x9.Y", ["_x9", "Y"]), ("`é e`", ["é e"]),
    ])
    func `the wire grammar reads the canonical form`(path: String, expected: [String]) throws {  // DM-18
        let parsed = try PathCheck.fieldPath(wire: path)
        #expect(parsed.segments == expected)
        #expect(try PathCheck.fieldPath(wire: parsed.canonical) == parsed)
    }

    @Test(arguments: ["", "a..b", ".a", "a.", "`a", "a`", "0", "a-b", "``", "`a`b", "a.`b", "`a\\", "a b"])
    func `the wire grammar rejects unknown forms`(path: String) {  // DM-19
        expectInvalid { () throws(FirestoreError) in _ = try PathCheck.fieldPath(wire: path) }
    }

    @Test func `a path is at most 1500 bytes`() throws {  // DM-19
        let half = String(repeating: "x", count: 749)
        _ = try PathCheck.fieldPath(dotted: half + "." + half + "x")
        expectInvalid { () throws(FirestoreError) in _ = try PathCheck.fieldPath(dotted: half + "." + half + "xx") }
    }

    @Test(arguments: [["__name__"], ["a", "__b__"], ["____"]])
    func `reserved names cannot be written`(segments: [String]) {  // DM-21, WR-9, WR-39
        expectInvalid { () throws(FirestoreError) in try PathCheck.checkWritable(FieldPathSegments(segments)) }
    }
}
