// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Where a database is: in the process, on a server, at Google's (docs/decisions/0018).
enum DatabasePlace: Equatable {
    case embedded(DatabaseLocation)
    case server(address: String, usesTLS: Bool, credentials: FirestoreSettings.Credentials)
    case cloud(FirestoreSettings.Credentials)

    /// The most explicit statement takes precedence:
    ///
    /// 1. a host in the settings: that server;
    /// 2. a place for data in the settings: embedded, there;
    /// 3. `FIRESTORE_EMULATOR_HOST`: that server. It takes precedence over credentials, as in all of Google's
    ///    libraries: a test against an emulator must not reach real data;
    /// 4. credentials in the settings, then `GOOGLE_APPLICATION_CREDENTIALS`: Google's service;
    /// 5. otherwise embedded, in the file that `HEARTH_DATABASE` names or in the user's folder.
    ///
    /// The options of the app and `GOOGLE_CLOUD_PROJECT` select the project, not the place.
    static func find(
        settings: SettingsValues, databaseID: DatabaseID, environment: [String: String]
    ) throws(FirestoreError) -> DatabasePlace {
        let credentials = settings.credentials
        if !settings.host.utf8.elementsEqual(FirestoreSettings.defaultHost.utf8) {
            return .server(address: settings.host, usesTLS: settings.isSSLEnabled, credentials: credentials)
        }
        func embedded() throws(FirestoreError) -> DatabasePlace {
            .embedded(try DatabaseLocation.find(settings: settings, databaseID: databaseID, environment: environment))
        }
        if settings.storage != .automatic {
            if credentials.areGoogles {
                throw .invalidArgument(
                    "settings.storage selects the embedded database and settings.credentials Google's service; set only one of them")
            }
            return try embedded()
        }
        switch DatabaseVariables(environment).place(with: credentials.statement) {
        case .server(let address): return .server(address: address, usesTLS: false, credentials: credentials.forEmulator)
        case .cloud: return .cloud(credentials.areGoogles ? credentials : .applicationDefault)
        case .file, nil: return try embedded()
        }
    }

    /// The file of an embedded database; nil for others.
    var location: DatabaseLocation? {
        guard case .embedded(let location) = self else { return nil }
        return location
    }

    /// A line for the log.
    func description(of database: DatabaseID) -> String {
        let name = "\(database.projectID)/\(database.databaseID)"
        switch self {
        case .embedded(let location): return "embedded Firestore database \(name): \(location)"
        case .server(let address, let usesTLS, _):
            return "Firestore database \(name) on the server \(address), \(usesTLS ? "with TLS" : "without TLS")"
        case .cloud(let credentials): return "Cloud Firestore database \(name) at Google's service, as \(credentials)"
        }
    }
}

extension FirestoreSettings.Credentials: CustomStringConvertible {
    /// The kind and the file of the credentials, without secrets.
    public var description: String {
        switch kind {
        case .automatic: "the default credentials of the database's place"
        case .none: "no credentials"
        case .emulatorOwner: "the emulator's administrator"
        case .signedInUser: "the signed-in user"
        case .applicationDefault: "the application default credentials"
        case .metadataServer: "the service account of this machine"
        case .serviceAccount(let file, _): "the service account in \(file.path)"
        case .authorizedUser(let file): "the user in \(file.path)"
        case .token: "tokens from the token closure"
        }
    }
}
