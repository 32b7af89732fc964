// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules
import Foundation

/// What a deployment is about: a project, its databases, and what each of them gets. Everything is read and checked before anything is
/// changed.
struct DeployPlan {
    /// What `--only` selects.
    struct Selection {
        var takesRules = true
        var takesIndexes = true
        /// The databases and targets; nil for all.
        var names: [String]?

        init() {}

        /// `rules`, `indexes`, and as Firebase's command line has them `firestore`, `firestore:rules`, `firestore:indexes`,
        /// `firestore:NAME`, separated by commas. nil for anything else.
        init?(_ text: String) {
            (takesRules, takesIndexes) = (false, false)
            var names: [String] = []
            var takesAll = false
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                switch part {
                case "rules", "firestore:rules": takesRules = true
                case "indexes", "firestore:indexes": takesIndexes = true
                case "firestore": takesAll = true
                default:
                    let words = part.split(separator: ":", omittingEmptySubsequences: false)
                    guard words.count == 2, words[0] == "firestore", !words[1].isEmpty else { return nil }
                    names.append(String(words[1]))
                }
            }
            if !takesRules, !takesIndexes { (takesRules, takesIndexes) = (true, true) }
            if takesAll { self = Selection() } else if !names.isEmpty { self.names = names }
        }
    }

    struct Rules {
        let database: String
        let path: String
        let rules: RuleSet
    }

    struct Indexes {
        let database: String
        let deployment: IndexDeployment
    }

    let project: FirebaseProject
    private(set) var rules: [Rules] = []
    private(set) var indexes: [Indexes] = []
    private(set) var notes: [String] = []

    /// - Parameter database: The only database to deploy to; nil for all of the file.
    init(_ file: FirebaseFile, _ project: FirebaseProject, _ selection: Selection, database: String?) throws {
        self.project = project
        notes = file.notes
        var files: [String: IndexDeployment] = [:]
        for (id, entry) in try Self.databases(file, project, selection, only: database) {
            if selection.takesRules, let path = entry.rules { rules.append(Rules(database: id, path: path, rules: try compile(path))) }
            guard selection.takesIndexes, let path = entry.indexes else { continue }
            if files[path] == nil {
                let read = try IndexFile(try FirebaseJSON(reading: path))
                notes += read.notes
                files[path] = IndexDeployment(read)
            }
            if let deployment = files[path] { indexes.append(Indexes(database: id, deployment: deployment)) }
        }
        guard !rules.isEmpty || !indexes.isEmpty else {
            throw FirestoreError.invalidArgument(
                "firebase.json names no \(selection.takesRules ? "rules" : "indexes") for what was selected; there is nothing to deploy")
        }
    }

    /// The databases and what they get, each once.
    private static func databases(
        _ file: FirebaseFile, _ project: FirebaseProject, _ selection: Selection, only database: String?
    ) throws(FirestoreError) -> [(id: String, entry: FirebaseFile.Entry)] {
        var found: [(id: String, entry: FirebaseFile.Entry)] = []
        var missing = selection.names
        for entry in file.entries {
            let name: String
            switch entry.owner {
            case .database(let id): name = id
            case .target(let target): name = target
            }
            if let names = selection.names {
                guard names.contains(where: { equalUTF8($0, name) }) else { continue }
                missing?.removeAll { equalUTF8($0, name) }
            }
            var ids = [name]
            if case .target(let target) = entry.owner { ids = try project.databases(of: target, at: entry.position) }
            for id in ids where database.map({ equalUTF8($0, id) }) ?? true {
                if let rival = found.first(where: { equalUTF8($0.id, id) }) {
                    throw .invalidArgument(
                        "the database \(id) is named by two entries, here and at \(rival.entry.position); remove one", at: entry.position)
                }
                found.append((id, entry))
            }
        }
        if let missing, !missing.isEmpty {
            throw .invalidArgument("firebase.json has no entry for \(missing.joined(separator: ", "))", at: "--only")
        }
        if let database, found.isEmpty {
            throw .invalidArgument("firebase.json has no entry for the database \(database); add one with \"database\"", at: "--database")
        }
        return found
    }

    private func compile(_ path: String) throws -> RuleSet {
        do {
            let rules = try RulesFile(reading: path).compile()
            for issue in rules.issues { StandardError.say(issue.text(in: rules.source)) }
            return rules
        } catch let error as RulesError {
            for issue in error.issues { StandardError.say(issue.text(in: error.source)) }
            throw Outcome.findings
        } catch let error as RulesFile.Unreadable {
            StandardError.say("hearth deploy: \(error.message)")
            throw Outcome.failure
        }
    }
}
