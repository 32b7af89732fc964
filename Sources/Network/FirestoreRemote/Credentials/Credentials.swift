// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The caller's identity, as presented to a server. Nothing is read or requested before an endpoint is opened.
package enum Credentials: Sendable, Hashable {
    /// The caller is anonymous.
    case none
    /// The administrator of an emulator or of `hearth serve` (SE-2). Real servers do not accept it.
    case emulatorOwner
    /// Google's order: the file in `GOOGLE_APPLICATION_CREDENTIALS`, else the file of `gcloud auth application-default login`, else
    /// the metadata server of the machine.
    case applicationDefault
    /// A key file of any supported type: a service account's key or a person's refresh token.
    case file(String)
    case serviceAccount(file: String, signing: Signing = .exchanged)
    case authorizedUser(file: String)
    /// The service account of the machine, on Google Cloud.
    case metadataServer
    /// Tokens from a closure.
    case provider(TokenProvider)
    /// Tokens of the user who is signed in to the app; anonymous while no user is.
    case user(UserTokenSource)

    /// What a service account's key signs.
    package enum Signing: Sendable, Hashable {
        /// A request to the token endpoint of the key file, which answers with an access token.
        case exchanged
        /// The access token itself: no endpoint is called.
        case selfSigned
    }
}

extension Credentials {
    /// Whether the tokens must not be sent unencrypted. Those of a user may come from an emulator: their source decides.
    var areAlwaysSecret: Bool {
        switch self {
        case .none, .emulatorOwner, .user: false
        case .applicationDefault, .file, .serviceAccount, .authorizedUser, .metadataServer, .provider: true
        }
    }
}

/// A token that a server accepts for a limited time.
package struct AccessToken: Sendable {
    package var value: String
    /// Microseconds since 1970.
    package var expiry: Int64

    package init(_ value: String, expiry: Int64) {
        self.value = value
        self.expiry = expiry
    }
}

extension AccessToken {
    /// No token: a call without credentials. Valid until the caller changes.
    static let anonymous = AccessToken("", expiry: .max)

    var isAnonymous: Bool { value.isEmpty }
}

/// Provides tokens of the signed-in user. Two are equal if they are the same object.
package final class UserTokenSource: Sendable, Hashable {
    let user: @Sendable () -> String?
    let token: @Sendable (_ forcingRefresh: Bool) async throws -> AccessToken?
    let observe: @Sendable (_ body: @escaping @Sendable () -> Void) -> any Sendable

    /// `user`: the id of the signed-in user now.
    package init(
        user: @escaping @Sendable () -> String?, token: @escaping @Sendable (_ forcingRefresh: Bool) async throws -> AccessToken?,
        observe: @escaping @Sendable (_ body: @escaping @Sendable () -> Void) -> any Sendable
    ) {
        self.user = user
        self.token = token
        self.observe = observe
    }

    package static func == (left: UserTokenSource, right: UserTokenSource) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A closure that provides tokens. Two are equal if they are the same object.
package final class TokenProvider: Sendable, Hashable {
    let token: @Sendable () async throws -> AccessToken

    package init(_ token: @escaping @Sendable () async throws -> AccessToken) { self.token = token }

    package static func == (left: TokenProvider, right: TokenProvider) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
