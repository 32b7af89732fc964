// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

@Suite struct ScanTests {
    private static let group = QueryScope.collectionGroup(id: "items", under: nil)

    @Test("a collection is walked in the order of names, numeric ids first, both ways")
    func collection() throws {
        let store = try SQLiteStore.memory()
        try store.put(["c/b", "c/__id10__", "c/a", "c/__id9__", "d/x", "c/é", "c/a/sub/y"])
        let scope = QueryScope.collection(CollectionPath(trusted: "c"))
        let expected = ["c/__id9__", "c/__id10__", "c/a", "c/b", "c/é"]
        #expect(try store.paths(in: scope) == expected)
        #expect(try store.paths(in: scope, descending: true) == expected.reversed())
        #expect(try store.paths(in: scope, limit: 2) == Array(expected.prefix(2)))
        #expect(try store.paths(in: .collection(CollectionPath(trusted: "nothing"))) == [])
        try store.checkAndClose()
    }

    @Test("a collection below a document of the same group comes right behind that document")
    func nesting() throws {
        let store = try SQLiteStore.memory()
        let expected = [
            "items/a", "items/a/items/x", "items/a/items/x/items/deep", "items/a/items/y", "items/b", "lists/1/items/z",
        ]
        try store.put(expected.shuffled() + ["items/a/other/q", "itemsish/a"])
        #expect(try store.paths(in: Self.group) == expected)
        #expect(try store.paths(in: Self.group, descending: true) == expected.reversed())
        #expect(
            try store.paths(in: .collectionGroup(id: "items", under: DocumentKey(trusted: "items/a")))
                == Array(expected[1...3]))
        try store.checkAndClose()
    }

    @Test("random groups and ranges equal sorting and filtering", arguments: 0..<20)
    func property(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let store = try SQLiteStore.memory()
        let ids = ["a", "b", "__id1__", "__id-2__", "ab", "b-"]
        var paths: Set<String> = []
        for _ in 0..<60 {
            var path = ["items", "x"].randomElement(using: &generator)! + "/" + ids.randomElement(using: &generator)!
            for _ in 0..<Int.random(in: 0..<3, using: &generator) {
                path += "/" + ["items", "x"].randomElement(using: &generator)! + "/" + ids.randomElement(using: &generator)!
            }
            paths.insert(path)
        }
        try store.put(Array(paths))
        let keys = paths.map { DocumentKey(trusted: $0) }.sorted()
        for _ in 0..<40 {
            let bounds = (keys.randomElement(using: &generator)!, keys.randomElement(using: &generator)!)
            let range = KeyRange(
                lower: Bool.random(using: &generator) ? .init(bounds.0, inclusive: Bool.random(using: &generator)) : nil,
                upper: Bool.random(using: &generator) ? .init(bounds.1, inclusive: Bool.random(using: &generator)) : nil)
            let scope: QueryScope =
                Bool.random(using: &generator) ? Self.group : .collection(keys.randomElement(using: &generator)!.collection)
            let expected = keys.filter { Self.contains($0, scope) && Self.contains($0, range) }.map(\.path)
            #expect(try store.paths(in: scope, range: range) == expected)
            #expect(try store.paths(in: scope, range: range, descending: true) == expected.reversed())
            let most = Int.random(in: 0...expected.count + 1, using: &generator)
            let counts = try store.read { (view: ReadTransaction) throws(FirestoreError) in
                (
                    try view.documentCount(in: scope, range: range, upTo: nil),
                    try view.documentCount(in: scope, range: range, upTo: most)
                )
            }
            #expect(counts == (expected.count, min(most, expected.count)))
        }
        try store.checkAndClose()
    }

    @Test("a scan may read documents and scan again")
    func reentrance() throws {
        let store = try SQLiteStore.memory()
        try store.put(["c/a", "c/b"])
        let scope = QueryScope.collection(CollectionPath(trusted: "c"))
        let pairs = try store.read { (view: ReadTransaction) throws(FirestoreError) in
            var pairs: [String] = []
            try view.scan(scope, range: .all, descending: false) { (outer: borrowing ScannedDocument) throws(FirestoreError) in
                let key = outer.key
                #expect(try view.document(key)?.key == key)
                try view.scan(scope, range: .all, descending: false) { inner in
                    pairs.append(key.id + inner.key.id)
                    return .next
                }
                return .next
            }
            return pairs
        }
        #expect(pairs == ["aa", "ab", "ba", "bb"])
        try store.checkAndClose()
    }

    private static func contains(_ key: DocumentKey, _ scope: QueryScope) -> Bool {
        switch scope {
        case .collection(let path): key.collection == path
        case .collectionGroup(let id, _): key.collection.id == id
        case .kindless: true
        }
    }

    private static func contains(_ key: DocumentKey, _ range: KeyRange) -> Bool {
        if let lower = range.lower, !(lower.key < key || (lower.inclusive && lower.key == key)) { return false }
        if let upper = range.upper, !(key < upper.key || (upper.inclusive && upper.key == key)) { return false }
        return true
    }
}
