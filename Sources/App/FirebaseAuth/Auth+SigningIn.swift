// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Auth {
    // MARK: Signing in

    /// Signs in as an anonymous user.
    ///
    /// If the current user is anonymous, that user is returned without a request. Otherwise a new account replaces the current user.
    /// Concurrent calls return the same account.
    ///
    /// - Throws: `operationNotAllowed` or `adminRestrictedOperation` if the server does not allow anonymous users; `networkError`.
    @discardableResult
    public func signInAnonymously() async throws -> AuthDataResult {
        try await publicly { try await session.signInAnonymously().publicForm }
    }

    /// Equivalent of ``signInAnonymously()`` with a completion handler.
    public func signInAnonymously(completion: AuthDataResultCallback? = nil) {
        Completion(completion).run(on: session, signsIn: true) { try await self.signInAnonymously() }
    }

    /// Creates an account with an e-mail address and a password, and signs in.
    ///
    /// - Throws: `emailAlreadyInUse`, `invalidEmail`, `weakPassword`, `missingEmail`, `operationNotAllowed`, `networkError`.
    @discardableResult
    public func createUser(withEmail email: String, password: String) async throws -> AuthDataResult {
        try await publicly { try await session.signIn(.creating(email, password)).publicForm }
    }

    /// Equivalent of ``createUser(withEmail:password:)`` with a completion handler.
    public func createUser(withEmail email: String, password: String, completion: AuthDataResultCallback? = nil) {
        Completion(completion).run(on: session, signsIn: true) { try await self.createUser(withEmail: email, password: password) }
    }

    /// Signs in with an e-mail address and a password.
    ///
    /// - Throws: `userNotFound` or `wrongPassword`, or `invalidCredential` for both where the server does not distinguish them;
    ///   `invalidEmail`, `userDisabled`, `tooManyRequests`, `operationNotAllowed`, `networkError`.
    @discardableResult
    public func signIn(withEmail email: String, password: String) async throws -> AuthDataResult {
        try await signIn(with: EmailAuthProvider.credential(withEmail: email, password: password))
    }

    /// Equivalent of ``signIn(withEmail:password:)`` with a completion handler.
    public func signIn(withEmail email: String, password: String, completion: AuthDataResultCallback? = nil) {
        Completion(completion).run(on: session, signsIn: true) { try await self.signIn(withEmail: email, password: password) }
    }

    /// Signs in with an e-mail address and the link of a message from ``sendSignInLink(toEmail:actionCodeSettings:)``.
    ///
    /// - Throws: `invalidActionCode`, `expiredActionCode`, `invalidEmail`, `userDisabled`, `operationNotAllowed`, `networkError`.
    @discardableResult
    public func signIn(withEmail email: String, link: String) async throws -> AuthDataResult {
        try await signIn(with: EmailAuthProvider.credential(withEmail: email, link: link))
    }

    /// Equivalent of ``signIn(withEmail:link:)`` with a completion handler.
    public func signIn(withEmail email: String, link: String, completion: AuthDataResultCallback? = nil) {
        Completion(completion).run(on: session, signsIn: true) { try await self.signIn(withEmail: email, link: link) }
    }

    /// Signs in with a custom token, which a server of the app has signed.
    ///
    /// Development servers and local accounts also accept plain JSON: `{"uid": "ada", "claims": {"admin": true}}`.
    ///
    /// - Throws: `invalidCustomToken`, `customTokenMismatch`, `userDisabled`, `networkError`.
    @discardableResult
    public func signIn(withCustomToken token: String) async throws -> AuthDataResult {
        try await publicly { try await session.signIn(.customToken(token)).publicForm }
    }

    /// Equivalent of ``signIn(withCustomToken:)`` with a completion handler.
    public func signIn(withCustomToken token: String, completion: AuthDataResultCallback? = nil) {
        Completion(completion).run(on: session, signsIn: true) { try await self.signIn(withCustomToken: token) }
    }

    /// Signs in with a credential of a provider.
    ///
    /// - Throws: `invalidCredential`, `operationNotAllowed`, `userDisabled`, `networkError`; `accountExistsWithDifferentCredential` if
    ///   the e-mail address belongs to an account with another provider.
    @discardableResult
    public func signIn(with credential: AuthCredential) async throws -> AuthDataResult {
        try await publicly { try await session.signIn(credential.method()).publicForm }
    }

    /// Equivalent of ``signIn(with:)`` with a completion handler.
    public func signIn(with credential: AuthCredential, completion: AuthDataResultCallback? = nil) {
        Completion(completion).run(on: session, signsIn: true) { try await self.signIn(with: credential) }
    }

    // MARK: The current user

    /// Signs the current user out. Makes no request, and does nothing if no user is signed in.
    ///
    /// An anonymous user cannot sign in to the same account again.
    ///
    /// - Throws: `keychainError` if the stored user cannot be removed.
    public func signOut() throws {
        do throws(AuthFailure) {
            try session.become(nil)
        } catch {
            throw error.publicError
        }
    }

    /// Sets the current user to a user who signed in earlier.
    ///
    /// A request to the server confirms first that the user's session is still valid.
    ///
    /// - Throws: `nullUser` if the user is nil; `tenantIDMismatch` if the user belongs to another tenant than ``tenantID``;
    ///   `userTokenExpired`, `userDisabled` or `userNotFound` if the session has ended; `networkError`.
    public func updateCurrentUser(_ user: User?) async throws {
        try await publicly {
            guard let user else { throw AuthFailure(.nullUser) }
            guard user.tenantID == tenantID else { throw AuthFailure(.tenantIDMismatch) }
            session.beginSignIn()
            defer { session.endSignIn() }
            let profile = try await user.perform { (backend, token) throws(AuthFailure) in try await backend.lookup(token) }
            var stored = user.stored
            stored.profile = profile
            try session.become(user.session === session ? user.updated(profile) : User(stored, at: user.open, in: session))
        }
    }

    /// Equivalent of ``updateCurrentUser(_:)`` with a completion handler.
    public func updateCurrentUser(_ user: User?, completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session, signsIn: true) { try await self.updateCurrentUser(user) }
    }

    /// Revokes the tokens that Sign in with Apple has issued to the app for the current user. Call it before ``User/delete()``.
    ///
    /// Only Google's service does so: it has the keys of the app's registration with Apple.
    ///
    /// - Parameter authorizationCode: The authorization code of a sign-in with Apple, made for this purpose.
    /// - Throws: `nullUser` if no user is signed in; `operationNotAllowed` with other accounts than Google's; `networkError`.
    public func revokeToken(withAuthorizationCode authorizationCode: String) async throws {
        try await publicly {
            guard let user = session.current else { throw AuthFailure(.nullUser) }
            try await user.perform { (backend, token) throws(AuthFailure) in
                try await backend.revoke(authorizationCode: authorizationCode, token)
            }
        }
    }

    /// Equivalent of ``revokeToken(withAuthorizationCode:)`` with a completion handler.
    public func revokeToken(withAuthorizationCode authorizationCode: String, completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await self.revokeToken(withAuthorizationCode: authorizationCode) }
    }
}
