// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// The location of a database, derived from options and environment.
struct Place: Equatable {
    enum Kind: Equatable {
        case file(String)
        case server(address: String, usesTLS: Bool)
        /// nil: the application default credentials.
        case cloud(credentials: String?)
    }

    var kind: Kind
    /// nil if it is not given. A file contains its own.
    var projectID: String?
    var databaseID: String?
    /// Certificates to trust instead of the system's.
    var trustFile: String?
    /// A file with the token that is sent to a server.
    var tokenFile: String?

    /// Options take precedence over environment variables, whose order is that of apps (`DatabaseVariables`).
    init(_ options: PlaceOptions, environment: [String: String]) throws(FirestoreError) {
        let variables = DatabaseVariables(environment)
        databaseID = options.database
        trustFile = options.trust
        tokenFile = options.tokenFile ?? environment["HEARTH_TOKEN_FILE"]
        let project = options.project ?? variables.project
        if let file = options.data {
            kind = try Self.file(file, "--data")
            // The project of the file applies, not the environment's, which may be meant for something else.
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
                    "no database is given; use --data FILE, --server HOST:PORT or --cloud PROJECT, or set HEARTH_DATABASE or "
                        + "FIRESTORE_EMULATOR_HOST")
            }
        }
    }

    /// `host:port`, or an address copied from a browser: `http://` means that the connection is not encrypted,
    /// `https://` that it is.
    private static func server(_ text: String, _ origin: String, usesTLS: Bool) throws(FirestoreError) -> Kind {
        let place = "\(origin) \(text)"
        guard let colon = text.range(of: "://") else { return .server(address: text, usesTLS: usesTLS) }
        var address = String(text[colon.upperBound...])
        if address.hasSuffix("/") { address.removeLast() }
        if address.contains("/") || address.contains("?") {
            throw .invalidArgument("the address of a server has no path; use \(address.prefix { $0 != "/" && $0 != "?" })", at: place)
        }
        switch text[..<colon.lowerBound].lowercased() {
        case "http" where usesTLS: throw .invalidArgument("http:// and --tls contradict each other; omit one of them", at: place)
        case "http": return .server(address: address, usesTLS: false)
        case "https": return .server(address: address, usesTLS: true)
        default: throw .invalidArgument("the address of a server is [http://|https://]host:port; use \(address)", at: place)
        }
    }

    private static func file(_ path: String, _ origin: String) throws(FirestoreError) -> Kind {
        if path == ":memory:" {
            throw .invalidArgument(
                "a database in memory exists only as long as this command; "
                    + "name a file, or start `hearth serve --in-memory` and use --server", at: origin)
        }
        if path.isEmpty { throw .invalidArgument("the path of the database file is empty", at: origin) }
        return .file(path)
    }
}
