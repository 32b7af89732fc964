// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import hearth

/// The differences that `hearth deploy` shows and makes.
struct IndexDeploymentTests {
    private static let database = "projects/p/databases/(default)/collectionGroups"

    private func texts(_ file: String, indexes: [String] = [], fields: [String] = []) throws -> [String] {
        let deployment = IndexDeployment(try IndexFile(FirebaseJSON(file.utf8, path: "i.json")))
        let changes = deployment.changes(indexes: try indexes.map { try JSON($0.utf8) }, fields: try fields.map { try JSON($0.utf8) })
        return changes.map { ($0.isRemoval ? "- " : "+ ") + $0.text }
    }

    private static let present = """
        {"name": "\(database)/books/indexes/1", "queryScope": "COLLECTION", "state": "READY", "fields": [
          {"fieldPath": "author", "order": "ASCENDING"}, {"fieldPath": "year", "order": "DESCENDING"},
          {"fieldPath": "__name__", "order": "DESCENDING"}]}
        """

    @Test func `an index that is there is not created again`() throws {
        let file = """
            {"indexes": [{"collectionGroup": "books", "queryScope": "COLLECTION", "fields": [
              {"fieldPath": "author", "order": "ASCENDING"}, {"fieldPath": "year", "order": "DESCENDING"}]}]}
            """
        #expect(try texts(file, indexes: [Self.present]).isEmpty)
        #expect(try texts(file) == ["+ create the index books(author, year desc)"])
    }

    @Test func `what the file does not have is a removal`() throws {
        let field = #"{"name": "\#(Self.database)/books/fields/text", "indexConfig": {}}"#
        let standard = #"{"name": "\#(Self.database)/__default__/fields/*", "indexConfig": {}}"#
        #expect(
            try texts("{}", indexes: [Self.present], fields: [field, standard]) == [
                "- reset the field books.text", "- delete the index books(author, year desc)",
            ])
    }

    // OT-31
    @Test func `a policy ends before another one of its collection begins`() throws {
        let file = """
            {"fieldOverrides": [
              {"collectionGroup": "sessions", "fieldPath": "until", "ttl": true, "indexes": []},
              {"collectionGroup": "sessions", "fieldPath": "expires", "ttl": false, "indexes": []}]}
            """
        let field = #"{"name": "\#(Self.database)/sessions/fields/expires", "indexConfig": {}, "ttlConfig": {"state": "ACTIVE"}}"#
        #expect(
            try texts(file, fields: [field]) == [
                "+ set the field sessions.expires: indexes none, documents do not expire by it any more (now active)",
                "+ set the field sessions.until: indexes none, documents expire by it",
            ])
    }

    @Test func `an expiry that is on keeps its offset, and what ends is named with it`() throws {
        let field = """
            {"name": "\(Self.database)/sessions/fields/until", "indexConfig": {},
             "ttlConfig": {"state": "ACTIVE", "expirationOffset": "2592000s"}}
            """
        func file(_ ttl: String, _ indexes: String = "") -> String {
            #"{"fieldOverrides": [{"collectionGroup": "sessions", "fieldPath": "until"\#(ttl), "indexes": [\#(indexes)]}]}"#
        }
        #expect(try texts(file(#", "ttl": true"#), fields: [field]).isEmpty)
        #expect(try texts(file(""), fields: [field]).isEmpty)
        let ascending = #"{"order": "ASCENDING"}"#
        for ttl in [#", "ttl": true"#, ""] {
            let deployment = IndexDeployment(try IndexFile(FirebaseJSON(file(ttl, ascending).utf8, path: "i.json")))
            let changes = deployment.changes(indexes: [], fields: [try JSON(field.utf8)])
            #expect(
                changes.map(\.text) == [
                    "set the field sessions.until: indexes ascending, documents expire by it as before (active after 2592000s)"
                ])
            guard case .updateField(_, _, let message, let mask)? = changes.first?.step else {
                Issue.record("no change of the field")
                continue
            }
            #expect(mask == "indexConfig" && message["ttlConfig"] == nil)
        }
        #expect(
            try texts(file(#", "ttl": false"#), fields: [field]) == [
                "+ set the field sessions.until: indexes none, documents do not expire by it any more (now active after 2592000s)"
            ])
        #expect(
            try texts("{}", fields: [field]) == [
                "- reset the field sessions.until: documents do not expire by it any more (now active after 2592000s)"
            ])
    }

    @Test func `a field whose settings are the same is left alone`() throws {
        let file = """
            {"fieldOverrides": [{"collectionGroup": "books", "fieldPath": "tags", "indexes": [
              {"arrayConfig": "CONTAINS", "queryScope": "COLLECTION_GROUP"}, {"order": "ASCENDING"}]}]}
            """
        let field = """
            {"name": "\(Self.database)/books/fields/tags", "indexConfig": {"indexes": [
              {"queryScope": "COLLECTION", "fields": [{"fieldPath": "tags", "order": "ASCENDING"}]},
              {"queryScope": "COLLECTION_GROUP", "fields": [{"fieldPath": "tags", "arrayConfig": "CONTAINS"}]}]}}
            """
        #expect(try texts(file, fields: [field]).isEmpty)
        #expect(try texts(file) == ["+ set the field books.tags: indexes group array, ascending"])
    }

    @Test func `a path with a slash, and the settings of every group, are recognised when they are there`() throws {
        let file = """
            {"fieldOverrides": [
              {"collectionGroup": "books", "fieldPath": "`a/b`", "indexes": []},
              {"collectionGroup": "__default__", "fieldPath": "*", "indexes": [{"order": "ASCENDING"}]}]}
            """
        let own = #"{"name": "\#(Self.database)/books/fields/`a/b`", "indexConfig": {}}"#
        let standard = """
            {"name": "\(Self.database)/__default__/fields/*", "indexConfig": {"indexes": [
              {"queryScope": "COLLECTION", "fields": [{"fieldPath": "*", "order": "ASCENDING"}]}]}}
            """
        #expect(try texts(file, fields: [own, standard]).isEmpty)
        #expect(try texts(file).count == 2)
    }

    @Test func `the direction of the name distinguishes indexes`() throws {
        let file = """
            {"indexes": [{"collectionGroup": "books", "queryScope": "COLLECTION", "fields": [
              {"fieldPath": "author", "order": "ASCENDING"}, {"fieldPath": "year", "order": "DESCENDING"},
              {"fieldPath": "__name__", "order": "ASCENDING"}]}]}
            """
        #expect(
            try texts(file, indexes: [Self.present]) == [
                "+ create the index books(author, year desc, __name__)", "- delete the index books(author, year desc)",
            ])
    }

    @Test func `an index with a vector is compared without the name that tools write before the vector`() throws {
        let file = """
            {"indexes": [{"collectionGroup": "notes", "queryScope": "COLLECTION", "fields": [
              {"fieldPath": "topic", "order": "ASCENDING"}, {"fieldPath": "__name__", "order": "ASCENDING"},
              {"fieldPath": "v", "vectorConfig": {"dimension": 3, "flat": {}}}]}]}
            """
        let present = """
            {"name": "\(Self.database)/notes/indexes/v1", "queryScope": "COLLECTION", "fields": [
              {"fieldPath": "topic", "order": "ASCENDING"}, {"fieldPath": "v", "vectorConfig": {"dimension": 3, "flat": {}}}]}
            """
        #expect(try texts(file) == ["+ create the index notes(topic, v vector 3)"])
        #expect(try texts(file, indexes: [present]).isEmpty)
    }
}
