// SPDX-License-Identifier: Apache-2.0

/// A user of a project.
package struct Account: Sendable, Hashable {
    package let id: String
    /// In lower case.
    package var email: String?
    package var isEmailVerified = false
    package var displayName: String?
    package var photoURL: String?
    package var phoneNumber: String?
    /// A `PasswordHash` as text; nil if the account has no password.
    package var passwordHash: String?
    /// Milliseconds since 1970.
    package var passwordUpdated: Int64?
    /// Tokens issued before this second are no longer accepted.
    package var validSince: Int64
    /// Milliseconds since 1970.
    package var created: Int64
    package var lastLogin: Int64?
    package var lastRefresh: Int64?
    package var isDisabled = false
    /// Whether the account was made by signing in with a custom token.
    package var isCustom = false
    /// Claims that an administrator has set: a JSON object as text.
    package var customAttributes: String?
    package var initialEmail: String?
    package var usesEmailLink = false
    /// The accounts of other providers that belong to this one, without password and phone, which follow from the fields above.
    package var providers: [LinkedProvider] = []

    package init(id: String, created: Int64, validSince: Int64) {
        self.id = id
        self.created = created
        self.validSince = validSince
    }

    /// Whether nothing but its tokens identifies the user.
    package var isAnonymous: Bool { email == nil && phoneNumber == nil && passwordHash == nil && providers.isEmpty && !isCustom }
}

/// The account of another provider, such as Google's, that a user has signed in with.
package struct LinkedProvider: Sendable, Hashable {
    package let id: String
    /// The user's id at the provider.
    package let rawID: String
    package var email: String?
    package var displayName: String?
    package var photoURL: String?
    package var phoneNumber: String?

    package init(id: String, rawID: String) {
        self.id = id
        self.rawID = rawID
    }
}

/// The result of a successful sign-in.
package struct SignIn: Sendable {
    package let account: Account
    package let isNew: Bool
    package let idToken: String
    package let refreshToken: String
    /// Seconds.
    package static let lifetime: Int64 = 3_600
}

/// A session: the properties that a refresh token carries into every new ID token (AU-9).
struct Session: Sendable {
    /// `firebase.sign_in_provider`.
    var provider: String
    /// The claims of a custom token: a JSON object as text.
    var claims: String?
    /// Seconds since 1970.
    var authenticated: Int64
}
