// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreArchive
import FirestoreCore
import Foundation

/// What an archive needs besides its place.
enum ArchiveAccess: SettingOwner {
    private static let endpoint = Setting<String?>(
        "archive-endpoint", nil, "The server of S3-compatible storage. (default: AWS)", value: "url")
    private static let region = Setting<String?>(
        "archive-region", nil, "The region of the bucket. (default: AWS_REGION, or us-east-1)", value: "name")
    private static let credentials = Setting<String?>(
        "archive-credentials", nil,
        "A file with the keys of the bucket, like ~/.aws/credentials. (default: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)",
        value: "file", completion: .file())
    private static let profile = Setting<String?>(
        "archive-profile", nil, "The section of that file. (default: AWS_PROFILE, or default)", value: "name")
    private static let trust = Setting<String?>(
        "archive-trust", nil, "A PEM file with the certificates of the storage server. (default: those of the system)", value: "file",
        completion: .file())
    private static let key = Setting<String?>(
        "archive-key", nil,
        "A file with the key that the archive is encrypted with; `openssl rand -hex 32` makes one. Without it nothing can be restored.",
        value: "file", completion: .file())

    static let settings: [any AnySetting] = [endpoint, region, credentials, profile, trust, key]

    static func settings(_ environment: [String: String], _ value: (Setting<String?>) -> String?) -> ArchiveSettings {
        var settings = ArchiveSettings(environment: environment)
        settings.endpoint = value(endpoint)
        settings.region = value(region)
        settings.credentialsFile = value(credentials)
        settings.profile = value(profile)
        settings.trustFile = value(trust)
        settings.keyFile = value(key)
        return settings
    }
}

typealias ArchiveAccessOptions = SettingOptions<ArchiveAccess>

extension SettingOptions<ArchiveAccess> {
    /// Opens an archive. Does not contact it.
    ///
    /// - Parameter place: A folder, or `s3://BUCKET/PREFIX`.
    func open(_ place: String, _ environment: [String: String]) throws(FirestoreError) -> any ArchiveStore {
        try ArchivePlace(place).open(settings(environment))
    }

    /// Opens an archive that is there, and checks that it has the key that was given.
    func openExisting(_ place: String, _ environment: [String: String]) async throws(FirestoreError) -> any ArchiveStore {
        let store = try open(place, environment)
        _ = try await ArchiveKeyCheck(store).check()
        return store
    }

    func settings(_ environment: [String: String]) -> ArchiveSettings {
        ArchiveAccess.settings(environment) { given[$0.name].flatMap { String(json: $0) } }
    }
}

/// The database of an archive that a command is about.
struct ArchivedDatabaseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The project of the database. (default: the only one in the archive)", valueName: "id"))
    var project: String?

    @Option(help: ArgumentHelp("The id of the database. (default: the only one in the archive)", valueName: "id"))
    var database: String?

    /// The databases of an archive that the options name, or all. Fails if there is none.
    func databases(in store: any ArchiveStore) async throws(FirestoreError) -> [DatabaseID] {
        let all = try await ArchiveContents.databases(in: store)
        let named = all.filter { found in
            (project.map { found.projectID == $0 } ?? true) && (database.map { found.databaseID == $0 } ?? true)
        }
        guard named.isEmpty else { return named }
        guard !all.isEmpty else { throw FirestoreError(.notFound, "the archive is empty", at: store.description) }
        throw FirestoreError(.notFound, "the archive has no such database; it has \(Self.list(all))", at: store.description)
    }

    /// The one database that the options name. Fails if there are several.
    func oneDatabase(in store: any ArchiveStore) async throws(FirestoreError) -> DatabaseID {
        let found = try await databases(in: store)
        guard let only = found.first, found.count == 1 else {
            throw .invalidArgument(
                "the archive has several databases, so --project and --database must name one: \(Self.list(found))", at: store.description)
        }
        return only
    }

    /// For messages.
    static func name(_ database: DatabaseID) -> String { "database \(database.databaseID), project \(database.projectID)" }

    private static func list(_ databases: [DatabaseID]) -> String {
        databases.prefix(20).map { "\($0.databaseID) of project \($0.projectID)" }.joined(separator: ", ")
            + (databases.count > 20 ? " and \(databases.count - 20) more" : "")
    }
}
