// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAccounts
import FirestoreCore
import Foundation

/// `hearth accounts export DIR`
struct AccountsExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the accounts of a project to a folder.",
        discussion: """
            Makes DIR/auth_export and names it in DIR/firebase-export-metadata.json, beside documents that are exported there \
            already. The files contain password hashes and are readable by their owner only.

            EXAMPLES
              hearth accounts export --data data --project my-app backup
              hearth accounts export --data data --project my-app .
            """)

    @OptionGroup var place: AccountsPlace

    @Argument(help: "The folder to write to.", completion: .directory)
    var folder: String

    func run() async throws {
        let target = folder + "/" + AuthExport.folder
        guard !FileManager.default.fileExists(atPath: target) else {
            throw FirestoreError(.alreadyExists, "there is an export already; remove it, or choose another folder", at: target)
        }
        let service = try place.open(creates: false)
        defer { service.close() }
        try await AuthExport.write(service, to: target)
        try AccountsExport(path: folder).noteAccounts()
    }
}
