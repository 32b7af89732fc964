// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@Suite("DocumentList")
struct DocumentListTests {
    private func document(_ number: Int) -> Document {
        let id = String(repeating: "0", count: 6 - String(number).count) + String(number)
        return Document(
            key: DocumentKey(trusted: "c/\(id)"), createTime: .none, updateTime: .none, fields: .empty)
    }

    private func compare(_ left: Document, _ right: Document) -> Int {
        PathOrdering.compare(left.key.path, right.key.path)
    }

    @Test("behaves like a sorted array under random insertions and removals", arguments: [1, 2, 3])
    func behavesLikeASortedArray(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var list = DocumentList()
        var array: [Int] = []
        for _ in 0..<3_000 {
            let number = Int.random(in: 0..<1_000, using: &generator)
            let position = list.position(of: document(number), by: compare)
            let expected = array.firstIndex { $0 >= number } ?? array.count
            #expect(position == expected)
            if expected < array.count, array[expected] == number {
                if Bool.random(using: &generator) {
                    list.remove(at: position)
                    array.remove(at: expected)
                }
            } else {
                list.insert(document(number), at: position)
                array.insert(number, at: expected)
            }
            #expect(list.count == array.count)
        }
        #expect(list.map(\.key) == array.map { document($0).key })
        #expect(list.indices.allSatisfy { list[$0].key == document(array[$0]).key })
    }

    @Test("a list that shares the documents of an array behaves the same")
    func sharesDocuments() {
        var list = DocumentList(sharing: (0..<500).map { document($0 * 2) })
        let before = list
        for number in stride(from: 1, to: 1_000, by: 2) { list.insert(document(number), at: list.position(of: document(number), by: compare)) }
        #expect(list.map(\.key) == (0..<1_000).map { document($0).key })
        #expect(list.indices.allSatisfy { list[$0].key == document($0).key })
        for _ in 0..<999 { list.remove(at: 0) }
        #expect(list.map(\.key) == [document(999).key])
        #expect(Array(before).map(\.key) == (0..<500).map { document($0 * 2).key })
    }

    @Test("appending leaves an older copy unchanged")
    func copiesAreIndependent() {
        var list = DocumentList((0..<500).map { document($0 * 2) })
        let before = list
        list.insert(document(101), at: list.position(of: document(101), by: compare))
        list.remove(at: 0)
        #expect(before.count == 500)
        #expect(before.map(\.key) == (0..<500).map { document($0 * 2).key })
        #expect(list.first?.key == document(2).key)
    }
}
