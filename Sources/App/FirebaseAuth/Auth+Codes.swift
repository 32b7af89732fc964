// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Auth {
    // MARK: Passwords

    /// Sends an e-mail message with a link to set a new password.
    ///
    /// A development server prints the link and lists its code instead.
    ///
    /// - Throws: `userNotFound`, unless the server keeps addresses private; `missingEmail`, `invalidEmail`, `networkError`.
    public func sendPasswordReset(withEmail email: String, actionCodeSettings: ActionCodeSettings? = nil) async throws {
        try await publicly {
            if email.isEmpty { throw AuthFailure(.missingEmail) }
            try await session.openPlace.backend.send(CodeMessage(kind: .passwordReset(email: email), settings: actionCodeSettings?.values))
        }
    }

    /// Equivalent of ``sendPasswordReset(withEmail:actionCodeSettings:)`` with a completion handler.
    public func sendPasswordReset(withEmail email: String, completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await self.sendPasswordReset(withEmail: email) }
    }

    /// Equivalent of ``sendPasswordReset(withEmail:actionCodeSettings:)`` with a completion handler.
    public func sendPasswordReset(
        withEmail email: String, actionCodeSettings: ActionCodeSettings?, completion: (((any Error)?) -> Void)? = nil
    ) {
        Completion(completion).run(on: session) {
            try await self.sendPasswordReset(withEmail: email, actionCodeSettings: actionCodeSettings)
        }
    }

    /// Sets a new password with the code of a password-reset message.
    ///
    /// - Throws: `invalidActionCode`, `expiredActionCode`, `weakPassword`, `userDisabled`, `networkError`.
    public func confirmPasswordReset(withCode code: String, newPassword: String) async throws {
        try await publicly {
            if newPassword.isEmpty { throw AuthFailure(.weakPassword) }
            _ = try await session.openPlace.backend.redeem(code, newPassword: newPassword)
        }
    }

    /// Equivalent of ``confirmPasswordReset(withCode:newPassword:)`` with a completion handler.
    public func confirmPasswordReset(withCode code: String, newPassword: String, completion: @escaping ((any Error)?) -> Void) {
        Completion(completion).run(on: session) { try await self.confirmPasswordReset(withCode: code, newPassword: newPassword) }
    }

    /// Returns the e-mail address of the account whose password a code can set. The code remains valid.
    ///
    /// - Throws: `invalidActionCode`, `expiredActionCode`, `networkError`.
    public func verifyPasswordResetCode(_ code: String) async throws -> String {
        let info = try await checkActionCode(code)
        guard info.operation == .passwordReset else {
            throw AuthFailure(.invalidActionCode, "the code does not reset a password; use that of a password-reset message").publicError
        }
        return info.email
    }

    /// Equivalent of ``verifyPasswordResetCode(_:)`` with a completion handler.
    public func verifyPasswordResetCode(_ code: String, completion: @escaping (String?, (any Error)?) -> Void) {
        Completion(completion).run(on: session) { try await self.verifyPasswordResetCode(code) }
    }

    // MARK: Codes of e-mail messages

    /// Returns what the code of an e-mail message is for. The code remains valid.
    ///
    /// - Throws: `invalidActionCode`, `expiredActionCode`, `networkError`.
    public func checkActionCode(_ code: String) async throws -> ActionCodeInfo {
        try await publicly { ActionCodeInfo(try await session.openPlace.backend.redeem(code, newPassword: nil)) }
    }

    /// Equivalent of ``checkActionCode(_:)`` with a completion handler.
    public func checkActionCode(_ code: String, completion: @escaping (ActionCodeInfo?, (any Error)?) -> Void) {
        Completion(completion).run(on: session) { try await self.checkActionCode(code) }
    }

    /// Applies the code of an e-mail message, which verifies or changes an address.
    ///
    /// Call ``User/reload()`` afterwards to update the user.
    ///
    /// - Throws: `invalidActionCode`, `expiredActionCode`, `userDisabled`, `networkError`.
    public func applyActionCode(_ code: String) async throws {
        try await publicly { try await session.openPlace.backend.apply(code) }
    }

    /// Equivalent of ``applyActionCode(_:)`` with a completion handler.
    public func applyActionCode(_ code: String, completion: @escaping ((any Error)?) -> Void) {
        Completion(completion).run(on: session) { try await self.applyActionCode(code) }
    }

    // MARK: Sign-in links

    /// Sends an e-mail message with a sign-in link.
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - actionCodeSettings: Where the link continues. `url` must be set, and `handleCodeInApp` must be true.
    /// - Throws: `missingEmail`, `invalidEmail`, `missingContinueURI`, `unauthorizedDomain`, `operationNotAllowed`, `networkError`.
    public func sendSignInLink(toEmail email: String, actionCodeSettings: ActionCodeSettings) async throws {
        try await publicly {
            if email.isEmpty { throw AuthFailure(.missingEmail) }
            guard actionCodeSettings.url != nil else {
                throw AuthFailure(.missingContinueURI, "actionCodeSettings.url is missing; set it to the URL that the link continues to")
            }
            guard actionCodeSettings.handleCodeInApp else {
                throw AuthFailure(
                    .operationNotAllowed,
                    "actionCodeSettings.handleCodeInApp is false; set it to true, because the app uses the code of a sign-in link")
            }
            try await session.openPlace.backend.send(CodeMessage(kind: .signIn(email: email), settings: actionCodeSettings.values))
        }
    }

    /// Equivalent of ``sendSignInLink(toEmail:actionCodeSettings:)`` with a completion handler.
    public func sendSignInLink(
        toEmail email: String, actionCodeSettings: ActionCodeSettings, completion: (((any Error)?) -> Void)? = nil
    ) {
        Completion(completion).run(on: session) { try await self.sendSignInLink(toEmail: email, actionCodeSettings: actionCodeSettings) }
    }

    /// Returns whether a link is a sign-in link. Makes no request.
    public func isSignIn(withEmailLink link: String) -> Bool { SignInLink.signsIn(link) }

    /// Returns the ways to sign in to the account of an e-mail address. The list is empty if the server keeps addresses private.
    ///
    /// - Throws: `invalidEmail`, `missingEmail`, `networkError`.
    @available(*, deprecated, message: "a server that keeps addresses private returns an empty list")
    public func fetchSignInMethods(forEmail email: String) async throws -> [String] {
        try await publicly { try await session.openPlace.backend.signInMethods(of: email) }
    }

    /// Equivalent of `fetchSignInMethods(forEmail:)` with a completion handler.
    @available(*, deprecated, message: "a server that keeps addresses private returns an empty list")
    public func fetchSignInMethods(forEmail email: String, completion: (([String]?, (any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await publicly { try await self.session.openPlace.backend.signInMethods(of: email) } }
    }
}
