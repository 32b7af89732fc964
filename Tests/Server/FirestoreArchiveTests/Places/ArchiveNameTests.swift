// SPDX-License-Identifier: Apache-2.0
import FirestoreArchive
import Testing

struct ArchiveNameTests {
    @Test(arguments: [
        "a", "demo/(default)/UID/lease", "base/2026-08-26T10:00:00.000000Z/part-1", "ä/ö", "a b", "a..b", "a.", String(repeating: "x", count: 200),
    ])
    func `names of segments are valid`(name: String) { #expect(ArchiveName.isValid(name)) }

    @Test(arguments: [
        "", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/.b", ".hearth-archive", "a\u{0}b", "a\nb", "a\u{7F}",
        String(repeating: "x", count: 201), Array(repeating: "abcdefghi", count: 81).joined(separator: "/"),
    ])
    func `names that a place could not keep, or that lead out of it, are refused`(name: String) { #expect(!ArchiveName.isValid(name)) }

    @Test func `names are ordered by their bytes`() {
        let sorted = ["a", "a-b", "a/b", "a0", "é", "e\u{301}", "B"].sorted(by: ArchiveName.precedes)
        #expect(sorted.map { Array($0.utf8) } == ["B", "a", "a-b", "a/b", "a0", "e\u{301}", "é"].map { Array($0.utf8) })
    }
}
