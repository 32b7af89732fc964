// SPDX-License-Identifier: Apache-2.0
import Foundation

extension User {
    // MARK: The account

    /// Gets the account from the server again.
    ///
    /// - Throws: `userNotFound`, `userDisabled` or `userTokenExpired`, which sign the user out; `networkError`.
    public func reload() async throws {
        try await publicly { try await refreshProfile() }
    }

    /// The same as ``reload()``, with a handler.
    public func reload(completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await self.reload() }
    }

    /// Deletes the account and signs out.
    ///
    /// - Throws: `requiresRecentLogin` if the last sign-in is too long ago; `networkError`.
    public func delete() async throws {
        try await publicly {
            try await perform { (backend, token) throws(AuthFailure) in try await backend.delete(token) }
            session.end(self)
        }
    }

    /// The same as ``delete()``, with a handler.
    public func delete(completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await self.delete() }
    }

    func refreshProfile(isAnonymous: Bool? = nil) async throws(AuthFailure) {
        let profile = try await perform { (backend, token) throws(AuthFailure) in try await backend.lookup(token) }
        update(profile: profile, isAnonymous: isAnonymous)
    }

    /// Changes the account, and takes over what has changed.
    func change(_ changes: AccountChanges) async throws(AuthFailure) {
        let tokens = try await perform { (backend, token) throws(AuthFailure) in try await backend.update(token, changes) }
        if let tokens { update(tokens: tokens) }
        try await refreshProfile()
    }

    // MARK: Addresses and passwords

    /// Changes the e-mail address without verifying it.
    ///
    /// - Throws: `emailAlreadyInUse`, `invalidEmail`, `requiresRecentLogin`, `emailChangeNeedsVerification`, `networkError`.
    @available(*, deprecated, message: "use sendEmailVerification(beforeUpdatingEmail:), which verifies the new address first")
    public func updateEmail(to email: String) async throws {
        try await publicly { try await change(AccountChanges(email: email)) }
    }

    /// The same as `updateEmail(to:)`, with a handler.
    @available(*, deprecated, message: "use sendEmailVerification(beforeUpdatingEmail:), which verifies the new address first")
    public func updateEmail(to email: String, completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await publicly { try await self.change(AccountChanges(email: email)) } }
    }

    /// Changes the password. Sessions on other devices end.
    ///
    /// - Throws: `weakPassword`, `requiresRecentLogin`, `operationNotAllowed`, `networkError`.
    public func updatePassword(to password: String) async throws {
        try await publicly {
            if password.isEmpty { throw AuthFailure(.weakPassword) }
            try await change(AccountChanges(password: password))
        }
    }

    /// The same as ``updatePassword(to:)``, with a handler.
    public func updatePassword(to password: String, completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await self.updatePassword(to: password) }
    }

    /// Sends a message with a link that verifies the e-mail address. After that, ``reload()`` shows the effect.
    ///
    /// - Throws: `missingEmail`, `unauthorizedDomain`, `networkError`.
    public func sendEmailVerification(with actionCodeSettings: ActionCodeSettings? = nil) async throws {
        try await publicly {
            try await perform { (backend, token) throws(AuthFailure) in
                try await backend.send(CodeMessage(kind: .verification(idToken: token), settings: actionCodeSettings?.values))
            }
        }
    }

    /// The same as ``sendEmailVerification(with:)``, with a handler.
    public func sendEmailVerification(completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await self.sendEmailVerification() }
    }

    /// The same as ``sendEmailVerification(with:)``, with a handler.
    public func sendEmailVerification(with actionCodeSettings: ActionCodeSettings, completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await self.sendEmailVerification(with: actionCodeSettings) }
    }

    /// Sends a message to a new address, with a link that verifies it and changes to it.
    ///
    /// - Throws: `invalidEmail`, `emailAlreadyInUse`, `requiresRecentLogin`, `networkError`.
    public func sendEmailVerification(
        beforeUpdatingEmail email: String, actionCodeSettings: ActionCodeSettings? = nil
    ) async throws {
        try await publicly {
            try await perform { (backend, token) throws(AuthFailure) in
                try await backend.send(
                    CodeMessage(
                        kind: .verificationBeforeChange(idToken: token, newEmail: email), settings: actionCodeSettings?.values))
            }
        }
    }

    /// The same as ``sendEmailVerification(beforeUpdatingEmail:actionCodeSettings:)``, with a handler.
    public func sendEmailVerification(
        beforeUpdatingEmail email: String, actionCodeSettings: ActionCodeSettings? = nil, completion: (((any Error)?) -> Void)? = nil
    ) {
        Completion(completion).run(on: session) {
            try await self.sendEmailVerification(beforeUpdatingEmail: email, actionCodeSettings: actionCodeSettings)
        }
    }

    // MARK: Profile

    /// Starts a change of name and picture: set the properties, then commit.
    public func createProfileChangeRequest() -> UserProfileChangeRequest { UserProfileChangeRequest(self) }
}
