// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreClient
import FirestoreCore
import Foundation
#if Remote
    import FirestoreRemote
    import FirestoreSync
    import Logging
#endif

/// Opens a client for a database on a server: with a cache, or without one (`CacheChoice`).
func openRemote(
    _ place: DatabasePlace, settings: SettingsValues, databaseID: DatabaseID, app: FirebaseApp
) throws(FirestoreError) -> any ClientBackend {
    #if Remote
        if case .cloud = place, equalUTF8(databaseID.projectID, FirebaseApp.fallbackProjectID) {
            throw FirestoreError(
                .failedPrecondition,
                "Google's service needs the id of your project; set FirebaseOptions.projectID or GOOGLE_CLOUD_PROJECT")
        }
        let choice = try CacheChoice.find(
            place, settings: settings, databaseID: databaseID, app: app.name, hasUsers: app.userTokens != nil)
        FirebaseConfiguration.shared.logger(label: "hearth.firestore").notice("\(choice)")
        let service = try remoteEndpoint(place, settings, app.userTokens).open(databaseID)
        if choice.kind == .off { return DirectClient(service: service) }
        return try openCached(
            choice, transport: try service.transport, service: service, settings: settings, databaseID: databaseID,
            userTokens: app.userTokens)
    #else
        throw FirestoreError(
            .unimplemented,
            "this build of Hearth has no network layer: the trait `Remote` of the package is off. The settings or the environment "
                + "ask for the \(place.description(of: databaseID)); turn the trait on, or set settings.storage to stay embedded")
    #endif
}

/// Whether a database is used with a cache, which has state before anything is read or written: a queue.
func usesCache(
    _ place: DatabasePlace, settings: SettingsValues, databaseID: DatabaseID, app: FirebaseApp
) throws(FirestoreError) -> Bool {
    #if Remote
        if case .embedded = place { return false }
        let cache = try CacheChoice.find(
            place, settings: settings, databaseID: databaseID, app: app.name, hasUsers: app.userTokens != nil)
        return cache.kind != .off
    #else
        return false
    #endif
}

/// Deletes the cache of a database on a server, with its queue of writes, unless it is in use. Data on the server stays.
func deleteCache(
    _ place: DatabasePlace, settings: SettingsValues, databaseID: DatabaseID, app: FirebaseApp
) throws(FirestoreError) {
    #if Remote
        try CacheFile(place, settings: settings, databaseID: databaseID, app: app.name).delete()
    #endif
}

/// The project of a database: the app's, or, for Google's service, that of the key file.
func projectID(
    named: String?, settings: SettingsValues, environment: [String: String], fallback: String
) -> String {
    if let named { return named }
    #if Remote
        let place = try? DatabasePlace.find(
            settings: settings, databaseID: DatabaseID(projectID: fallback), environment: environment)
        if case .cloud(let credentials)? = place,
            let project = remoteCredentials(credentials)?.projectID(CredentialSurroundings(variables: environment))
        {
            return project
        }
    #endif
    return fallback
}

#if Remote
    private func remoteEndpoint(
        _ place: DatabasePlace, _ settings: SettingsValues, _ userTokens: (any UserTokenProvider)?
    ) throws(FirestoreError) -> RemoteEndpoint {
        let trustFile = try settings.trustedCertificates.map(filePath("settings.trustedCertificates"))
        if let file = settings.credentials.keyFile { _ = try filePath("the key file in settings.credentials")(file) }
        switch place {
        case .server(let address, let usesTLS, let credentials):
            // A user who may sign in comes before what the place would call for.
            let own = remoteCredentials(credentials)
            var endpoint = try RemoteEndpoint.server(address, usesTLS: usesTLS, trustFile: trustFile, credentials: own)
            if own == nil, let userTokens { endpoint.credentials = .user(userTokenSource(userTokens, to: endpoint)) }
            return endpoint
        case .cloud(let credentials):
            var cloud = RemoteEndpoint.cloud(credentials: remoteCredentials(credentials) ?? .applicationDefault)
            if credentials == .signedInUser {
                cloud.credentials = userTokens.map { Credentials.user(userTokenSource($0, to: cloud)) } ?? Credentials.none
            }
            cloud.trustFile = trustFile
            return cloud
        case .embedded(let location):
            throw FirestoreError(.internal, "an embedded database is not reached over a network", at: "\(location)")
        }
    }

    private func filePath(_ name: String) -> (URL) throws(FirestoreError) -> String {
        { url throws(FirestoreError) in
            guard url.isFileURL else { throw .invalidArgument("\(name) must be a file URL", at: "\(url)") }
            return url.path
        }
    }

    /// nil: the default for the place.
    private func remoteCredentials(_ credentials: FirestoreSettings.Credentials) -> Credentials? {
        switch credentials.kind {
        case .automatic, .signedInUser: nil
        case .none: Credentials.none
        case .emulatorOwner: .emulatorOwner
        case .applicationDefault: .applicationDefault
        case .metadataServer: .metadataServer
        case .serviceAccount(let file, let signing):
            .serviceAccount(file: file.path, signing: signing == .selfSigned ? .selfSigned : .exchanged)
        case .authorizedUser(let file): .authorizedUser(file: file.path)
        case .token(let closure):
            .provider(
                TokenProvider {
                    let token = try await closure.token()
                    return AccessToken(token.value, expiry: microseconds(token.expires))
                })
        }
    }

    private func userTokenSource(_ provider: any UserTokenProvider, to endpoint: RemoteEndpoint) -> UserTokenSource {
        UserTokenSource(
            user: { provider.userID },
            token: { forcingRefresh in
                guard let token = try await provider.token(forcingRefresh: forcingRefresh) else { return nil }
                if token.isSecret, !endpoint.keepsSecrets {
                    throw FirestoreError(
                        .failedPrecondition,
                        "the token of the signed-in user would be sent unencrypted: turn on settings.isSSLEnabled, or sign in at a "
                            + "development server with Auth.auth().useEmulator(withHost:port:)",
                        at: "\(endpoint.host):\(endpoint.port)")
                }
                return AccessToken(token.value, expiry: microseconds(token.expires))
            },
            observe: { provider.observe($0) })
    }

    /// Microseconds since 1970, within the years that have four digits.
    private func microseconds(_ date: Date) -> Int64 {
        let seconds = date.timeIntervalSince1970
        guard seconds > 0 else { return 0 }
        return Int64(min(seconds, 253_402_300_799) * 1_000_000)
    }
#endif
