// SPDX-License-Identifier: Apache-2.0
/// A way to sign in.
enum SignInMethod: Sendable {
    case anonymous
    case newAccount(email: String, password: String)
    case password(email: String, password: String)
    case emailLink(email: String, code: String)
    case customToken(String)
    case provider(ProviderAssertion)
}

/// The tokens that an identity provider has issued to the app.
struct ProviderAssertion: Sendable, Hashable {
    var providerID: String
    var idToken: String?
    var accessToken: String?
    var rawNonce: String?
    /// The secret of an access token, of OAuth 1.0.
    var secret: String?
}
