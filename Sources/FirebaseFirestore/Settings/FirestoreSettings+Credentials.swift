import FirestoreCore
public import Foundation

extension FirestoreSettings {
    /// Who calls, for databases on servers. The embedded database asks nobody.
    ///
    /// Credentials of Google's kinds lead to Google's service, unless `host` names another server. Key files are read when
    /// the database is opened, at the first read or write; if one is missing or no good every operation fails with a message
    /// that names it. Tokens are fetched when they are first needed, kept, and renewed five minutes before they expire, once
    /// for everybody who waits; a token that the server does not take is renewed once. Tokens are sent over TLS only, but for
    /// servers on this very machine.
    public struct Credentials: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case automatic, none, emulatorOwner, applicationDefault, metadataServer
            case serviceAccount(URL, ServiceAccountSigning)
            case authorizedUser(URL)
            case token(TokenClosure)
        }

        let kind: Kind

        /// What the place calls for, the default: the administrator towards emulators and other servers without TLS, the
        /// application default credentials towards Google's service, nobody towards other servers with TLS.
        public static let automatic = Credentials(kind: .automatic)
        /// Nobody in particular.
        public static let none = Credentials(kind: .none)
        /// The administrator of the emulator or of `hearth serve`; other servers do not know it.
        public static let emulatorOwner = Credentials(kind: .emulatorOwner)
        /// What Google's tools agree upon: the key file that `GOOGLE_APPLICATION_CREDENTIALS` names, else what
        /// `gcloud auth application-default login` has left, else the metadata server of the machine.
        public static let applicationDefault = Credentials(kind: .applicationDefault)
        /// The service account of the machine itself, on Google Cloud. Asks `metadata.google.internal`, or what
        /// `GCE_METADATA_HOST` names.
        public static let metadataServer = Credentials(kind: .metadataServer)

        /// A service account, by the key file that the console or `gcloud iam service-accounts keys create` has written.
        ///
        /// By default the key signs a request, which the token endpoint of the file exchanges for an access token that is
        /// good for an hour: one HTTPS request then. With `.selfSigned` it signs the token itself, and nobody is asked.
        public static func serviceAccount(_ file: URL, signing: ServiceAccountSigning = .exchanged) -> Credentials {
            Credentials(kind: .serviceAccount(file, signing))
        }

        /// A person, by the file that `gcloud auth application-default login` has written.
        public static func authorizedUser(_ file: URL) -> Credentials { Credentials(kind: .authorizedUser(file)) }

        /// Tokens from a closure of yours: for other kinds of credentials, or ID tokens of Firebase Authentication.
        ///
        /// Called off the main actor, never twice at the same time, before the first call and then before the token
        /// expires; calls that need a token wait for it. What it throws fails them with `unauthenticated`.
        public static func token(_ token: @escaping @Sendable () async throws -> AccessToken) -> Credentials {
            Credentials(kind: .token(TokenClosure(token)))
        }
    }

    /// What the key of a service account signs.
    public enum ServiceAccountSigning: Hashable, Sendable {
        /// A request for an access token. The default.
        case exchanged
        /// The token that goes with every call, made out to `https://firestore.googleapis.com/`.
        case selfSigned
    }

    /// A token and how long it is good for.
    public struct AccessToken: Hashable, Sendable {
        /// What stands behind `Bearer`.
        public var value: String
        /// When it ends to be taken.
        public var expires: Date

        /// A token that is good until `expires`.
        public init(_ value: String, expires: Date) {
            self.value = value
            self.expires = expires
        }
    }
}

/// A closure that two settings may share. The same if it is one object.
final class TokenClosure: Sendable, Hashable {
    let token: @Sendable () async throws -> FirestoreSettings.AccessToken

    init(_ token: @escaping @Sendable () async throws -> FirestoreSettings.AccessToken) { self.token = token }

    static func == (left: TokenClosure, right: TokenClosure) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension FirestoreSettings.Credentials {
    /// Only Google's service knows them, so that they say where the database is.
    var areGoogles: Bool {
        switch kind {
        case .automatic, .none, .emulatorOwner: false
        case .applicationDefault, .metadataServer, .serviceAccount, .authorizedUser, .token: true
        }
    }

    /// What the variables of the environment are asked with.
    var statement: DatabaseVariables.Credentials {
        if areGoogles { return .google }
        return self == .automatic ? .unspecified : .other
    }

    /// What an emulator that the environment names is told: nothing that was meant for Google, but for tokens that somebody
    /// makes for it.
    var forEmulator: FirestoreSettings.Credentials {
        switch kind {
        case .none, .token: self
        case .automatic, .emulatorOwner, .applicationDefault, .metadataServer, .serviceAccount, .authorizedUser: .emulatorOwner
        }
    }

    /// The key file, if there is one.
    var keyFile: URL? {
        switch kind {
        case .serviceAccount(let file, _), .authorizedUser(let file): file
        case .automatic, .none, .emulatorOwner, .applicationDefault, .metadataServer, .token: nil
        }
    }
}
