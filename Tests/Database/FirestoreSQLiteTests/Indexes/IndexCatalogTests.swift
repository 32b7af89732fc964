// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreSQLite
@testable import FirestoreStorage

@Suite struct IndexCatalogTests {
    @Test func `definitions are read back unchanged`() {
        let tags = IndexDefinition.Field(FieldPathSegments("tags"), .arrayContains)
        let deep = IndexDefinition.Field(FieldPathSegments(["a.b", "ü\u{0}", "`"]), .descending)
        let all = [
            IndexDefinition("cities", "a"), IndexDefinition("cities", "a", scope: .collectionGroup),
            IndexDefinition("cities", "a", "b"), IndexDefinition("Städte", "a"),
            IndexDefinition(collectionID: "c", fields: [tags, deep]),
            IndexDefinition(collectionID: "c", fields: [deep, tags]),
            IndexDefinition(collectionID: "c", fields: [deep], nameDirection: .ascending),
            IndexDefinition(collectionID: "c", scope: .collectionGroup, fields: []),
        ]
        for definition in all {
            let bytes = IndexDefinitionEncoding.encode(definition)
            #expect(bytes.withUnsafeBytes { IndexDefinitionEncoding.decode($0) } == definition)
            for end in 0..<bytes.count {
                let cut = Array(bytes[..<end]).withUnsafeBytes { IndexDefinitionEncoding.decode($0) }
                #expect(cut == nil || cut?.fields.count != definition.fields.count)
            }
        }
        #expect(Set(all.map(IndexDefinitionEncoding.encode)).count == all.count)
    }

    @Test func `the worked example of the format`() {
        let population = IndexDefinition.Field(FieldPathSegments("population"), .descending)
        let definition = IndexDefinition(
            collectionID: "cities", fields: [IndexDefinition.Field(FieldPathSegments("country")), population])
        let bytes = Array("cd\u{6}citiesa\u{1}\u{7}countryd\u{1}\u{A}population".utf8)
        #expect(IndexDefinitionEncoding.encode(definition) == bytes)
    }

    @Test func `an index is built, ready and dropped, and survives reopening in every state`() throws {
        let directory = try ScratchFolder()
        let definition = IndexDefinition("cities", "a")
        var store = try SQLiteStore.open(file: directory.file())
        func reopen() throws {
            try store.checkAndClose()
            store = try SQLiteStore.open(file: directory.file())
        }
        try store.put(["cities/LA", "cities/SF"])
        try store.makeIndex(definition, isReady: false)
        try reopen()
        var index = try #require(try store.catalog().index(serving: definition.reversed))
        #expect(index.state == .building(nil) && index.definition == definition && !index.isConfigured)
        #expect(try store.catalog().ready(on: "cities").isEmpty && store.catalog().kept(on: "cities").count == 1)

        let stretch = try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
            let stretch = try transaction.walk(collectionID: "cities", after: nil) { (place, document) throws(FirestoreError) in
                try transaction.addEntry([UInt8](document.id), of: index, at: place, kinds: 0)
                return .stop
            }
            if let last = stretch.last { try transaction.setBuilt(index, to: last) }
            try transaction.setConfigured(true, index)
            return stretch
        }
        #expect(!stretch.isAtEnd)
        try reopen()
        index = try #require(try store.catalog().index(serving: definition))
        #expect(index.state == .building(stretch.last) && index.isConfigured)

        try store.write { (transaction: WriteTransaction) throws(FirestoreError) in try transaction.setReady(index) }
        try reopen()
        index = try #require(try store.catalog().index(serving: definition))
        #expect(index.isReady)
        #expect(try store.catalog().ready(on: "cities").map(\.definition) == [definition])

        try store.addEntries([([7], 1), ([8], 1)], to: index)
        try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
            try transaction.drop(index)
            #expect(try transaction.removeEntries(ofDropped: index.number, limit: 2) == 2)
        }
        try reopen()
        #expect(try store.catalog().dropped == [index.number] && store.catalog().isEmpty)
        // Its definition is free again although entries are left.
        let again = try store.makeIndex(definition)
        #expect(again.number != index.number)
        try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
            #expect(try transaction.removeEntries(ofDropped: index.number, limit: 2) == 1)
        }
        try reopen()
        #expect(try store.catalog().dropped.isEmpty && store.catalog().indexes.map(\.number) == [again.number])
        try store.checkAndClose()
    }

    @Test func `a transaction that fails leaves the catalog unchanged`() throws {
        let store = try SQLiteStore.memory()
        #expect(throws: FirestoreError.self) {
            try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
                try transaction.addIndex(IndexDefinition("c", "a"), isConfigured: true)
                #expect(try transaction.catalog().indexes.count == 1)
                throw FirestoreError(.aborted, "on purpose")
            }
        }
        #expect(try store.catalog().isEmpty)
        try store.makeIndex(IndexDefinition("c", "a"))
        #expect(try store.catalog().indexes.count == 1)
        try store.close()
    }

    @Test func `a snapshot taken before a change has the catalog of then`() throws {
        let directory = try ScratchFolder()
        let store = try SQLiteStore.open(file: directory.file())
        try store.put(["c/a"])
        try store.read { (view: ReadTransaction) throws(FirestoreError) in
            try store.makeIndex(IndexDefinition("c", "a"))
            #expect(try view.indexes(on: "c").isEmpty)
        }
        let now = try store.read { (view: ReadTransaction) throws(FirestoreError) in try view.indexes(on: "c").count }
        #expect(now == 1)
        try store.checkAndClose()
    }

    @Test func `a build walks all collections of an id, from where it was`() throws {
        let store = try SQLiteStore.memory()
        try store.put(["c/b", "d/x", "c/a", "d/x/c/2", "d/x/c/1", "d/y/c/__id3__"])
        let all = try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
            var position: IndexPosition?
            var seen: [String] = []
            while true {
                var count = 0
                let stretch = try transaction.walk(collectionID: "c", after: position) { _, document in
                    seen.append(document.key.path)
                    count += 1
                    return count == 2 ? .stop : .next
                }
                if stretch.isAtEnd { return seen }
                position = stretch.last
            }
        }
        #expect(all == ["c/a", "c/b", "d/x/c/1", "d/x/c/2", "d/y/c/__id3__"])
        try store.close()
    }

    @Test func `an index being built covers documents at or before its position`() {
        func place(_ collection: Int64, _ id: String) -> DocumentPlace {
            DocumentPlace(collection: collection, id: ByteSlice(DocumentIDEncoding.encode(id)))
        }
        func index(_ state: StoredIndex.State) -> StoredIndex {
            StoredIndex(number: 1, definition: IndexDefinition("c", "a"), state: state, isConfigured: false)
        }
        let half = index(.building(IndexPosition(place(3, "m"))))
        for (collection, id, isCovered) in [(2, "z", true), (3, "a", true), (3, "m", true), (3, "ma", false), (4, "a", false)] {
            #expect(half.covers(place(Int64(collection), id)) == isCovered, "\(collection) \(id)")
        }
        #expect(!index(.building(nil)).covers(place(0, "a")) && index(.ready).covers(place(9, "z")))
    }

    @Test func `facts are stored, replaced and removed`() throws {
        let directory = try ScratchFolder()
        var store = try SQLiteStore.open(file: directory.file())
        func fact(_ key: String) throws -> [UInt8]? {
            try store.read { (view: ReadTransaction) throws(FirestoreError) in try view.fact(key)?.array }
        }
        func set(_ value: [UInt8]?, _ key: String) throws {
            try store.write { (transaction: WriteTransaction) throws(FirestoreError) in
                try transaction.setFact(key, value.map { ByteSlice($0) })
                #expect(try transaction.fact(key)?.array == value)
            }
        }
        #expect(try fact("a") == nil)
        try set([1, 2], "a")
        try set([], "é")
        try set([3], "a")
        try store.checkAndClose()
        store = try SQLiteStore.open(file: directory.file())
        #expect(try fact("a") == [3] && fact("é") == [] && fact("e\u{301}") == nil)
        try set(nil, "a")
        #expect(try fact("a") == nil)
        try store.checkAndClose()
    }
}
