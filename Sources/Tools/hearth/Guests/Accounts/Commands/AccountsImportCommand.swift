// SPDX-License-Identifier: Apache-2.0
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

            Or reads the JSON file of `firebase auth:export`. How its passwords are hashed is not in the file: copy the \
            options --hash-… \
            from the Firebase console (Authentication, Users, Password hash parameters). bcrypt, PBKDF2 and scrypt are read, too. Such \
            hashes are replaced by Hearth's when their users sign in.

            Accounts that are refused are reported with their place in the file; the others are imported. Accounts of tenants are not \
            imported.

            EXAMPLES
              hearth accounts import --data data --project my-app backup
              hearth accounts import --data data --project my-app seed/auth_export
              hearth accounts import --data data --project my-app users.json --hash-algo SCRYPT --hash-key KEY \
              --salt-separator Bw== --rounds 8 --mem-cost 14
            """)

    @OptionGroup var place: AccountsPlace

    @OptionGroup(title: "How passwords are hashed") var hashing: AccountsHashOptions

    @Argument(help: "The folder of the export, or a file with accounts.", completion: .file())
    var source: String

    func run() async throws {
        let isFile = source.hasSuffix(".json")
        let source = isFile ? source : try AccountsExport(path: source).accounts()
        let hashes = try hashing.parameters()
        // Before anything is created.
        guard FileManager.default.fileExists(atPath: isFile ? source : source + "/accounts.json") else {
            throw FirestoreError(.notFound, "there are no accounts; give the folder of an export, or a JSON file", at: source)
        }
        let tenants = ((try? FileManager.default.contentsOfDirectory(atPath: source)) ?? []).filter {
            $0.hasPrefix("accounts-") && $0.hasSuffix(".json")
        }
        let service = try place.open(creates: true)
        defer { service.close() }
        let (count, problems) = try await AuthExport.read(source, into: service, hashes: hashes)
        print("imported \(CacheText.count(count, "account"))")
        for problem in problems { StandardError.say("hearth accounts import: users[\(problem.index)]: \(problem.message)") }
        for file in tenants.sorted() { StandardError.say("hearth accounts import: \(file): accounts of tenants are not imported") }
        guard problems.isEmpty, tenants.isEmpty else { throw Outcome.findings }
    }
}
