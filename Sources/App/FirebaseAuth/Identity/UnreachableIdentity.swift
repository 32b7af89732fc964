// SPDX-License-Identifier: Apache-2.0
#if !Remote
    /// An accounts server that this build cannot reach.
    struct UnreachableIdentity: IdentityBackend {
        private static let failure = AuthFailure(
            .operationNotAllowed,
            "this build of Hearth cannot reach an accounts server, because the package trait `Remote` is disabled; enable it, or leave out "
                + "useEmulator(withHost:port:) to keep local accounts")

        func signIn(_ method: SignInMethod, linkingTo idToken: String?) async throws(AuthFailure) -> SignInOutcome { throw Self.failure }
        func refresh(_ refreshToken: String) async throws(AuthFailure) -> IDTokens { throw Self.failure }
        func lookup(_ idToken: String) async throws(AuthFailure) -> AccountProfile { throw Self.failure }
        func update(_ idToken: String, _ changes: AccountChanges) async throws(AuthFailure) -> IDTokens? { throw Self.failure }
        func delete(_ idToken: String) async throws(AuthFailure) { throw Self.failure }
        func send(_ message: CodeMessage) async throws(AuthFailure) { throw Self.failure }
        func redeem(_ code: String, newPassword: String?) async throws(AuthFailure) -> CodeContent { throw Self.failure }
        func apply(_ code: String) async throws(AuthFailure) { throw Self.failure }
        func signInMethods(of email: String) async throws(AuthFailure) -> [String] { throw Self.failure }
        func revoke(authorizationCode: String, _ idToken: String) async throws(AuthFailure) { throw Self.failure }
    }
#endif
