// SPDX-License-Identifier: Apache-2.0

/// A store of accounts: a server of the Identity Toolkit, or this process.
protocol IdentityBackend: Sendable {
    /// Signs in, or links the way of signing in to the account that `idToken` belongs to.
    func signIn(_ method: SignInMethod, linkingTo idToken: String?) async throws(AuthFailure) -> SignInOutcome
    func refresh(_ refreshToken: String) async throws(AuthFailure) -> IDTokens
    func lookup(_ idToken: String) async throws(AuthFailure) -> AccountProfile
    func update(_ idToken: String, _ changes: AccountChanges) async throws(AuthFailure) -> IDTokens?
    func delete(_ idToken: String) async throws(AuthFailure)
    func send(_ message: CodeMessage) async throws(AuthFailure)
    /// Redeems a code and returns its content. With a password the code is used to set it.
    func redeem(_ code: String, newPassword: String?) async throws(AuthFailure) -> CodeContent
    /// Uses a code of another kind.
    func apply(_ code: String) async throws(AuthFailure)
    func signInMethods(of email: String) async throws(AuthFailure) -> [String]
    /// Revokes the tokens of Sign in with Apple that belong to the code.
    func revoke(authorizationCode: String, _ idToken: String) async throws(AuthFailure)
}

/// A pair of tokens.
struct IDTokens: Sendable, Hashable, Codable {
    /// Identifies the user to servers.
    var idToken: String
    /// Requests the next ID token.
    var refreshToken: String
    /// Microseconds since 1970.
    var expiry: Int64
}

/// A successful sign-in.
struct SignInOutcome: Sendable {
    var tokens: IDTokens
    var isNewUser = false
    /// The provider, and the user's profile there as JSON.
    var providerID: String?
    var rawUserInfo: String?
    var username: String?
    /// The credential that an identity provider has issued in exchange.
    var credential: AuthCredential?
}

/// An account as the server describes it.
struct AccountProfile: Sendable, Hashable, Codable {
    var uid: String
    var email: String?
    var isEmailVerified = false
    var displayName: String?
    var photoURL: String?
    var phoneNumber: String?
    var tenantID: String?
    var hasPassword = false
    var providers: [ProviderProfile] = []
    /// Milliseconds since 1970.
    var createdAt: Int64?
    var lastSignInAt: Int64?
}

/// A user's profile at a provider.
struct ProviderProfile: Sendable, Hashable, Codable {
    var providerID: String
    var uid: String
    var email: String?
    var displayName: String?
    var photoURL: String?
    var phoneNumber: String?
}

/// Changes of an account. A field that is nil stays.
struct AccountChanges: Sendable {
    enum Text: Sendable, Hashable {
        case set(String)
        case removed
    }

    var email: String?
    var password: String?
    var displayName: Text?
    var photoURL: Text?
    var removedProviders: [String] = []
}

/// A request for an e-mail message with a code.
struct CodeMessage: Sendable {
    enum Kind: Sendable {
        case passwordReset(email: String)
        case signIn(email: String)
        case verification(idToken: String)
        case verificationBeforeChange(idToken: String, newEmail: String)
    }

    var kind: Kind
    var settings: ActionCodeSettings.Values?
}
