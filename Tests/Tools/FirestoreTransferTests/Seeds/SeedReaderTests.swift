// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreTransfer

/// Files that other tools have written.
struct SeedReaderTests {
    private let folder: ScratchFolder
    private static let database = DatabaseID(projectID: "library")

    init() throws { folder = try ScratchFolder() }

    /// The documents as `hearth export` writes them, and the notes.
    private func read(_ text: String, _ name: String = "f.json", collection: String? = nil) throws -> (documents: [String], notes: [ImportNote]) {
        let notes = Mutex<[ImportNote]>([])
        let form = collection.map { DocumentForm.fields(of: CollectionPath(trusted: $0), idField: nil) } ?? .documents
        let request = ImportRequest(try folder.write(text.utf8, to: name), form: form) { note in notes.withLock { $0.append(note) } }
        var input = try request.open(in: Self.database)
        var documents: [String] = []
        while let item = try input.next() {
            let document = try item.checked()
            documents.append("\(document.key.path) \(try TypedJSON.text(document.fields, in: Self.database))")
        }
        return (documents, notes.withLock { $0 })
    }

    private static let rest = """
        {"name": "projects/p/databases/(default)/documents/cities/SF", "createTime": "2026-01-01T00:00:00Z", "updateTime": "2026-01-01T00:00:00Z",
         "fields": {"n": {"integerValue": "1"}, "at": {"timestampValue": "2026-01-01T00:00:00Z"},
          "near": {"arrayValue": {"values": [{"referenceValue": "projects/p/databases/(default)/documents/cities/LA"}]}},
          "far": {"referenceValue": "projects/q/databases/(default)/documents/cities/LA"}}}
        """
    private static let document = """
        cities/SF {"at":{"$timestamp":"2026-01-01T00:00:00Z"},"far":{"$reference":"projects/q/databases/(default)/documents/cities/LA"},\
        "n":1,"near":[{"$reference":"cities/LA"}]}
        """

    @Test(arguments: [
        rest, "[\(rest)]", "{\"documents\": [\(rest)], \"nextPageToken\": \"x\"}", "[{\"document\": \(rest), \"readTime\": \"2026-01-01T00:00:00Z\"}]",
        "[{\"readTime\": \"2026-01-01T00:00:00Z\"}, {\"document\": \(rest), \"readTime\": \"2026-01-01T00:00:00Z\", \"done\": true}]",
        "[{\"missing\": \"projects/p/databases/(default)/documents/cities/X\"}, {\"found\": \(rest), \"readTime\": \"2026-01-01T00:00:00Z\"}]",
    ])
    func `documents and answers of the REST API are read, and refer to the database of the import`(text: String) throws {
        let found = try read(text)
        #expect(found.documents == [Self.document])
        #expect(found.notes == [.recognized(.rest, file: folder.file("f.json"))])
        if text.hasPrefix("{") { #expect(try read(text.replacing("\n", with: " "), "f.jsonl").documents.count == 1) }
        let refused = try #require(throws: FirestoreError.self) { try read(text, collection: "c") }
        #expect(refused.cause as? TransferReason == .collectionOfExport, "\(refused)")
    }

    @Test func `an answer without documents imports none`() throws {
        #expect(try read(#"[{"readTime": "2026-01-01T00:00:00Z"}]"#).documents.isEmpty)
    }

    private static let tree = """
        {"SF": {"n": 1, "price": {"$cents": 5}, "at": {"__datatype__": "timestamp", "value": {"_seconds": 1, "_nanoseconds": 500000000}},
          "where": [{"__datatype__": "geopoint", "value": {"_latitude": 1.5, "_longitude": 2}}],
          "friend": {"__datatype__": "documentReference", "value": "people/ada"},
          "__collections__": {"parks": {"one": {"__collections__": {"trees": {"oak": {"__collections__": {}}}}}}}}}
        """

    @Test func `collections of node-firestore-import-export are read, and one of them under its name`() throws {
        let documents = [
            """
            cities/SF {"at":{"$timestamp":"1970-01-01T00:00:01.500Z"},"friend":{"$reference":"people/ada"},"n":1,"price":{"$map":{"$cents":5}},\
            "where":[{"$geopoint":{"latitude":1.5,"longitude":2.0}}]}
            """, "cities/SF/parks/one/trees/oak {}",
        ]
        #expect(try read("{\"__collections__\": {\"cities\": \(Self.tree)}}").documents == documents)
        #expect(try read(Self.tree, collection: "cities").documents == documents)
        let nameless = try #require(throws: FirestoreError.self) { try read(Self.tree) }
        #expect(nameless.cause as? TransferReason == .collectionOfSeed)
        #expect(throws: FirestoreError.self) { try read("{\"__collections__\": {\"cities\": \(Self.tree)}}", collection: "c") }
        let unknown = try #require(throws: FirestoreError.self) {
            try read(#"{"__collections__": {"c": {"d": {"x": {"__datatype__": "colour", "value": 1}}}}}"#)
        }
        #expect(unknown.message.contains("\"colour\""))
    }

    @Test func `collections of firestore-export-import are read`() throws {
        let text = """
            {"cities": {"SF": {"n": 1, "at": {"_seconds": 1, "_nanoseconds": 0}, "p": {"_latitude": 1, "_longitude": 2},
              "subCollection": {"cities/SF/parks": {"one": {"open": true}}}}}, "people": {"ada": {}}}
            """
        #expect(
            try read(text).documents == [
                #"cities/SF {"at":{"$timestamp":"1970-01-01T00:00:01Z"},"n":1,"p":{"$geopoint":{"latitude":1.0,"longitude":2.0}}}"#,
                #"cities/SF/parks/one {"open":true}"#, "people/ada {}",
            ])
        let refused = try #require(throws: FirestoreError.self) { try read(text, collection: "c") }
        #expect(refused.cause as? TransferReason == .collectionOfExport)
        // Ordinary fields, where a collection is named.
        #expect(try read(#"{"a": {"b": {"c": 1}}}"#, collection: "c").documents.count == 1)
    }

    @Test func `documents of firestore-backfire are refused by name`() throws {
        let error = try #require(throws: FirestoreError.self) { try read(#"{"path": "cities/SF", "data": {"n": 1}}"#, "f.ndjson") }
        #expect(error.message.contains("firestore-backfire") && error.cause as? TransferReason == .formOfBackfire)
    }

    @Test(arguments: [#"{"path": "users/1", "data": {"n": 1}}"#, #"{"readTime": "2026-01-01T00:00:00Z"}"#])
    func `where a collection is named, ordinary fields are no form of another tool`(text: String) throws {
        #expect(try read(text, "f.ndjson", collection: "c").documents.count == 1)
    }

    @Test(arguments: [
        (#"[DOCUMENT, {"error": {"code": 4, "message": "deadline"}}]"#, "not complete"), (#"[DOCUMENT, {"path": "a/b"}]"#, "neither a document"),
        (#"{"name": "SF", "__collections__": {"landmarks": {"one": {"n": 1}}}}"#, "name"),
    ])
    func `what cannot be read of another tool's form is refused, and not left out`(text: String, says: String) throws {
        let error = try #require(throws: FirestoreError.self) { try read(text.replacing("DOCUMENT", with: Self.rest)) }
        #expect("\(error)".contains(says), "\(error)")
    }

    @Test func `a mistake in a document of another tool names the line and the place`() throws {
        let error = try #require(throws: FirestoreError.self) {
            try read("[\(Self.rest),\n{\"name\": \"projects/p/databases/(default)/documents/a/b\", \"fields\": {\"x\": {\"intValue\": 1}}}]")
        }
        #expect(error.location?.hasSuffix("f.json: line 5: fields.x") == true, "\(error)")
        #expect(error.message.contains("intValue"))
    }

    @Test func `ordinary fields stay what they are`() throws {
        for text in [
            #"{"name": "Ada", "fields": 3}"#, #"{"documents": [{"id": 1}]}"#, #"{"readTime": "soon"}"#, #"{"path": "x", "data": {}}"#,
            #"{"name": "projects/p/databases/d/documents/a/b", "fields": {}, "size": 3}"#,
        ] {
            #expect(try read(text, collection: "c").documents.count == 1, "\(text)")
        }
    }
}
