// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A credential with the tokens of an OAuth or OpenID Connect provider.
///
/// `@unchecked Sendable`: adds no stored property to its superclass.
public final class OAuthCredential: AuthCredential, @unchecked Sendable {
    init(_ assertion: ProviderAssertion) { super.init(.provider(assertion)) }

    private var assertion: ProviderAssertion? {
        if case .provider(let assertion) = kind { assertion } else { nil }
    }

    /// The ID token of the provider.
    public var idToken: String? { assertion?.idToken }
    /// The access token of the provider.
    public var accessToken: String? { assertion?.accessToken }
    /// The secret of the access token, which only OAuth 1.0 has.
    public var secret: String? { assertion?.secret }
}
