// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

@Suite struct EntryCursorTests {
    private let cities = CollectionPath(trusted: "cities")

    private func makeStore(keys: [[UInt8]]) throws -> (SQLiteStore, StoredIndex) {
        let store = try SQLiteStore.memory()
        try store.put(["cities/LA"])
        let index = try store.makeIndex(IndexDefinition("cities", "a"))
        try store.addEntries(keys.map { ($0, Int64($0.first ?? 0)) }, to: index)
        return (store, index)
    }

    @Test func `a cursor walks its range in both directions`() throws {
        let (store, index) = try makeStore(keys: [[3], [1], [2], [2, 0], [2, 9], [0x80], [0xFE, 1]])
        let cases: [(IndexRange, [[UInt8]])] = [
            (IndexRange(), [[1], [2], [2, 0], [2, 9], [3], [0x80], [0xFE, 1]]),
            (IndexRange(lower: [2]), [[2], [2, 0], [2, 9], [3], [0x80], [0xFE, 1]]),
            (IndexRange(lower: [2], upper: [3]), [[2], [2, 0], [2, 9]]),
            (IndexRange(upper: [2]), [[1]]),
            (IndexRange(lower: [3], upper: [3]), []),
            (IndexRange(lower: [9], upper: [2]), []),
        ]
        try store.read { (view: ReadTransaction) throws(FirestoreError) in
            for (range, expected) in cases {
                let up = try view.entries(of: index.readyIndex, in: cities, range: range, descending: false)
                #expect(try up.rest() == expected, "\(range)")
                #expect(try up.next() == false)
                let down = try view.entries(of: index.readyIndex, in: cities, range: range, descending: true)
                #expect(try down.rest() == expected.reversed(), "\(range)")
                #expect(try down.next() == false)
            }
        }
        try store.close()
    }

    @Test func `a seek continues at the key or behind it, within the range`() throws {
        let (store, index) = try makeStore(keys: (1...9).map { [$0 * 10] })
        try store.read { (view: ReadTransaction) throws(FirestoreError) in
            let range = IndexRange(lower: [20], upper: [80])
            let up = try view.entries(of: index.readyIndex, in: cities, range: range, descending: false)
            try up.seek([5])
            #expect(try up.next() && up.document == DocumentHandle(20))
            try up.seek([40])
            #expect(try up.next() && up.document == DocumentHandle(40))
            try up.seek([41])
            #expect(try up.next() && up.document.number == 50 && [UInt8](up.key) == [50])
            #expect(try up.next() && up.document.number == 60)
            try up.seek([75])
            #expect(try up.next() == false)
            try up.seek([80])
            #expect(try up.next() == false)

            let down = try view.entries(of: index.readyIndex, in: cities, range: range, descending: true)
            try down.seek([95])
            #expect(try down.next() && down.document.number == 70)
            try down.seek([50])
            #expect(try down.next() && down.document.number == 50)
            try down.seek([49])
            #expect(try down.next() && down.document.number == 40)
            try down.seek([15])
            #expect(try down.next() == false)
        }
        try store.close()
    }

    @Test func `many cursors that are open on one index do not disturb each other`() throws {
        let (store, index) = try makeStore(keys: (0..<200).map { [$0] })
        try store.read { (view: ReadTransaction) throws(FirestoreError) in
            for round in 0..<3 {
                var cursors: [any IndexCursor] = []
                for number in 0..<150 {
                    let range = IndexRange(lower: [UInt8(number)])
                    cursors.append(
                        try view.entries(of: index.readyIndex, in: cities, range: range, descending: number % 3 == 0))
                }
                var next = (0..<150).map { $0 % 3 == 0 ? 199 : $0 }
                for _ in 0..<20 {
                    for (number, cursor) in cursors.enumerated() {
                        if number % 7 == 0 { try cursor.seek([UInt8(next[number])]) }
                        #expect(try cursor.next() && cursor.document.number == next[number], "cursor \(number), round \(round)")
                        next[number] += number % 3 == 0 ? -1 : 1
                    }
                }
            }
        }
        // Nothing holds the snapshot: the writer can continue and the store can close.
        try store.put(["cities/SF"])
        try store.close()
    }

    @Test func `a cursor that is at its end lends its statement to the next one`() throws {
        let (store, index) = try makeStore(keys: [[1], [2]])
        try store.read { (view: ReadTransaction) throws(FirestoreError) in
            let first = try view.entries(of: index.readyIndex, in: cities, range: IndexRange(upper: [2]), descending: false)
            #expect(try first.rest() == [[1]])
            let second = try view.entries(of: index.readyIndex, in: cities, range: IndexRange(), descending: false)
            #expect(try second.next())
            try first.seek([1])
            #expect(try first.next() == false)
            #expect(try second.next() && second.document.number == 2)
        }
        try store.close()
    }

    @Test func `an index of a collection has only its entries, a group index has all`() throws {
        let store = try SQLiteStore.memory()
        try store.put(["cities/LA", "states/CA/cities/LA"])
        let each = try store.makeIndex(IndexDefinition("cities", "a"))
        let group = try store.makeIndex(IndexDefinition("cities", "a", scope: .collectionGroup))
        try store.addEntries([([1], 1)], to: each, in: 1)
        try store.addEntries([([2], 2)], to: each, in: 2)
        try store.addEntries([([3], 1)], to: group, in: 1)
        try store.addEntries([([4], 2)], to: group, in: 2)
        try store.read { (view: ReadTransaction) throws(FirestoreError) in
            func keys(_ index: StoredIndex, _ path: String?) throws(FirestoreError) -> [[UInt8]] {
                let collection = path.map { CollectionPath(trusted: $0) }
                return try view.entries(of: index.readyIndex, in: collection, range: IndexRange(), descending: false).rest()
            }
            #expect(try keys(each, "cities") == [[1]])
            #expect(try keys(each, "states/CA/cities") == [[2]])
            #expect(try keys(each, "states/NY/cities") == [])
            #expect(try keys(group, nil) == [[3], [4]])
            #expect(try view.extent(of: each.number).entries == 2)
        }
        try store.close()
    }

    @Test func `the document of an entry is read in place, one inside the other`() throws {
        let store = try SQLiteStore.memory()
        try store.put(["cities/LA", "states/CA/cities/__id7__"])
        try store.read { (view: ReadTransaction) throws(FirestoreError) in
            let paths = try view.withDocument(DocumentHandle(1)) { (outer) throws(FirestoreError) -> [String] in
                let inner = try view.withDocument(DocumentHandle(2)) { inner in inner.document() }
                #expect(inner.fields == FieldBytes(FieldMap([("path", .string("states/CA/cities/__id7__"))])))
                return [outer.key.path, inner.key.path]
            }
            #expect(paths == ["cities/LA", "states/CA/cities/__id7__"])
        }
        expectImmediateError(.dataLoss, mentioning: "row 3") {
            try store.read { (view: ReadTransaction) throws(FirestoreError) in try view.withDocument(DocumentHandle(3)) { $0.key } }
        }
        #expect(try store.read { (view: ReadTransaction) throws(FirestoreError) in try view.withDocument(DocumentHandle(1)) { $0.key.path } } == "cities/LA")
        try store.close()
    }
}
