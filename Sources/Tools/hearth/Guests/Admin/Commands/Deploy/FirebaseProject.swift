// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// The project that Firebase's command line would choose for a folder, and the databases that its targets name.
///
/// In this order: `--project`, an id or an alias of `.firebaserc`; what `firebase use` has chosen for the folder; the member `firebase` of
/// old files; the only alias. Several aliases of which none is chosen are an error, as they are there.
struct FirebaseProject {
    /// nil if nothing names a project.
    let id: String?
    /// What has named it, for people; nil for an id on the command line.
    let origin: String?
    private let settings: FirebaseJSON?

    /// - Parameters:
    ///   - variable: The project of the environment, where Hearth's commands heed it.
    init(
        _ file: FirebaseFile, option: String?, variable: String?, environment: [String: String]
    ) throws(FirestoreError) {
        let path = file.folder.appendingPathComponent(".firebaserc").path
        let settings = FileManager.default.fileExists(atPath: path) ? try FirebaseJSON(reading: path) : nil
        self.settings = settings
        let aliases = try settings.map { (settings) throws(FirestoreError) in try Self.aliases(settings) } ?? []
        let active = Self.active(in: file.folder, environment)
        let choice = option ?? active ?? file.project
        if let choice {
            let alias = aliases.first { equalUTF8($0.name, choice) }
            let source = option == nil ? (active == nil ? "the member \"firebase\" of firebase.json" : "firebase use") : nil
            id = alias?.id ?? choice
            origin = alias.map { "alias \($0.name) of .firebaserc" } ?? source
        } else if aliases.count == 1 {
            (id, origin) = (aliases[0].id, "alias \(aliases[0].name) of .firebaserc")
        } else if let variable {
            (id, origin) = (variable, "the environment")
        } else if aliases.isEmpty {
            (id, origin) = (nil, nil)
        } else {
            let list = aliases.map { "\($0.name) (\($0.id))" }.joined(separator: ", ")
            throw .invalidArgument("no project is chosen; name one with --project: \(list)", at: path)
        }
        if option == nil, let id, let origin, let variable, !equalUTF8(variable, id) {
            throw .invalidArgument(
                "the environment names the project \(variable), but \(origin) names \(id); choose one with --project")
        }
    }

    private static func aliases(_ settings: FirebaseJSON) throws(FirestoreError) -> [(name: String, id: String)] {
        try settings.read { (root) throws(FirestoreError) in
            var aliases: [(name: String, id: String)] = []
            for (name, node) in try root.optional("projects")?.entries() ?? [] { aliases.append((name, try node.string())) }
            return aliases
        }
    }

    /// What `firebase use` notes in its settings. A file that is not there or of another form has chosen nothing.
    private static func active(in folder: URL, _ environment: [String: String]) -> String? {
        guard let home = environment["HOME"] ?? environment["USERPROFILE"] else { return nil }
        let settings = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.config"
        guard let data = FileManager.default.contents(atPath: settings + "/configstore/firebase-tools.json"),
            case .object(let projects)? = (try? JSON(data))?["activeProjects"]
        else {
            return nil
        }
        let folders = [folder.standardizedFileURL.path, folder.resolvingSymlinksInPath().path]
        for (name, value) in projects where folders.contains(where: { equalUTF8($0, name) }) {
            if case .string(let project) = value, !project.isEmpty { return project }
        }
        return nil
    }

    /// The databases of a target, from `targets.PROJECT.firestore.TARGET`.
    func databases(of target: String, at position: String) throws(FirestoreError) -> [String] {
        guard let id else {
            throw .invalidArgument("the target \(target) needs a project; name it with --project, or in .firebaserc", at: position)
        }
        guard let settings else {
            throw .invalidArgument("the target \(target) is not known: there is no .firebaserc beside the file", at: position)
        }
        let databases = try settings.read { (root) throws(FirestoreError) -> [String] in
            let targets = try root.optional("targets")?.optional(id)?.optional("firestore")?.optional(target)
            var databases: [String] = []
            for node in try targets?.elements() ?? [] { databases.append(try node.string()) }
            return databases
        }
        guard !databases.isEmpty else {
            throw .invalidArgument("the project \(id) has no target \(target) in .firebaserc, below \"targets\"", at: position)
        }
        return databases
    }
}
