// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `hearth deploy` as a whole, on a server and on a data directory.
struct DeployCommandTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        _ = try folder.file("firebase.json", #"{"firestore": {"rules": "r.rules", "indexes": "i.json"}} // ours"#)
        _ = try folder.file(
            "r.rules", "service cloud.firestore { match /databases/{d}/documents { match /{x=**} { allow read, write: if true; } } }")
    }

    private func deploy(_ arguments: String..., environment: [String: String] = [:]) throws -> HearthCommand {
        try HearthCommand(
            ["deploy", "--config", folder.file("firebase.json")] + arguments,
            environment: ["HOME": folder.path].merging(environment) { $1 })
    }

    private static let indexes = """
        {"indexes": [
          {"collectionGroup": "books", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "tags", "arrayConfig": "CONTAINS"}, {"fieldPath": "tags", "order": "ASCENDING"}]},
          {"collectionGroup": "books", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "tags", "mode": "ARRAY_CONTAINS"}, {"fieldPath": "tags", "mode": "ASCENDING"}]},
          {"collectionGroup": "books", "queryScope": "COLLECTION", "density": "DENSE", "fields": [
            {"fieldPath": "year", "order": "ASCENDING"}, {"fieldPath": "__name__", "order": "DESCENDING"}]},
          {"collectionGroup": "notes", "queryScope": "COLLECTION", "fields": [
            {"fieldPath": "topic", "order": "ASCENDING"}, {"fieldPath": "__name__", "order": "ASCENDING"},
            {"fieldPath": "v", "vectorConfig": {"dimension": 3, "flat": {}}}]},
          {"collectionGroup": "notes", "queryScope": "COLLECTION", "fields": [{"fieldPath": "t", "searchConfig": {}}]}],
         "fieldOverrides": [
          {"collectionGroup": "books", "fieldPath": "`a/b`", "indexes": []},
          {"collectionGroup": "books", "fieldPath": "*", "indexes": [{"order": "ASCENDING", "queryScope": "COLLECTION"}]},
          {"collectionGroup": "notes", "fieldPath": "until", "ttl": true, "indexes": []}]}
        """

    @Test func `a file of all kinds is deployed to the project of firebaserc, and a second time there is nothing to do`() throws {
        let server = try HearthServerProcess("--in-memory", "--port", "0")
        defer { server.kill() }
        let place = "127.0.0.1:\(try server.port)"
        _ = try folder.file("i.json", Self.indexes)
        _ = try folder.file(".firebaserc", #"{"projects": {"default": "app"}}"#)
        let first = try deploy("--server", place)
        #expect(first.exitCode == 0, "\(first.errors)")
        #expect(first.errors.contains("project app: alias default of .firebaserc"))
        #expect(first.errors.contains("DENSE") && first.errors.contains("text index on notes") && first.errors.contains("deployed once"))
        #expect(first.output.components(separatedBy: "create the index").count == 4, "\(first.output)")
        let again = try deploy("--server", place, "--dry-run", "--only", "indexes")
        #expect(again.exitCode == 0 && again.output == "the indexes and fields are those of the files\n", "\(again.output)\(again.errors)")
        let listed = try HearthCommand("indexes", "list", "--server", place, "--project", "app", "--output", "jsonl")
        #expect(listed.output.split(separator: "\n").count == 3)
    }

    @Test func `a unique index ends the deployment before anything is changed`() throws {
        let server = try HearthServerProcess("--in-memory", "--port", "0")
        defer { server.kill() }
        let place = "127.0.0.1:\(try server.port)"
        let fields = #""fields": [{"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "ASCENDING"}]"#
        _ = try folder.file(
            "i.json",
            #"{"indexes": [{"collectionGroup": "x", \#(fields)}, {"collectionGroup": "y", "unique": true, \#(fields)}]}"#)
        let refused = try deploy("--server", place, "--project", "app")
        #expect(refused.exitCode == 2 && refused.output.isEmpty)
        #expect(refused.errors.contains("i.json:1:") && refused.errors.contains("unique indexes are not offered here"))
        let listed = try HearthCommand("indexes", "list", "--server", place, "--project", "app", "--output", "jsonl")
        #expect(listed.output.isEmpty)
    }

    @Test func `rules alone cannot go to a data directory`() throws {
        try FileManager.default.createDirectory(atPath: folder.file("data"), withIntermediateDirectories: true)
        let refused = try deploy("--data", folder.file("data"), "--project", "app", "--only", "rules")
        #expect(refused.exitCode == 2 && refused.output.contains("rules are not stored"))
    }
}
