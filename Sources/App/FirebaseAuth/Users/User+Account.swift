// SPDX-License-Identifier: Apache-2.0
import Foundation

extension User {
    // MARK: The account

    /// Reloads the account from the server.
    ///
    /// - Throws: `userNotFound`, `userDisabled` or `userTokenExpired`, which sign the user out; `networkError`.
    public func reload() async throws {
        try await publicly { try await refreshProfile() }
    }

    /// Equivalent of ``reload()`` with a completion handler.
    public func reload(completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await self.reload() }
    }

    /// Deletes the account and signs out.
    ///
    /// - Throws: `requiresRecentLogin` if the user signed in too long ago; `networkError`.
    public func delete() async throws {
        try await publicly {
            try await lane.run { () throws(AuthFailure) in
                try await requestInLane { (backend, token) throws(AuthFailure) in try await backend.delete(token) }
                session.end(self)
            }
        }
    }

    /// Equivalent of ``delete()`` with a completion handler.
    public func delete(completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await self.delete() }
    }

    func refreshProfile() async throws(AuthFailure) {
        update(profile: try await perform { (backend, token) throws(AuthFailure) in try await backend.lookup(token) })
    }

    func refreshProfileInLane(isAnonymous: Bool? = nil) async throws(AuthFailure) {
        let profile = try await requestInLane { (backend, token) throws(AuthFailure) in try await backend.lookup(token) }
        update(profile: profile, isAnonymous: isAnonymous)
    }

    /// Changes the account, and applies the changes to this user.
    func change(_ changes: AccountChanges) async throws(AuthFailure) {
        try await lane.run { () throws(AuthFailure) in
            let tokens = try await requestInLane { (backend, token) throws(AuthFailure) in try await backend.update(token, changes) }
            if let tokens { update(tokens: tokens) }
            try await refreshProfileInLane()
        }
    }

    // MARK: Addresses and passwords

    /// Changes the e-mail address without verifying it.
    ///
    /// - Throws: `emailAlreadyInUse`, `invalidEmail`, `requiresRecentLogin`, `emailChangeNeedsVerification`, `networkError`.
    @available(*, deprecated, message: "use sendEmailVerification(beforeUpdatingEmail:), which verifies the new address first")
    public func updateEmail(to email: String) async throws {
        try await publicly { try await change(AccountChanges(email: email)) }
    }

    /// Equivalent of `updateEmail(to:)` with a completion handler.
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

    /// Equivalent of ``updatePassword(to:)`` with a completion handler.
    public func updatePassword(to password: String, completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await self.updatePassword(to: password) }
    }

    /// Sends an e-mail message with a link that verifies the address.
    ///
    /// Call ``reload()`` after the user has opened the link.
    ///
    /// - Throws: `missingEmail`, `unauthorizedDomain`, `networkError`.
    public func sendEmailVerification(with actionCodeSettings: ActionCodeSettings? = nil) async throws {
        try await publicly {
            try await perform { (backend, token) throws(AuthFailure) in
                try await backend.send(CodeMessage(kind: .verification(idToken: token), settings: actionCodeSettings?.values))
            }
        }
    }

    /// Equivalent of ``sendEmailVerification(with:)`` with a completion handler.
    public func sendEmailVerification(completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await self.sendEmailVerification() }
    }

    /// Equivalent of ``sendEmailVerification(with:)`` with a completion handler.
    public func sendEmailVerification(with actionCodeSettings: ActionCodeSettings, completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await self.sendEmailVerification(with: actionCodeSettings) }
    }

    /// Sends an e-mail message to a new address. Opening its link verifies the address and changes the account to it.
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

    /// Equivalent of ``sendEmailVerification(beforeUpdatingEmail:actionCodeSettings:)`` with a completion handler.
    public func sendEmailVerification(
        beforeUpdatingEmail email: String, actionCodeSettings: ActionCodeSettings? = nil, completion: (((any Error)?) -> Void)? = nil
    ) {
        Completion(completion).run(on: session) {
            try await self.sendEmailVerification(beforeUpdatingEmail: email, actionCodeSettings: actionCodeSettings)
        }
    }

    // MARK: Profile

    /// Returns a request that changes the user's name and picture.
    ///
    /// Set its properties, then call ``UserProfileChangeRequest/commitChanges()``.
    public func createProfileChangeRequest() -> UserProfileChangeRequest { UserProfileChangeRequest(self) }
}
