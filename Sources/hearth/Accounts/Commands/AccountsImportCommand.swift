// SPDX-License-Identifier: Apache-2.0
#if Remote && ServiceAccounts
import ArgumentParser
import FirestoreAccounts
import FirestoreCore
import Foundation

/// `hearth accounts import DIR`
struct AccountsImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Read accounts of an export into a data directory.",
        discussion: """
            Reads what `hearth accounts export` or the official tools have written: DIR/auth_export, or the folder that \
            DIR/firebase-export-metadata.json names. Accounts with the same id are replaced, and their sessions end. Passwords \
            that the emulator has stored readably are hashed, which takes a moment for each.

            Accounts that are refused are reported with their place in accounts.json; the others are imported. Hashes of other \
            systems, and accounts of tenants, are not imported.

            EXAMPLES
              hearth accounts import --data data --project my-app backup
              hearth accounts import --data data --project my-app seed/auth_export
            """)

    @OptionGroup var place: AccountsPlace

    @Argument(help: "The folder of the export.", completion: .directory)
    var folder: String

    func run() async throws {
        let source = try AccountsExport(path: folder).accounts()
        // Before anything is created.
        guard FileManager.default.fileExists(atPath: source + "/accounts.json") else {
            throw FirestoreError(.notFound, "there are no accounts; give the folder of an export", at: source)
        }
        let tenants = ((try? FileManager.default.contentsOfDirectory(atPath: source)) ?? []).filter {
            $0.hasPrefix("accounts-") && $0.hasSuffix(".json")
        }
        let service = try place.open(creates: true)
        defer { service.close() }
        let (count, problems) = try await AuthExport.read(source, into: service)
        print("imported \(CacheText.count(count, "account"))")
        for problem in problems { StandardError.say("hearth accounts import: users[\(problem.index)]: \(problem.message)") }
        for file in tenants.sorted() { StandardError.say("hearth accounts import: \(file): accounts of tenants are not imported") }
        guard problems.isEmpty, tenants.isEmpty else { throw Outcome.findings }
    }
}
#endif
