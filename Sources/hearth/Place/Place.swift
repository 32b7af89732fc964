import FirestoreCore
import Foundation

/// Where a database is: what options and environment come to.
struct Place: Equatable {
    enum Kind: Equatable {
        case file(String)
        case server(address: String, usesTLS: Bool)
        /// nil: the credentials Google's tools agree upon.
        case cloud(credentials: String?)
    }

    var kind: Kind
    /// nil: not said. A file knows its own.
    var projectID: String?
    var databaseID: String?
    /// Certificates to trust instead of the system's.
    var trustFile: String?

    /// Options take precedence over environment variables, whose order is that of apps (`DatabaseVariables`).
    init(_ options: PlaceOptions, environment: [String: String]) throws(FirestoreError) {
        let variables = DatabaseVariables(environment)
        databaseID = options.database
        trustFile = options.trust
        let project = options.project ?? variables.project
        if let file = options.data {
            kind = try Self.file(file, "--data")
            // The file's own counts, not what else the environment is for.
            projectID = options.project
        } else if let address = options.server {
            kind = try Self.server(address, "--server", usesTLS: options.tls)
            projectID = project
        } else if let cloud = options.cloud {
            kind = .cloud(credentials: options.credentials)
            projectID = cloud
        } else {
            switch variables.place(with: options.credentials == nil ? .unspecified : .google) {
            case .server(let address):
                kind = try Self.server(address, "FIRESTORE_EMULATOR_HOST", usesTLS: false)
                projectID = project
            case .cloud:
                kind = .cloud(credentials: options.credentials)
                projectID = project
            case .file(let path):
                kind = try Self.file(path, "HEARTH_DATABASE")
                projectID = options.project
            case nil:
                throw .invalidArgument(
                    "which database? Give --data FILE, --server HOST:PORT or --cloud PROJECT, or set HEARTH_DATABASE or "
                        + "FIRESTORE_EMULATOR_HOST")
            }
        }
    }

    /// `host:port`, or an address as it is copied out of a browser: `http://` says that the connection is not encrypted,
    /// `https://` that it is.
    private static func server(_ text: String, _ origin: String, usesTLS: Bool) throws(FirestoreError) -> Kind {
        let place = "\(origin) \(text)"
        guard let colon = text.range(of: "://") else { return .server(address: text, usesTLS: usesTLS) }
        var address = String(text[colon.upperBound...])
        if address.hasSuffix("/") { address.removeLast() }
        if address.contains("/") || address.contains("?") {
            throw .invalidArgument("a server has no path; write \(address.prefix { $0 != "/" && $0 != "?" })", at: place)
        }
        switch text[..<colon.lowerBound].lowercased() {
        case "http" where usesTLS: throw .invalidArgument("http:// and --tls contradict each other; leave one of them out", at: place)
        case "http": return .server(address: address, usesTLS: false)
        case "https": return .server(address: address, usesTLS: true)
        default: throw .invalidArgument("a server is named host:port, also with http:// or https:// in front; write \(address)", at: place)
        }
    }

    private static func file(_ path: String, _ origin: String) throws(FirestoreError) -> Kind {
        if path == ":memory:" {
            throw .invalidArgument(
                "a database in memory ends with its process, and this one ends with the command; "
                    + "name a file, or start `hearth serve --in-memory` and use --server", at: origin)
        }
        if path.isEmpty { throw .invalidArgument("the path of the database file is empty", at: origin) }
        return .file(path)
    }
}
