// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Auth {
    // MARK: Signing in

    /// Signs in without asking for anything.
    ///
    /// If the current user is anonymous, this is that user, without a request. Otherwise a new account replaces the current user.
    /// Concurrent calls get the same account.
    ///
    /// - Throws: `operationNotAllowed` or `adminRestrictedOperation` if the server does not allow it; `networkError`.
    @discardableResult
    public func signInAnonymously() async throws -> AuthDataResult {
        try await publicly { try await session.signInAnonymously().publicForm }
    }

    /// The same as ``signInAnonymously()``, with a handler.
    public func signInAnonymously(completion: AuthDataResultCallback? = nil) {
        Completion(completion).run(on: session) { try await self.signInAnonymously() }
    }

    /// Creates an account with an e-mail address and a password, and signs in.
    ///
    /// - Throws: `emailAlreadyInUse`, `invalidEmail`, `weakPassword`, `missingEmail`, `operationNotAllowed`, `networkError`.
    @discardableResult
    public func createUser(withEmail email: String, password: String) async throws -> AuthDataResult {
        try await publicly { try await session.signIn(.creating(email, password)).publicForm }
    }

    /// The same as ``createUser(withEmail:password:)``, with a handler.
    public func createUser(withEmail email: String, password: String, completion: AuthDataResultCallback? = nil) {
        Completion(completion).run(on: session) { try await self.createUser(withEmail: email, password: password) }
    }

    /// Signs in with an e-mail address and a password.
    ///
    /// - Throws: `userNotFound` or `wrongPassword`, or `invalidCredential` for both where the server does not tell them apart;
    ///   `invalidEmail`, `userDisabled`, `tooManyRequests`, `operationNotAllowed`, `networkError`.
    @discardableResult
    public func signIn(withEmail email: String, password: String) async throws -> AuthDataResult {
        try await signIn(with: EmailAuthProvider.credential(withEmail: email, password: password))
    }

    /// The same as ``signIn(withEmail:password:)``, with a handler.
    public func signIn(withEmail email: String, password: String, completion: AuthDataResultCallback? = nil) {
        Completion(completion).run(on: session) { try await self.signIn(withEmail: email, password: password) }
    }

    /// Signs in with an e-mail address and the link that ``sendSignInLink(toEmail:actionCodeSettings:)`` has sent to it.
    ///
    /// - Throws: `invalidActionCode`, `expiredActionCode`, `invalidEmail`, `userDisabled`, `operationNotAllowed`, `networkError`.
    @discardableResult
    public func signIn(withEmail email: String, link: String) async throws -> AuthDataResult {
        try await signIn(with: EmailAuthProvider.credential(withEmail: email, link: link))
    }

    /// The same as ``signIn(withEmail:link:)``, with a handler.
    public func signIn(withEmail email: String, link: String, completion: AuthDataResultCallback? = nil) {
        Completion(completion).run(on: session) { try await self.signIn(withEmail: email, link: link) }
    }

    /// Signs in with a token that a server of the app has signed.
    ///
    /// Development servers and local accounts also accept plain JSON: `{"uid": "ada", "claims": {"admin": true}}`.
    ///
    /// - Throws: `invalidCustomToken`, `customTokenMismatch`, `userDisabled`, `networkError`.
    @discardableResult
    public func signIn(withCustomToken token: String) async throws -> AuthDataResult {
        try await publicly { try await session.signIn(.customToken(token)).publicForm }
    }

    /// The same as ``signIn(withCustomToken:)``, with a handler.
    public func signIn(withCustomToken token: String, completion: AuthDataResultCallback? = nil) {
        Completion(completion).run(on: session) { try await self.signIn(withCustomToken: token) }
    }

    /// Signs in with a credential of a provider.
    ///
    /// - Throws: `invalidCredential`, `operationNotAllowed`, `userDisabled`, `networkError`; `accountExistsWithDifferentCredential` if
    ///   the e-mail address belongs to an account with another provider.
    @discardableResult
    public func signIn(with credential: AuthCredential) async throws -> AuthDataResult {
        try await publicly { try await session.signIn(credential.method()).publicForm }
    }

    /// The same as ``signIn(with:)``, with a handler.
    public func signIn(with credential: AuthCredential, completion: AuthDataResultCallback? = nil) {
        Completion(completion).run(on: session) { try await self.signIn(with: credential) }
    }

    // MARK: The current user

    /// Signs out. Without a signed-in user it does nothing. No request is made.
    ///
    /// An anonymous account cannot be signed in to again.
    ///
    /// - Throws: `keychainError` if the stored user cannot be removed.
    public func signOut() throws {
        do throws(AuthFailure) {
            try session.become(nil)
        } catch {
            throw error.publicError
        }
    }

    /// Makes a user the current one who has signed in before, after a check with the server.
    ///
    /// - Throws: `nullUser` without a user; `tenantIDMismatch` if the user belongs to another tenant than ``tenantID``;
    ///   `userTokenExpired` and others if the session of the user has ended; `networkError`.
    public func updateCurrentUser(_ user: User?) async throws {
        try await publicly {
            guard let user else { throw AuthFailure(.nullUser) }
            guard user.tenantID == tenantID else { throw AuthFailure(.tenantIDMismatch) }
            let profile = try await user.perform { (backend, token) throws(AuthFailure) in try await backend.lookup(token) }
            var stored = user.stored
            stored.profile = profile
            try session.become(user.session === session ? user.updated(profile) : User(stored, at: user.open, in: session))
        }
    }

    /// The same as ``updateCurrentUser(_:)``, with a handler.
    public func updateCurrentUser(_ user: User?, completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await self.updateCurrentUser(user) }
    }
}
