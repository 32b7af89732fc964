// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import Foundation
import FirestoreRemote

extension Place {
    /// The purpose of opening a database.
    enum Purpose {
        /// Importing data: a file that does not exist is created.
        case create
        /// Changing data: a file that does not exist is an error, since a mistyped path is not an empty database.
        case change
        /// Reading: the file need not be writable.
        case read
    }

    /// Opens the database. `durability` applies to a file: an import that can be repeated need not wait for the disk.
    func open(_ purpose: Purpose, durability: Durability = .full, timeout: Double? = nil) throws(FirestoreError) -> OpenPlace {
        switch kind {
        case .file(let path):
            let database = try database(ofFile: path, purpose)
            var configuration = EngineConfiguration(location: .file(path: path), durability: durability, databaseID: database)
            // The log that is there may be that of a server that waits for the disk.
            configuration.logMayHaveGaps = false
            // A command does what it says, and nothing else.
            configuration.expiry.isOn = false
            if purpose == .read { configuration.isReadOnly = try DatabaseInspection.isReadOnly(path) }
            let engine = try Engine.open(configuration)
            return OpenPlace(service: engine, database: database, name: path, timeout: timeout)
        case .server(let address, _):
            let database = DatabaseID(projectID: projectID ?? DatabaseID.fallbackProject, databaseID: databaseName)
            return OpenPlace(service: try openRemote(database), database: database, name: address, timeout: timeout)
        case .cloud:
            guard let projectID = projectID ?? credentialsProject else {
                throw .invalidArgument("no project is given; use --cloud PROJECT, or set GOOGLE_CLOUD_PROJECT")
            }
            let database = DatabaseID(projectID: projectID, databaseID: databaseName)
            return OpenPlace(
                service: try openRemote(database), database: database, name: "Cloud Firestore, project \(projectID)", timeout: timeout,
                isCloud: true)
        }
    }

    var databaseName: String { databaseID ?? DatabaseID.defaultDatabase }

    /// The ids that the options name, or the ids of the file. (If they differ the engine reports it.)
    private func database(ofFile path: String, _ purpose: Purpose) throws(FirestoreError) -> DatabaseID {
        var isDirectory = ObjCBool(false)
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        if isDirectory.boolValue {
            throw .invalidArgument(
                "this is a directory; name the database file in it (hearth serve keeps them as PROJECT/_default.sqlite)", at: path)
        }
        if !exists, purpose != .create { throw FirestoreError(.notFound, "there is no such file", at: path) }
        let own = try DatabaseInspection.databaseID(of: path)
        return DatabaseID(
            projectID: projectID ?? own?.projectID ?? DatabaseID.fallbackProject, databaseID: databaseID ?? own?.databaseID ?? databaseName)
    }

    private var credentials: Credentials {
        if case .cloud(let file?) = kind { .file(file) } else { .applicationDefault }
    }

    /// Key files of service accounts name their project.
    private var credentialsProject: String? { credentials.projectID() }

    /// The content of the token file; nil without one.
    private var token: String? {
        get throws(FirestoreError) {
            guard let tokenFile else { return nil }
            guard let file = FileHandle(forReadingAtPath: tokenFile), let data = try? file.read(upToCount: 1 << 16) else {
                throw FirestoreError(.notFound, "the file with the token does not exist or cannot be read", at: tokenFile)
            }
            // A file of administrator keys may have comments and a second key; the first one is the new one.
            let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
            let words = lines.filter { !$0.hasPrefix("#") }.flatMap { $0.split(separator: " ") }
            guard let text = words.first, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw .invalidArgument("the file does not contain a token", at: tokenFile)
            }
            return String(text)
        }
    }

    /// The server, and the token to present to it; nil for another location.
    func endpoint() throws(FirestoreError) -> (server: RemoteEndpoint, token: String?)? {
        guard case .server(let address, let usesTLS) = kind else { return nil }
        let token = try token
        // The administrator of a server on the command line is not subject to its rules. A server behind TLS is not an emulator, and
        // would reject the emulator's administrator.
        let credentials = token.map { token in Credentials.provider(TokenProvider { AccessToken(token, expiry: .max) }) }
        let server = try RemoteEndpoint.server(
            address, usesTLS: usesTLS, trustFile: trustFile, credentials: credentials ?? (usesTLS ? nil : .emulatorOwner))
        return (server, token ?? (usesTLS ? nil : "owner"))
    }

    private func openRemote(_ database: DatabaseID) throws(FirestoreError) -> any DocumentService {
        if let endpoint = try endpoint() { return try endpoint.server.open(database) }
        return try RemoteEndpoint.cloud(credentials: credentials).open(database)
    }
}
