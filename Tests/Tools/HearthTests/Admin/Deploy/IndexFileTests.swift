// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreServer
import Testing

@testable import hearth

/// What of `firestore.indexes.json` is deployed, named, or refused.
struct IndexFileTests {
    private func read(_ text: String) throws(FirestoreError) -> IndexFile { try IndexFile(FirebaseJSON(text.utf8, path: "i.json")) }

    private func indexes(_ text: String) throws -> [String] { try read(text).indexes.map { IndexFile.text(of: $0) } }

    @Test func `comments and a byte-order mark are spaces, in strings they are text`() throws {
        let text = """
            \u{FEFF}// the indexes
            {"indexes": [ /* one
              */ {"collectionGroup": "b//c", "queryScope": "COLLECTION", "fields": [
              {"fieldPath": "a", "order": "ASCENDING"}, // a
              {"fieldPath": "`/* b`", "order": "DESCENDING"}]}]}
            """.replacing("b//c", with: "books")
        #expect(try indexes(text) == ["books(a, `/* b` desc)"])
    }

    @Test func `what older versions wrote is read`() throws {
        let text = """
            {"indexes": [{"collectionId": "books", "fields": [
              {"fieldPath": "tags", "mode": "ARRAY_CONTAINS"}, {"fieldPath": "year", "mode": "DESCENDING"}]}]}
            """
        #expect(try indexes(text) == ["books(tags array, year desc)"])
        let fields = try #require(try read(text).indexes.first).elements("fields").map { $0.text() }
        #expect(fields == [#"{"fieldPath":"tags","arrayConfig":"CONTAINS"}"#, #"{"fieldPath":"year","order":"DESCENDING"}"#])
    }

    @Test func `a field may be an array and an order of one index`() throws {
        let text = """
            {"indexes": [{"collectionGroup": "books", "queryScope": "COLLECTION", "fields": [
              {"fieldPath": "tags", "arrayConfig": "CONTAINS"}, {"fieldPath": "tags", "order": "ASCENDING"}]}]}
            """
        #expect(try indexes(text) == ["books(tags array, tags)"])
    }

    @Test func `what has no effect is named with its position, and the rest is deployed`() throws {
        let file = try read(
            """
            {"indexes": [
              {"collectionGroup": "books", "queryScope": "COLLECTION", "fields": [
                {"fieldPath": "text", "searchConfig": {"textSpec": {}}}]},
              {"collectionGroup": "books", "fields": [{"fieldPath": "__name__", "order": "DESCENDING"}]},
              {"collectionGroup": "books", "density": "DENSE", "shardCount": 2, "multikey": false, "unique": false, "apiScope": "ANY_API",
               "fields": [{"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "ASCENDING"}]},
              {"collectionGroup": "books", "density": "SPARSE_ALL",
               "fields": [{"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "ASCENDING"}, {"fieldPath": "__name__", "order": "ASCENDING"}]}],
             "extra": 1}
            """)
        #expect(file.indexes.map { IndexFile.text(of: $0) } == ["books(a, b)"])
        #expect(
            file.notes == [
                "i.json:9:11: the member \"extra\" is not known here, and has no effect",
                "i.json:2:3: the text index on books is skipped: text searches are not offered yet; the rest of the file is deployed",
                "i.json:4:3: the index on books by __name__ alone is skipped: names are in order, both ways, without an index",
                "i.json:5:43: density DENSE has no effect: indexes are SPARSE_ALL here, with the documents that have all fields",
                "i.json:5:66: shardCount has no effect: indexes are not sharded here",
                "i.json:7:3: the index books(a, b) is in the file already, and is deployed once",
            ])
    }

    @Test(arguments: [
        ("{\n  \"indexes\": [,]}", "i.json:2:15"),
        ("{\n  \"indexes\": [{\"collectionGroup\": \"é\", \"fields\": [{\"fieldPath\": \"b\"}]}]}", "i.json:2:51 (indexes[0].fields[0])"),
        (#"{"indexes": [], "indexes": []}"#, "i.json:1:1"),
        (#"{"indexes": [{"collectionGroup": "a", "unique": true, "fields": []}]}"#, "i.json:1:49 (indexes[0].unique)"),
        (#"{"indexes": [{"collectionGroup": "a", "multikey": true, "fields": []}]}"#, "i.json:1:51 (indexes[0].multikey)"),
        (#"{"indexes": [{"collectionGroup": "a", "apiScope": "MONGODB_COMPATIBLE_API", "fields": []}]}"#, "i.json:1:51 (indexes[0].apiScope)"),
        (#"{"indexes": [{"collectionGroup": "a", "sparkle": 1, "fields": []}]}"#, "i.json:1:50 (indexes[0].sparkle)"),
        (#"{"indexes": [{"collectionGroup": "a", "fields": [{"fieldPath": "b", "order": "ASCENDING"}]}]}"#, "i.json:1:14 (indexes[0])"),
        (#"{"fieldOverrides": [{"collectionGroup": "a", "fieldPath": "b", "ttl": 1, "indexes": []}]}"#, "i.json:1:71 (fieldOverrides[0].ttl)"),
        (#"{"fieldOverrides": [{"collectionGroup": "a", "fieldPath": "b", "ttl": true}]}"#, "i.json:1:21 (fieldOverrides[0])"),
        (#"{"fieldOverrides": [{"collectionGroup": "a", "fieldPath": "b", "indexes": [{"order": "ASCENDING", "unique": true}]}]}"#, "i.json:1:109 (fieldOverrides[0].indexes[0].unique)"),
    ])
    func `a mistake names file, line and column`(text: String, place: String) {
        let error = #expect(throws: FirestoreError.self) { try read(text) }
        #expect(error?.location == place, "\(error?.description ?? "")")
    }

    @Test func `settings of a field that differ are refused, equal ones are taken once`() throws {
        func override(_ order: String) -> String { #"{"collectionGroup":"a","fieldPath":"b","indexes":[{"order":"\#(order)"}]}"# }
        let same = try read(#"{"fieldOverrides":[\#(override("ASCENDING")),\#(override("ASCENDING"))]}"#)
        #expect(same.overrides.count == 1 && same.notes.count == 1)
        let error = #expect(throws: FirestoreError.self) {
            try read(#"{"fieldOverrides":[\#(override("ASCENDING")),\#(override("DESCENDING"))]}"#)
        }
        #expect(error?.message == "the field a.b has other settings already in this file; make one entry of the two")
    }
}
