import FirestoreCore

/// Who calls, as far as a server is to be told. Nothing is read or asked for before an endpoint is opened.
package enum Credentials: Sendable, Hashable {
    /// Nobody in particular.
    case none
    /// The administrator of an emulator or of `hearth serve` (SE-2). Real servers do not know it.
    case emulatorOwner
    /// What Google's tools agree upon: the file in `GOOGLE_APPLICATION_CREDENTIALS`, else the one of
    /// `gcloud auth application-default login`, else the metadata server of the machine.
    case applicationDefault
    /// A key file, whatever it holds: a service account's key or a person's refresh token.
    case file(String)
    case serviceAccount(file: String, signing: Signing = .exchanged)
    case authorizedUser(file: String)
    /// The machine's own service account, on Google Cloud.
    case metadataServer
    /// Tokens that somebody else knows to get.
    case provider(TokenProvider)

    /// What a service account's key signs.
    package enum Signing: Sendable, Hashable {
        /// A request to the token endpoint of the key file, which answers with an access token.
        case exchanged
        /// The token itself: nobody is asked.
        case selfSigned
    }
}

/// A token that a server takes for a while.
package struct AccessToken: Sendable {
    package var value: String
    /// Microseconds since 1970.
    package var expiry: Int64

    package init(_ value: String, expiry: Int64) {
        self.value = value
        self.expiry = expiry
    }
}

/// A closure that gets tokens. Two are the same if they are one object.
package final class TokenProvider: Sendable, Hashable {
    let token: @Sendable () async throws -> AccessToken

    package init(_ token: @escaping @Sendable () async throws -> AccessToken) { self.token = token }

    package static func == (left: TokenProvider, right: TokenProvider) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
