// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@Suite struct PathOrderingTests {
    @Test func `numeric ids come first and sort by number`() {  // VAL-14
        let ascending = [
            "__id-9223372036854775808__", "__id-2__", "__id7__", "__id12__", "__id9223372036854775807__", "12", "7", "A",
            "Aa", "__id", "__id1_", "_id1__", "a",
        ]
        for (left, leftID) in ascending.enumerated() {
            for (right, rightID) in ascending.enumerated() {
                #expect(PathOrdering.compare("c/" + leftID, "c/" + rightID).signum() == (left - right).signum())
            }
        }
    }

    @Test func `a shorter path precedes the ones that continue it, and segments decide before bytes do`() {
        let ascending = ["a/b", "a/b/c/d", "a/b-", "a/b!x", "a/bb"].map { DocumentKey(trusted: $0) }.sorted()
        // "-" and "!" are smaller bytes than "/" or not: the segment "b" still precedes "b!x" and "b-".
        #expect(ascending.map(\.path) == ["a/b", "a/b/c/d", "a/b!x", "a/b-", "a/bb"])
    }

    @Test func `composed and decomposed spellings are different documents`() {  // DM-7
        let composed = DocumentKey(trusted: "c/\u{e9}")
        let decomposed = DocumentKey(trusted: "c/e\u{301}")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(decomposed < composed)
    }

    @Test func `a key has an id, a collection and ancestors`() {
        let key = DocumentKey(trusted: "cities/SF/landmarks/bridge")
        #expect(key.id == "bridge")
        #expect(key.collection.path == "cities/SF/landmarks")
        #expect(key.collection.id == "landmarks")
        #expect(key.collection.parent?.path == "cities/SF")
        #expect(CollectionPath(trusted: "cities").parent == nil)
    }
}
