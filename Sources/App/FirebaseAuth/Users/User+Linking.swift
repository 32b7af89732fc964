// SPDX-License-Identifier: Apache-2.0
import Foundation

extension User {
    /// Links a credential to the account, so that the user can sign in with it.
    ///
    /// An anonymous account becomes permanent and keeps its id.
    ///
    /// - Throws: `providerAlreadyLinked` if the account has this provider; `emailAlreadyInUse` or `credentialAlreadyInUse` if it belongs
    ///   to another account; `weakPassword`, `missingEmail`, `invalidEmail`, `requiresRecentLogin`, `networkError`.
    @discardableResult
    public func link(with credential: AuthCredential) async throws -> AuthDataResult {
        try await publicly {
            if stored.profile.providers.contains(where: { $0.providerID == credential.provider }) {
                throw AuthFailure(.providerAlreadyLinked)
            }
            let method = try credential.linkingMethod()
            let outcome = try await lane.run { () throws(AuthFailure) in
                let outcome = try await requestInLane { (backend, token) throws(AuthFailure) in
                    try await backend.signIn(method, linkingTo: token)
                }
                update(tokens: outcome.tokens)
                try await refreshProfileInLane(isAnonymous: false)
                return outcome
            }
            return AuthDataResult(user: self, outcome: outcome)
        }
    }

    /// Equivalent of ``link(with:)`` with a completion handler.
    public func link(with credential: AuthCredential, completion: AuthDataResultCallback? = nil) {
        Completion(completion).run(on: session) { try await self.link(with: credential) }
    }

    /// Unlinks a provider from the account, so that the user can no longer sign in with it.
    ///
    /// - Throws: `noSuchProvider` if the account does not have it; `requiresRecentLogin`, `networkError`.
    @discardableResult
    public func unlink(fromProvider provider: String) async throws -> User {
        try await publicly {
            guard stored.profile.providers.contains(where: { $0.providerID == provider }) else { throw AuthFailure(.noSuchProvider) }
            try await change(AccountChanges(removedProviders: [provider]))
            return self
        }
    }

    /// Equivalent of ``unlink(fromProvider:)`` with a completion handler.
    public func unlink(fromProvider provider: String, completion: ((User?, (any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await self.unlink(fromProvider: provider) }
    }

    /// Signs the user in again.
    ///
    /// Call it when an operation has failed with `requiresRecentLogin`, and repeat the operation.
    ///
    /// - Throws: `userMismatch` if the credential belongs to another user; the errors of ``Auth/signIn(with:)``.
    @discardableResult
    public func reauthenticate(with credential: AuthCredential) async throws -> AuthDataResult {
        try await publicly {
            let backend = open.backend
            let method = try credential.method()
            let outcome = try await lane.run { () throws(AuthFailure) in
                let outcome: SignInOutcome
                do throws(AuthFailure) {
                    outcome = try await backend.signIn(method, linkingTo: nil)
                } catch {
                    if error.code == .userNotFound { throw AuthFailure(.userMismatch) }
                    throw error
                }
                let profile = try await backend.lookup(outcome.tokens.idToken)
                guard profile.uid == uid else { throw AuthFailure(.userMismatch) }
                update(profile: profile, tokens: outcome.tokens)
                return outcome
            }
            return AuthDataResult(user: self, outcome: outcome)
        }
    }

    /// Equivalent of ``reauthenticate(with:)`` with a completion handler.
    public func reauthenticate(with credential: AuthCredential, completion: AuthDataResultCallback? = nil) {
        Completion(completion).run(on: session) { try await self.reauthenticate(with: credential) }
    }
}
