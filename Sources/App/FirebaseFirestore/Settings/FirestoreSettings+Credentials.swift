// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation

extension FirestoreSettings {
    /// The identity of calls to a database on a server. The embedded database needs no credentials.
    ///
    /// Credentials of Google's kinds select Google's service, unless `host` names another server. Key files are read
    /// when the database is opened, at the first read or write; if one is missing or invalid, every operation fails
    /// with a message that names the file. Tokens are fetched when they are first needed, cached, and renewed five
    /// minutes before they expire; concurrent calls share one request. A token that the server rejects is renewed once.
    /// Tokens are sent only over TLS or to a server on the same machine.
    ///
    /// Beyond the Apple SDK.
    public struct Credentials: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case automatic, none, emulatorOwner, signedInUser, applicationDefault, metadataServer
            case serviceAccount(URL, ServiceAccountSigning)
            case authorizedUser(URL)
            case token(TokenClosure)
        }

        let kind: Kind

        /// The default for the database's location: the token of the user signed in to the app, for Google's service
        /// otherwise the application default credentials, for other servers and emulators otherwise no credentials.
        public static let automatic = Credentials(kind: .automatic)
        /// No credentials.
        public static let none = Credentials(kind: .none)
        /// The administrator of the emulator or of `hearth serve`, whom security rules do not restrict. Other servers
        /// reject these credentials.
        public static let emulatorOwner = Credentials(kind: .emulatorOwner)
        /// The user signed in to the app with FirebaseAuth, at Google's service, which these credentials select. While no user is
        /// signed in, calls have no credentials; security rules decide in both cases.
        public static let signedInUser = Credentials(kind: .signedInUser)
        /// Google's application default credentials: the key file that `GOOGLE_APPLICATION_CREDENTIALS` names, then the
        /// file written by `gcloud auth application-default login`, then the metadata server of the machine.
        public static let applicationDefault = Credentials(kind: .applicationDefault)
        /// The service account of the machine, on Google Cloud. Requests tokens from `metadata.google.internal`, or
        /// from the host that `GCE_METADATA_HOST` names.
        public static let metadataServer = Credentials(kind: .metadataServer)

        /// A service account, from a key file written by the console or by `gcloud iam service-accounts keys create`.
        ///
        /// By default the key signs a request, and the token endpoint of the file exchanges it for an access token that
        /// is valid for an hour: one HTTPS request. With `.selfSigned` the key signs the token itself, without a
        /// request.
        public static func serviceAccount(_ file: URL, signing: ServiceAccountSigning = .exchanged) -> Credentials {
            Credentials(kind: .serviceAccount(file, signing))
        }

        /// A user, from the file that `gcloud auth application-default login` has written.
        public static func authorizedUser(_ file: URL) -> Credentials { Credentials(kind: .authorizedUser(file)) }

        /// Tokens from a closure, for other kinds of credentials, or for ID tokens of Firebase Authentication.
        ///
        /// The closure is called off the main actor, never twice at the same time, before the first call and then
        /// before the token expires; calls that need a token wait for it. If it throws, these calls fail with
        /// `unauthenticated`.
        public static func token(_ token: @escaping @Sendable () async throws -> AccessToken) -> Credentials {
            Credentials(kind: .token(TokenClosure(token)))
        }
    }

    /// The way in which the key of a service account authenticates calls.
    ///
    /// Beyond the Apple SDK.
    public enum ServiceAccountSigning: Hashable, Sendable {
        /// A request for an access token. The default.
        case exchanged
        /// The token that is sent with every call, with the audience `https://firestore.googleapis.com/`.
        case selfSigned
    }

    /// A token and the time it expires.
    ///
    /// Beyond the Apple SDK.
    public struct AccessToken: Hashable, Sendable {
        /// The token that is sent after `Bearer`.
        public var value: String
        /// The time from which the token is no longer valid.
        public var expires: Date

        /// A token that is valid until `expires`.
        public init(_ value: String, expires: Date) {
            self.value = value
            self.expires = expires
        }
    }
}

/// A closure that several settings can share. Two are equal if they are the same object.
final class TokenClosure: Sendable, Hashable {
    let token: @Sendable () async throws -> FirestoreSettings.AccessToken

    init(_ token: @escaping @Sendable () async throws -> FirestoreSettings.AccessToken) { self.token = token }

    static func == (left: TokenClosure, right: TokenClosure) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension FirestoreSettings.Credentials {
    /// Whether only Google's service accepts the credentials, so that they determine the database's place.
    var areGoogles: Bool {
        switch kind {
        case .automatic, .none, .emulatorOwner: false
        case .signedInUser, .applicationDefault, .metadataServer, .serviceAccount, .authorizedUser, .token: true
        }
    }

    /// The credentials in the form in which environment variables are resolved.
    var statement: DatabaseVariables.Credentials {
        if areGoogles { return .google }
        return self == .automatic ? .unspecified : .other
    }

    /// The credentials for an emulator that the environment names. Credentials meant for Google are not sent to it; a client that
    /// would be an administrator at Google is the emulator's.
    var forEmulator: FirestoreSettings.Credentials {
        switch kind {
        case .automatic, .none, .token, .signedInUser: self
        case .emulatorOwner, .applicationDefault, .metadataServer, .serviceAccount, .authorizedUser: .emulatorOwner
        }
    }

    var keyFile: URL? {
        switch kind {
        case .serviceAccount(let file, _), .authorizedUser(let file): file
        case .automatic, .none, .emulatorOwner, .signedInUser, .applicationDefault, .metadataServer, .token: nil
        }
    }
}
