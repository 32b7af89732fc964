// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Creates credentials for OAuth and OpenID Connect providers.
///
/// The app obtains the tokens from the provider: Hearth does not present sign-in pages.
public final class OAuthProvider: NSObject {
    /// Creates a credential for the tokens of a provider.
    ///
    /// - Parameters:
    ///   - providerID: The provider, such as `.apple` or `.custom("oidc.example")`.
    ///   - idToken: The ID token of the provider.
    ///   - rawNonce: The nonce whose hash the ID token contains.
    ///   - accessToken: The access token of the provider, if it is required.
    public static func credential(
        providerID: AuthProviderID, idToken: String, rawNonce: String, accessToken: String? = nil
    ) -> OAuthCredential {
        credential(withProviderID: providerID.rawValue, idToken: idToken, rawNonce: rawNonce, accessToken: accessToken)
    }

    /// Creates a credential for the tokens of a provider that does not use nonces.
    public static func credential(providerID: AuthProviderID, idToken: String, accessToken: String? = nil) -> OAuthCredential {
        credential(withProviderID: providerID.rawValue, idToken: idToken, accessToken: accessToken)
    }

    /// Creates a credential for the access token of a provider.
    public static func credential(providerID: AuthProviderID, accessToken: String) -> OAuthCredential {
        credential(withProviderID: providerID.rawValue, accessToken: accessToken)
    }

    /// Creates a credential for the tokens of a provider, whose id is text.
    public class func credential(
        withProviderID providerID: String, idToken: String, rawNonce: String, accessToken: String? = nil
    ) -> OAuthCredential {
        OAuthCredential(ProviderAssertion(providerID: providerID, idToken: idToken, accessToken: accessToken, rawNonce: rawNonce))
    }

    /// Creates a credential for the tokens of a provider that does not use nonces, whose id is text.
    public class func credential(withProviderID providerID: String, idToken: String, accessToken: String? = nil) -> OAuthCredential {
        OAuthCredential(ProviderAssertion(providerID: providerID, idToken: idToken, accessToken: accessToken))
    }

    /// Creates a credential for the access token of a provider, whose id is text.
    public class func credential(withProviderID providerID: String, accessToken: String) -> OAuthCredential {
        OAuthCredential(ProviderAssertion(providerID: providerID, accessToken: accessToken))
    }

    /// Creates a credential for the ID token of Sign in with Apple.
    ///
    /// - Parameters:
    ///   - idToken: The ID token.
    ///   - rawNonce: The nonce whose hash the ID token contains.
    ///   - fullName: The user's name. It is not used: set the display name with ``User/createProfileChangeRequest()``.
    public class func appleCredential(
        withIDToken idToken: String, rawNonce: String?, fullName: PersonNameComponents?
    ) -> OAuthCredential {
        OAuthCredential(ProviderAssertion(providerID: AuthProviderID.apple.rawValue, idToken: idToken, rawNonce: rawNonce))
    }
}
