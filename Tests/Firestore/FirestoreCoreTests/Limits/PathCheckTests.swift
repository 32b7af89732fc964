// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@Suite struct PathCheckTests {
    @Test(arguments: [
        ("cities/SF", "cities/SF"), ("/cities/SF", "cities/SF"), ("cities/SF/", "cities/SF"), ("/cities/SF/", "cities/SF"),
        ("a/b/c/d", "a/b/c/d"), ("c/__id7__", "c/__id7__"), ("c/__id-9223372036854775808__", "c/__id-9223372036854775808__"),
        ("c/__", "c/__"), ("c/___", "c/___"), ("c/...", "c/..."), ("c/ü ~*[]`", "c/ü ~*[]`"), ("%2F/%2F", "%2F/%2F"),
    ])
    func `a document path with an even number of sound segments makes a key`(path: String, expected: String) throws {
        #expect(try PathCheck.documentKey(path).path == expected)  // DM-1, DM-5, DM-6, DM-8
    }

    @Test(arguments: [
        "", "/", "//", "cities", "a/b/c", "a//b", "a/b//", "//a/b", "./b", "a/.", "a/..", "__x__/b", "a/__x__", "a/____",
        "__id7__/b", "a/__id007__", "a/__id9223372036854775808__", "a/__id__",
    ])
    func `anything else is rejected as an invalid argument`(path: String) {
        expectInvalid { () throws(FirestoreError) in _ = try PathCheck.documentKey(path) }  // DM-5, DM-9
    }

    @Test(arguments: [("cities", "cities"), ("/cities/SF/landmarks/", "cities/SF/landmarks")])
    func `a collection path has an odd number of segments`(path: String, expected: String) throws {
        #expect(try PathCheck.collectionPath(path).path == expected)
        expectInvalid { () throws(FirestoreError) in _ = try PathCheck.documentKey(path) }
        expectInvalid { () throws(FirestoreError) in _ = try PathCheck.collectionPath(expected + "/x") }
    }

    @Test func `ids are limited in bytes, not in characters`() throws {  // DM-5
        _ = try PathCheck.documentKey("c/" + String(repeating: "é", count: 750))
        expectInvalid { () throws(FirestoreError) in
            _ = try PathCheck.documentKey("c/" + String(repeating: "é", count: 750) + "x")
        }
    }

    @Test func `a hundred levels are legal and a hundred and one are not`() throws {  // DM-10
        let hundred = Array(repeating: "c/d", count: 100).joined(separator: "/")
        _ = try PathCheck.documentKey(hundred)
        expectInvalid { () throws(FirestoreError) in _ = try PathCheck.collectionPath(hundred + "/c") }
    }

    @Test func `a whole name is limited to six kibibytes`() throws {  // DM-10
        let segment = String(repeating: "x", count: 1_023)
        let path = Array(repeating: segment, count: 6).joined(separator: "/")
        #expect(try PathCheck.documentKey(path).path.utf8.count == 6_143)
        expectInvalid { () throws(FirestoreError) in _ = try PathCheck.documentKey(path + "yz") }
    }

    @Test func `a collection id stands alone, without slashes`() throws {
        try PathCheck.collectionID("landmarks")
        expectInvalid { () throws(FirestoreError) in try PathCheck.collectionID("a/b") }
        expectInvalid { () throws(FirestoreError) in try PathCheck.documentID("a/b") }
        expectInvalid { () throws(FirestoreError) in try PathCheck.collectionID("__id7__") }
    }

    @Test func `the message names the segment and the path`() {
        let error = expectInvalid { () throws(FirestoreError) in _ = try PathCheck.documentKey("a/b/__c__/d") }
        #expect(error?.message.contains("collection id at segment 3") == true)
        #expect(error?.location == "a/b/__c__/d")
    }
}

/// Runs the body and expects an `invalidArgument`, which it answers.
@discardableResult
func expectInvalid(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws(FirestoreError) -> Void
) -> FirestoreError? {
    do {
        try body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        return nil
    } catch {
        #expect(error.code == .invalidArgument, sourceLocation: sourceLocation)
        return error
    }
}
