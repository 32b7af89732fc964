// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// The folder `auth_export` of the official tools: `accounts.json` and `config.json` (AU-29).
package enum AuthExport {
    /// The name of the folder beside `firestore_export`.
    package static let folder = "auth_export"
    private static let maximumBytes = 1 << 30

    /// Writes the accounts of a service into a new folder, files 0600: they contain password hashes.
    package static func write(_ service: AccountService, to path: String) async throws {
        let folder = try AccountFolder(path)
        let users = try await service.accounts(after: "", limit: Int.max - 1).map { AccountJSON.user($0, withPassword: true) }
        let accounts = JSON.object([("kind", .string("identitytoolkit#DownloadAccountResponse")), ("users", .array(users))])
        try AccountFolder.write(accounts.bytes(), to: folder.file("accounts.json"))
        try AccountFolder.write(service.configuration.bytes(), to: folder.file("config.json"))
    }

    /// Reads accounts, and in development mode the configuration. Returns how many accounts were read, and those that failed.
    ///
    /// - Parameters:
    ///   - path: The folder, or a JSON file with accounts as `firebase auth:export` writes it.
    ///   - hashes: How passwords are hashed, which such files do not say.
    package static func read(
        _ path: String, into service: AccountService, hashes: HashImport? = nil
    ) async throws -> (count: Int, problems: [(index: Int, message: String)]) {
        let file = path.hasSuffix(".json") ? path : path + "/accounts.json"
        let users: [JSON]
        switch try json(file)["users"] {
        case .array(let elements)?: users = elements
        case nil: users = []
        default: throw FirestoreError(.invalidArgument, "\"users\" is not an array", at: file)
        }
        if service.policy.isDevelopment, FileManager.default.fileExists(atPath: path + "/config.json") {
            _ = try await service.change(configuration: try json(path + "/config.json"))
        }
        let problems = try await service.importAccounts(users, hashes: hashes)
        return (users.count - problems.count, problems)
    }

    private static func json(_ file: String) throws(FirestoreError) -> JSON {
        guard let handle = FileHandle(forReadingAtPath: file), let data = try? handle.read(upToCount: maximumBytes + 1) else {
            throw FirestoreError(
                .notFound, "the file cannot be read; give the folder of an export, or the JSON file that firebase auth:export has written",
                at: file)
        }
        guard data.count <= maximumBytes else { throw FirestoreError(.invalidArgument, "the file is larger than 1 GiB", at: file) }
        do throws(FirestoreError) {
            return try JSON(data)
        } catch {
            throw FirestoreError(.invalidArgument, error.message, at: file)
        }
    }
}
