// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAccounts
import FirestoreCore
import Foundation
import HearthBase

/// `hearth accounts`: the accounts of a server as files.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "Export and import the accounts of a server.",
        discussion: """
            Works on the data directory of a server that does not run, or on the PostgreSQL server of several nodes, which may \
            run. Files have the form of the official tools: a folder auth_export with accounts.json and config.json, named in \
            firebase-export-metadata.json.

            An export contains password hashes. Its files are readable by their owner only; keep them like a password.

            EXIT CODES
              0  done
              1  `import`: some accounts were refused, the others are imported
              2  it could not be done, or the command was not understood

            EXAMPLES
              hearth accounts export --data data --project my-app backup
              hearth accounts import --data data --project my-app backup
              hearth accounts import --store postgres://u@host/db --project my-app backup
            """,
        subcommands: [AccountsExportCommand.self, AccountsImportCommand.self])
}

/// Where the accounts are.
struct AccountsPlace: ParsableArguments {
    @Option(help: ArgumentHelp("The data directory of the server.", valueName: "dir"), completion: .directory)
    var data: String?

    @OptionGroup var cluster: StoreAddressOptions

    @Option(help: ArgumentHelp("The project of the accounts.", valueName: "id"))
    var project: String

    func validate() throws {
        guard AccountProjects.isProject(project) else { throw ValidationError("\"\(project)\" is not a project id") }
        if data == nil { _ = try address() } else if cluster.store != nil { throw ValidationError("--data and --store exclude each other") }
    }

    private func address() throws -> StoreAddress { try cluster.address(orInstead: "give --data, the data directory of a server") }

    /// Opens the accounts. A server that uses files holds their lock.
    func open(creates: Bool) throws -> AccountService {
        // Nothing is signed here, and the configuration of an export belongs to development mode.
        try AccountService(.development(project: project), store: try store(creates: creates), key: nil)
    }

    private func store(creates: Bool) throws -> AccountStore {
        guard let data else {
            let address = try address()
            if let store = try AccountStore.open(in: try address.connect(), project: project, creating: creates) { return store }
            throw FirestoreError(.notFound, "the server has no accounts of the project \(project)", at: address.text)
        }
        let path = AccountProjects.path(in: data)
        if !creates, !FileManager.default.fileExists(atPath: path + "/" + PercentEncoding.encode(project)) {
            throw FirestoreError(.notFound, "the data directory \(data) has no accounts of the project \(project)")
        }
        let folder = try AccountFolder(AccountProjects.path(of: project, in: try AccountFolder(path)))
        return try AccountStore.open(in: folder, project: project)
    }
}

/// The folder of an export of the official tools.
struct AccountsExport {
    static let metadataName = "firebase-export-metadata.json"

    /// The folder that holds `auth_export`.
    let path: String

    private var metadata: String { path + "/" + Self.metadataName }

    /// The folder with `accounts.json`: this one, or the one that the metadata name.
    func accounts() throws(FirestoreError) -> String {
        if FileManager.default.fileExists(atPath: path + "/accounts.json") { return path }
        var name = AuthExport.folder
        if case .string(let named)? = try readMetadata()["auth"]?["path"] { name = named }
        guard !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
            throw FirestoreError(.invalidArgument, "the path of the accounts leads out of the export", at: metadata)
        }
        return path + "/" + name
    }

    private func readMetadata() throws(FirestoreError) -> JSON {
        guard let data = FileManager.default.contents(atPath: metadata) else { return .object([]) }
        do throws(FirestoreError) {
            return try JSON(data)
        } catch {
            throw FirestoreError(.invalidArgument, error.message, at: metadata)
        }
    }

    /// Names the accounts in the metadata, beside its earlier content.
    func noteAccounts() throws(FirestoreError) {
        guard case .object(var members) = try readMetadata() else {
            throw FirestoreError(.invalidArgument, "the file is not a JSON object", at: metadata)
        }
        let version = JSON.string(LibraryVersion.text)
        if !members.contains(where: { $0.name == "version" }) { members.insert(("version", version), at: 0) }
        members.removeAll { $0.name == "auth" }
        members.append(("auth", .object([("version", version), ("path", .string(AuthExport.folder))])))
        do {
            try Data(JSON.object(members).bytes(.indented)).write(to: URL(fileURLWithPath: metadata), options: .atomic)
        } catch {
            throw FirestoreError(.permissionDenied, "the file cannot be written", at: metadata, cause: error)
        }
    }
}
