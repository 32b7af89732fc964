// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// `firebase.json`, as far as it is about Firestore: which rules and indexes belong to which database.
struct FirebaseFile {
    /// An entry of the file.
    struct Entry {
        enum Owner {
            case database(String)
            /// A name that `.firebaserc` gives to databases.
            case target(String)
        }

        let owner: Owner
        /// The path of the rules; nil without any.
        let rules: String?
        /// The path of the indexes; nil without any.
        let indexes: String?
        /// Where it is in the file.
        let position: String
    }

    let entries: [Entry]
    /// What is in the file and has no effect here, each with its position.
    private(set) var notes: [String] = []
    /// The project that files of the first versions name.
    let project: String?
    /// The folder of the project, to which paths are relative.
    let folder: URL

    init(_ path: String) throws(FirestoreError) {
        let file = try FirebaseJSON(reading: path)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        self.folder = folder
        project = try file.read { (root) throws(FirestoreError) in try root.optional("firebase")?.string() }
        let node = try file.read { (root) throws(FirestoreError) in
            guard let node = try root.optional("firestore") else {
                throw root.failure("the file has no member \"firestore\"; add one with \"rules\" and \"indexes\"")
            }
            return node
        }
        var (source, found) = (file, node)
        if case .string(let name) = node.json {
            // A separate file with what would stand here.
            source = try FirebaseJSON(reading: URL(fileURLWithPath: name, relativeTo: folder).path)
            found = try source.read { (root) throws(FirestoreError) in
                if try root.entries().count == 1, let inner = try root.optional("firestore") { return inner }
                return root
            }
        }
        var notes: [String] = []
        do throws(FirestoreError) {
            entries = try Self.entries(found, in: source, folder, &notes)
        } catch {
            throw source.located(error)
        }
        self.notes = notes
    }

    /// One object is for the default database, unless it names another one; those of a list name theirs.
    private static func entries(
        _ node: JSONNode, in file: FirebaseJSON, _ folder: URL, _ notes: inout [String]
    ) throws(FirestoreError) -> [Entry] {
        guard case .array = node.json else {
            let database = try node.optional("database")?.string() ?? ""
            return [try entry(node, .database(database.isEmpty ? DatabaseID.defaultDatabase : database), in: file, folder, &notes)]
        }
        var entries: [Entry] = []
        for node in try node.elements() {
            let owner: Entry.Owner
            if let target = try node.optional("target")?.string(), !target.isEmpty {
                owner = .target(target)
            } else if let database = try node.optional("database")?.string(), !database.isEmpty {
                owner = .database(database)
            } else {
                throw node.failure("an entry of a list names its \"database\" or \"target\"")
            }
            entries.append(try entry(node, owner, in: file, folder, &notes))
        }
        guard !entries.isEmpty else { throw node.failure("the list has no entries; add one with \"database\", \"rules\" and \"indexes\"") }
        return entries
    }

    private static func entry(
        _ node: JSONNode, _ owner: Entry.Owner, in file: FirebaseJSON, _ folder: URL, _ notes: inout [String]
    ) throws(FirestoreError) -> Entry {
        func path(_ name: String) throws(FirestoreError) -> String? {
            guard let text = try node.optional(name)?.string() else { return nil }
            return URL(fileURLWithPath: text, relativeTo: folder).path
        }
        for (name, member) in try node.entries() {
            let what: String
            switch name {
            case "database", "target", "rules", "indexes", "$schema": continue
            case "predeploy", "postdeploy": what = "\"\(name)\" is not run by hearth deploy"
            case "location", "edition": what = "\"\(name)\" has no effect: the database is used as it is"
            default: what = "the member \"\(name)\" is not known here, and has no effect"
            }
            notes.append("\(file.position(of: member.place)): \(what)")
        }
        let (rules, indexes) = (try path("rules"), try path("indexes"))
        guard rules != nil || indexes != nil else { throw node.failure("neither \"rules\" nor \"indexes\" names a file; add one") }
        return Entry(owner: owner, rules: rules, indexes: indexes, position: file.position(of: node.place))
    }
}
