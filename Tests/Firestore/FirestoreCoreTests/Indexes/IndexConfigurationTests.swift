// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

/// `firestore.indexes.json`, read and written; QR-54.
@Suite struct IndexConfigurationTests {
    private func definitions(_ text: String) throws -> [String] {
        try IndexConfiguration(json: text.utf8).definitions.map(\.description)
    }

    @Test func `the command line's output is read`() throws {
        let text = #"""
            {
              "indexes": [
                { "collectionGroup": "cities", "queryScope": "COLLECTION", "density": "SPARSE_ALL", "fields": [
                  { "fieldPath": "country", "order": "ASCENDING" }, { "fieldPath": "population", "order": "DESCENDING" } ] },
                { "collectionGroup": "landmarks", "queryScope": "COLLECTION_GROUP", "fields": [
                  { "fieldPath": "tags", "arrayConfig": "CONTAINS" }, { "fieldPath": "a.`b c`", "order": "ASCENDING" }, { "fieldPath": "__name__", "order": "DESCENDING" } ] },
                { "collectionGroup": "notes", "queryScope": "COLLECTION", "fields": [
                  { "fieldPath": "topic", "order": "ASCENDING" }, { "fieldPath": "v", "vectorConfig": { "dimension": 3, "flat": {} } } ] },
                { "collectionGroup": "notes", "queryScope": "COLLECTION", "fields": [ { "fieldPath": "v", "vectorConfig": { "dimension": 3, "flat": {} } } ] }
              ],
              "fieldOverrides": [
                { "collectionGroup": "cities", "fieldPath": "name", "ttl": false, "indexes": [
                  { "order": "ASCENDING", "queryScope": "COLLECTION_GROUP" }, { "arrayConfig": "CONTAINS", "queryScope": "COLLECTION" } ] },
                { "collectionGroup": "cities", "fieldPath": "blob", "indexes": [] }
              ]
            }
            """#
        #expect(
            try definitions(text) == [
                "cities(country, population desc)", "group landmarks(tags array, a.`b c`, __name__ desc)", "notes(topic)", "group cities(name)",
                "cities(name array)",
            ])
    }

    @Test func `the words of older versions are understood`() throws {
        let text = #"{"indexes":[{"collectionId":"c","fields":[{"fieldPath":"a","mode":"ASCENDING"},{"fieldPath":"b","mode":"ARRAY_CONTAINS"}]}]}"#
        #expect(try definitions(text) == ["c(a, b array)"])
    }

    @Test func `comments and a byte-order mark are spaces`() throws {
        let text = """
            \u{FEFF}/* ours */ {"indexes": [ // one
              {"collectionGroup": "c", /**/ "fields": [{"fieldPath": "`// a`", "order": "ASCENDING"}, {"fieldPath": "b", "order": "ASCENDING"}]}]} //
            """
        #expect(try definitions(text) == ["c(`// a`, b)"])
        #expect(throws: FirestoreError.self) { try definitions("{} /") }
        #expect(throws: FirestoreError.self) { try definitions("/* {}") }
    }

    @Test func `a name before a vector, a text index and a field as array and as order are read`() throws {
        let vector = #"{"collectionGroup":"c","fields":[{"fieldPath":"a","order":"ASCENDING"},{"fieldPath":"__name__","order":"ASCENDING"},{"fieldPath":"v","vectorConfig":{"dimension":3}}]}"#
        let search = #"{"collectionGroup":"c","fields":[{"fieldPath":"t","searchConfig":{"textSpec":{}}}]}"#
        let both = #"{"collectionGroup":"c","fields":[{"fieldPath":"t","arrayConfig":"CONTAINS"},{"fieldPath":"t","order":"DESCENDING"}]}"#
        #expect(try definitions("{\"indexes\":[\(vector),\(search),\(both)]}") == ["c(a)", "c(t array, t desc)"])
    }

    @Test func `an index of one field in which the name runs the other way is no setting of the field`() throws {
        let definition = IndexDefinition(collectionID: "c", fields: [.init(FieldPathSegments("a"))], nameDirection: .descending)
        let entry = IndexConfigurationEntry(definition)
        #expect(entry.section == "indexes")
        #expect(try IndexConfiguration(json: IndexConfiguration([definition]).json.bytes()).definitions == [definition])
        let ascending = IndexDefinition(collectionID: "c", fields: [.init(FieldPathSegments("b"))])
        let group = IndexDefinition(collectionID: "c", scope: .collectionGroup, fields: [.init(FieldPathSegments("b"), .descending)])
        let others = [definition, ascending, group]
        #expect(IndexConfigurationEntry.all(for: others).map(\.section) == ["indexes", "fieldOverrides"])
    }

    @Test func `an empty configuration is valid, and duplicates are ignored`() throws {
        #expect(try definitions("{}") == [])
        #expect(try definitions(#"{"indexes":[],"fieldOverrides":[]}"#) == [])
        let index = #"{"collectionGroup":"c","fields":[{"fieldPath":"a","order":"ASCENDING"},{"fieldPath":"b","order":"ASCENDING"}]}"#
        #expect(try definitions("{\"indexes\":[\(index),\(index)]}") == ["c(a, b)"])
    }

    static let bad: [(text: String, place: String?)] = [
        ("", "byte 0"), ("[]", nil), (#"{"indexes":{}}"#, "indexes"), (#"{"indexes":[3]}"#, "indexes[0]"),
        (#"{"indexes":[{"collectionGroup":"c"}]}"#, "indexes[0]"), (#"{"indexes":[{"fields":[]}]}"#, "indexes[0]"),
        (#"{"indexes":[{"collectionGroup":"a/b","fields":[]}]}"#, "indexes[0].collectionGroup"),
        (#"{"indexes":[{"collectionGroup":"","fields":[]}]}"#, "indexes[0].collectionGroup"),
        (#"{"indexes":[{"collectionGroup":"c","fields":[{}]}]}"#, "indexes[0].fields[0]"),
        (#"{"indexes":[{"collectionGroup":"c","fields":[{"fieldPath":"a"}]}]}"#, "indexes[0].fields[0]"),
        (#"{"indexes":[{"collectionGroup":"c","fields":[{"fieldPath":"a","order":"UP"}]}]}"#, "indexes[0].fields[0].order"),
        (#"{"indexes":[{"collectionGroup":"c","fields":[{"fieldPath":"a","arrayConfig":"ALL"}]}]}"#, "indexes[0].fields[0].arrayConfig"),
        (#"{"indexes":[{"collectionGroup":"c","fields":[{"fieldPath":"a","order":"ASCENDING","arrayConfig":"CONTAINS"}]}]}"#, "indexes[0].fields[0]"),
        (#"{"indexes":[{"collectionGroup":"c","fields":[{"fieldPath":"a b","order":"ASCENDING"}]}]}"#, "indexes[0].fields[0].fieldPath"),
        (#"{"indexes":[{"collectionGroup":"c","fields":[{"fieldPath":"a","order":"ASCENDING"},{"fieldPath":"a","order":"DESCENDING"}]}]}"#, "indexes[0].fields[1]"),
        (#"{"indexes":[{"collectionGroup":"c","fields":[{"fieldPath":"a","arrayConfig":"CONTAINS"},{"fieldPath":"b","arrayConfig":"CONTAINS"}]}]}"#, "indexes[0].fields[1]"),
        (#"{"indexes":[{"collectionGroup":"c","fields":[{"fieldPath":"__name__","order":"ASCENDING"},{"fieldPath":"a","order":"ASCENDING"}]}]}"#, "indexes[0].fields[1]"),
        (#"{"indexes":[{"collectionGroup":"c","queryScope":"ALL","fields":[]}]}"#, "indexes[0].queryScope"),
        (#"{"fieldOverrides":[{"collectionGroup":"c","indexes":[]}]}"#, "fieldOverrides[0]"),
        (#"{"fieldOverrides":[{"collectionGroup":"c","fieldPath":"a","indexes":[{"order":1}]}]}"#, "fieldOverrides[0].indexes[0].order"),
        (#"{"fieldOverrides":[{"collectionGroup":"c","fieldPath":"a","ttl":1}]}"#, "fieldOverrides[0].ttl"),
        (#"{"fieldOverrides":[{"collectionGroup":"c","fieldPath":"*","ttl":true}]}"#, "fieldOverrides[0].fieldPath"),
        (#"{"fieldOverrides":[{"collectionGroup":"c","fieldPath":"__name__","ttl":true}]}"#, "fieldOverrides[0]"),
        (#"{"fieldOverrides":[{"collectionGroup":"c","fieldPath":"a","ttl":true},{"collectionGroup":"c","fieldPath":"b","ttl":true}]}"#, "fieldOverrides[1]"),
    ]

    @Test(arguments: bad)
    func `an error names the invalid entry`(text: String, place: String?) {
        let error = #expect(throws: FirestoreError.self) { try IndexConfiguration(json: text.utf8) }
        #expect(error?.code == .invalidArgument && error?.location == place, "\(error?.description ?? "")")
    }

    @Test func `an index has at most 100 fields`() throws {
        func text(_ count: Int) -> String {
            let fields = (0..<count).map { #"{"fieldPath":"f\#($0)","order":"ASCENDING"}"# }.joined(separator: ",")
            return #"{"indexes":[{"collectionGroup":"c","fields":[\#(fields)]}]}"#
        }
        #expect(try definitions(text(100)).count == 1)
        #expect(throws: FirestoreError.self) { try definitions(text(101)) }
    }

    @Test func `documents expire by the fields with ttl`() throws {
        let text = #"""
            {"fieldOverrides": [
                {"collectionGroup": "sessions", "fieldPath": "life.end", "ttl": true, "indexes": []},
                {"collectionGroup": "others", "fieldPath": "at", "ttl": false, "indexes": [{"order": "DESCENDING"}]},
                {"collectionGroup": "tokens", "fieldPath": "at", "ttl": true, "indexes": [{"order": "ASCENDING"}]}]}
            """#
        let configuration = try IndexConfiguration(json: text.utf8)
        #expect(configuration.expiry.map(\.index.description) == ["group sessions(life.end)", "group tokens(at)"])
        let again = try IndexConfiguration(json: configuration.json.bytes())
        #expect(again.expiry.map(\.index.description) == ["group tokens(at)", "group sessions(life.end)"])
        // The command line expects a list for every field: those that a field has by default.
        #expect(again.definitions.filter { $0.collectionID == "sessions" }.count == 3)
        #expect(again.definitions.filter { $0.collectionID == "tokens" }.map(\.description) == ["tokens(at)"])
    }

    @Test func `a written configuration is read back unchanged`() throws {
        let path = FieldPathSegments(["a", "b c"])
        let configuration = IndexConfiguration([
            IndexDefinition(collectionID: "c", fields: [.init(path), .init(FieldPathSegments("n"), .descending)]),
            IndexDefinition(collectionID: "c", scope: .collectionGroup, fields: [.init(path, .arrayContains), .init(FieldPathSegments("n"))], nameDirection: .descending),
            IndexDefinition(collectionID: "c", fields: [.init(path, .descending)]),
            IndexDefinition(collectionID: "d", fields: [.init(path)]),
            IndexDefinition(collectionID: "c", scope: .collectionGroup, fields: [.init(path, .arrayContains)]),
        ])
        let json = configuration.json
        let again = try IndexConfiguration(json: json.bytes(.indented))
        #expect(Set(again.definitions) == Set(configuration.definitions))
        #expect(try JSONNode(json).elements("fieldOverrides").count == 2)
        #expect(again.json.text() == json.text())
    }
}
