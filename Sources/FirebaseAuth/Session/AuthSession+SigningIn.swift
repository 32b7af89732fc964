// SPDX-License-Identifier: Apache-2.0

/// A user who has just signed in, or whose account was linked.
struct SignedIn: Sendable {
    let user: User
    /// nil if no request was made.
    let outcome: SignInOutcome?

    var publicForm: AuthDataResult { AuthDataResult(user: user, outcome: outcome) }
}

extension AuthSession {
    /// Signs in and makes the user the current one.
    func signIn(_ method: SignInMethod) async throws(AuthFailure) -> SignedIn {
        let backend = backend
        let outcome = try await backend.signIn(method, linkingTo: nil)
        let user = User(try await stored(outcome, method, backend), in: self)
        try become(user)
        return SignedIn(user: user, outcome: outcome)
    }

    /// The account of a user who has just signed in.
    func stored(
        _ outcome: SignInOutcome, _ method: SignInMethod, _ backend: any IdentityBackend
    ) async throws(AuthFailure) -> StoredUser {
        let profile = try await backend.lookup(outcome.tokens.idToken)
        return StoredUser(profile: profile, isAnonymous: method.isAnonymous, tokens: outcome.tokens)
    }
}

extension SignInMethod {
    var isAnonymous: Bool {
        if case .anonymous = self { return true }
        return false
    }
}
