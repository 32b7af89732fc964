// SPDX-License-Identifier: Apache-2.0
import FirestoreAccounts
import FirestoreArchive
import FirestoreCore
import FirestoreServer
import Foundation
import Logging

extension ServeCommand {
    /// What is archived besides databases: accounts, and with a key what the server was configured with.
    func files(
        _ settings: ServeSettings, in archive: ServedArchive, _ accounts: AccountProjects?, _ log: Logger
    ) -> ServedFiles? {
        guard let directory = settings.options.data, let policy = settings.archive else { return nil }
        // Who can read an archive must not be able to sign tokens, or to act as an administrator.
        let isEncrypted = settings.options.archiveAccess.archiveKey != nil
        let configuration = isEncrypted ? settings.configurationFiles : []
        return ServedFiles(archive.store, directory: directory, policy: policy, patience: settings.patience, log: log) {
            let projects = accounts.map { accounts in accounts.projects.map { Self.accounts(accounts, of: $0, withKeys: isEncrypted) } }
            return (projects ?? []) + (configuration.isEmpty ? [] : [Self.configuration(configuration)])
        }
    }

    private static func accounts(_ accounts: AccountProjects, of project: String, withKeys: Bool) -> FileSetSource {
        FileSetSource(.accounts(project: project)) {
            await accounts.changeCount(of: project)
        } copy: { folder throws(FirestoreError) in
            try await accounts.writeCopy(of: project, to: folder, withKeys: withKeys)
        }
    }

    private static func configuration(_ files: [(name: String, path: String)]) -> FileSetSource {
        FileSetSource(.configuration) {
            nil
        } copy: { folder throws(FirestoreError) in
            for file in files {
                do {
                    let content = try Data(contentsOf: URL(fileURLWithPath: file.path))
                    try content.write(to: URL(fileURLWithPath: folder + "/" + file.name))
                } catch {
                    throw FirestoreError(.unavailable, "the file cannot be copied", at: file.path, cause: error)
                }
            }
        }
    }
}

extension ServeSettings {
    /// How long the end of the server waits for its archive.
    var patience: Duration { .seconds(max(1, options.grace)) }

    /// The administrator keys and the rules, with names that differ.
    var configurationFiles: [(name: String, path: String)] {
        let paths = [security.options.adminKeyFile].compactMap(\.self) + security.rules.map(\.path)
        var names = Set<String>()
        return paths.map { path in
            let own = URL(fileURLWithPath: path).lastPathComponent
            // A name that begins with a dot is not one of an archive.
            let base = own.hasPrefix(".") ? "file" + own : own
            var (name, number) = (base, 2)
            while !names.insert(name).inserted {
                name = "\(number)-\(base)"
                number += 1
            }
            return (name, path)
        }
    }
}
