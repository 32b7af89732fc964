// SPDX-License-Identifier: Apache-2.0

/// The result of a sign-in, below the public layer.
struct SignedIn: Sendable {
    let user: User
    /// nil if no request was made.
    let outcome: SignInOutcome?

    var publicForm: AuthDataResult { AuthDataResult(user: user, outcome: outcome) }
}

extension AuthSession {
    /// Signs in and makes the user the current one.
    func signIn(_ method: SignInMethod) async throws(AuthFailure) -> SignedIn {
        beginSignIn()
        defer { endSignIn() }
        let open = openPlace
        let outcome = try await open.backend.signIn(method, linkingTo: nil)
        let profile = try await open.backend.lookup(outcome.tokens.idToken)
        let stored = StoredUser(profile: profile, isAnonymous: method.isAnonymous, tokens: outcome.tokens)
        let user = User(stored, at: open, in: self)
        try become(user)
        return SignedIn(user: user, outcome: outcome)
    }
}

extension SignInMethod {
    var isAnonymous: Bool {
        if case .anonymous = self { return true }
        return false
    }
}
