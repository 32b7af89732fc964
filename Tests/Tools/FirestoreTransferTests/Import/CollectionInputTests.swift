// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreTransfer

struct CollectionInputTests {
    /// Documents by path; a path that is empty is a malformed document.
    private struct Paths: DocumentInput {
        var rest: [String]
        let bytesRead: Int64 = 7
        let size: Int64? = 9

        mutating func next() throws(FirestoreError) -> ImportItem? {
            guard !rest.isEmpty else { return nil }
            let (path, place) = (rest.removeFirst(), ImportPlace(file: "f", .byte(0)))
            guard !path.isEmpty else { return ImportItem(place, .failure(.invalidArgument("malformed"))) }
            return ImportItem(place, .success(TransferredDocument(key: DocumentKey(trusted: path), fields: .empty)))
        }
    }

    @Test func `only the collections that are named come through, at any depth, and what is malformed`() throws {
        var input = CollectionInput(Paths(rest: ["a/1", "b/1", "b/1/a/2", "", "a/1/b/2", "aa/1"]), only: ["a"])
        var found: [String] = []
        while let item = try input.next() { found.append((try? item.content.get().key.path) ?? "malformed") }
        #expect(found == ["a/1", "b/1/a/2", "malformed"])
        #expect(input.bytesRead == 7 && input.size == 9)
    }
}
