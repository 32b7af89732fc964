// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A credential that a user signs in with, created by a provider such as ``EmailAuthProvider``.
///
/// `@unchecked Sendable`, because there is a subclass: `kind` is an immutable `Sendable` value, and the subclass adds no property.
public class AuthCredential: NSObject, @unchecked Sendable {
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

    /// The id of the provider, such as `password` or `google.com`.
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
