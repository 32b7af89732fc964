// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// `firebase.json`, as far as it is about Firestore: which rules and indexes belong to which database.
struct FirebaseFile {
    struct Target {
        /// The id of the database.
        let database: String
        /// The path of the rules; nil without any.
        let rules: String?
        /// The path of the indexes; nil without any.
        let indexes: String?
    }

    let targets: [Target]

    init(_ path: String) throws(FirestoreError) {
        let root = JSONNode(try JSON(try Self.read(path)))
        guard let node = try root.optional("firestore") else {
            throw FirestoreError(.invalidArgument, "the file has no member \"firestore\"; add one with \"rules\" and \"indexes\"", at: path)
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let entries: [JSONNode]
        if case .array = node.json { entries = try node.elements() } else { entries = [node] }
        var targets: [Target] = []
        for entry in entries {
            func file(_ name: String) throws(FirestoreError) -> String? {
                try entry.optional(name).map { (node) throws(FirestoreError) in
                    URL(fileURLWithPath: try node.string(), relativeTo: folder).path
                }
            }
            targets.append(
                Target(
                    database: try entry.optional("database")?.string() ?? DatabaseID.defaultDatabase, rules: try file("rules"),
                    indexes: try file("indexes")))
        }
        self.targets = targets
    }

    static func read(_ path: String) throws(FirestoreError) -> Data {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw FirestoreError(.notFound, "the file does not exist or cannot be read", at: path)
        }
        return data
    }
}
