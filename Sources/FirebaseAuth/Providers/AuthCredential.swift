// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A proof of who a user is, made by a provider such as ``EmailAuthProvider``.
public final class AuthCredential: NSObject, Sendable {
    enum Kind: Sendable, Hashable {
        case password(email: String, password: String)
        case emailLink(email: String, link: String)
        case provider(ProviderAssertion)
    }

    let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
        super.init()
    }

    /// The provider: `password`, `google.com` and so on.
    public var provider: String {
        switch kind {
        case .password, .emailLink: EmailAuthProvider.id
        case .provider(let assertion): assertion.providerID
        }
    }

    /// How to sign in with it.
    func method() throws(AuthFailure) -> SignInMethod {
        switch kind {
        case .password(let email, let password):
            if password.isEmpty { throw AuthFailure(.wrongPassword, "the password is empty") }
            return .password(email: email, password: password)
        case .emailLink(let email, let link): return .emailLink(email: email, code: try SignInLink.code(in: link))
        case .provider(let assertion): return .provider(assertion)
        }
    }

    /// How to add it to an account.
    func linkingMethod() throws(AuthFailure) -> SignInMethod {
        guard case .password(let email, let password) = kind else { return try method() }
        return try .creating(email, password)
    }
}

extension SignInMethod {
    /// A new account, or a password for an account without one.
    static func creating(_ email: String, _ password: String) throws(AuthFailure) -> SignInMethod {
        if password.isEmpty { throw AuthFailure(.weakPassword, "the password is empty; it needs at least 6 characters") }
        if email.isEmpty { throw AuthFailure(.missingEmail) }
        return .newAccount(email: email, password: password)
    }
}

/// Credentials of e-mail addresses.
public final class EmailAuthProvider: NSObject {
    /// `password`.
    public static let id = "password"

    /// A credential for an address and its password.
    public class func credential(withEmail email: String, password: String) -> AuthCredential {
        AuthCredential(.password(email: email, password: password))
    }

    /// A credential for an address and the link that was sent to it.
    public class func credential(withEmail email: String, link: String) -> AuthCredential {
        AuthCredential(.emailLink(email: email, link: link))
    }
}

/// Credentials of providers that speak OAuth or OpenID Connect.
///
/// The app obtains the provider's tokens itself: there is no browser on a server, and Hearth has no interface of its own for it.
public final class OAuthProvider: NSObject {
    /// A credential for tokens of a provider.
    ///
    /// - Parameters:
    ///   - providerID: The provider, such as `apple.com` or `oidc.example`.
    ///   - idToken: The ID token of the provider.
    ///   - rawNonce: The nonce whose hash the ID token contains.
    ///   - accessToken: The access token of the provider, if it is needed.
    public class func credential(
        providerID: String, idToken: String, rawNonce: String, accessToken: String? = nil
    ) -> AuthCredential {
        AuthCredential(
            .provider(ProviderAssertion(providerID: providerID, idToken: idToken, accessToken: accessToken, rawNonce: rawNonce)))
    }

    /// A credential for tokens of a provider that does not use nonces.
    public class func credential(providerID: String, idToken: String, accessToken: String? = nil) -> AuthCredential {
        AuthCredential(.provider(ProviderAssertion(providerID: providerID, idToken: idToken, accessToken: accessToken)))
    }

    /// A credential for an access token.
    public class func credential(providerID: String, accessToken: String) -> AuthCredential {
        AuthCredential(.provider(ProviderAssertion(providerID: providerID, accessToken: accessToken)))
    }

    /// A credential for the ID token of Sign in with Apple.
    ///
    /// - Parameters:
    ///   - idToken: The ID token.
    ///   - rawNonce: The nonce whose hash the ID token contains.
    ///   - fullName: Accepted and unused: it is sent by the Apple SDK only, where the system provides it.
    public class func appleCredential(
        withIDToken idToken: String, rawNonce: String?, fullName: PersonNameComponents?
    ) -> AuthCredential {
        AuthCredential(.provider(ProviderAssertion(providerID: "apple.com", idToken: idToken, rawNonce: rawNonce)))
    }
}

/// Credentials of Google accounts.
public final class GoogleAuthProvider: NSObject {
    /// `google.com`.
    public static let id = "google.com"

    /// A credential for tokens of Google.
    public class func credential(withIDToken idToken: String, accessToken: String) -> AuthCredential {
        AuthCredential(.provider(ProviderAssertion(providerID: id, idToken: idToken, accessToken: accessToken)))
    }
}
