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

    /// The same as ``sendPasswordReset(withEmail:actionCodeSettings:)``, with a handler.
    public func sendPasswordReset(withEmail email: String, completion: (((any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await self.sendPasswordReset(withEmail: email) }
    }

    /// The same as ``sendPasswordReset(withEmail:actionCodeSettings:)``, with a handler.
    public func sendPasswordReset(
        withEmail email: String, actionCodeSettings: ActionCodeSettings?, completion: (((any Error)?) -> Void)? = nil
    ) {
        Completion(completion).run(on: session) {
            try await self.sendPasswordReset(withEmail: email, actionCodeSettings: actionCodeSettings)
        }
    }

    /// Sets a new password, with the code of the message.
    ///
    /// - Throws: `invalidActionCode`, `expiredActionCode`, `weakPassword`, `userDisabled`, `networkError`.
    public func confirmPasswordReset(withCode code: String, newPassword: String) async throws {
        try await publicly {
            if newPassword.isEmpty { throw AuthFailure(.weakPassword) }
            _ = try await session.openPlace.backend.redeem(code, newPassword: newPassword)
        }
    }

    /// The same as ``confirmPasswordReset(withCode:newPassword:)``, with a handler.
    public func confirmPasswordReset(withCode code: String, newPassword: String, completion: @escaping ((any Error)?) -> Void) {
        Completion(completion).run(on: session) { try await self.confirmPasswordReset(withCode: code, newPassword: newPassword) }
    }

    /// The e-mail address whose password a code can set. The code stays usable.
    ///
    /// - Throws: `invalidActionCode`, `expiredActionCode`, `networkError`.
    public func verifyPasswordResetCode(_ code: String) async throws -> String {
        let info = try await checkActionCode(code)
        guard info.operation == .passwordReset else {
            throw AuthFailure(.invalidActionCode, "the code does not set a password").publicError
        }
        return info.email
    }

    /// The same as ``verifyPasswordResetCode(_:)``, with a handler.
    public func verifyPasswordResetCode(_ code: String, completion: @escaping (String?, (any Error)?) -> Void) {
        Completion(completion).run(on: session) { try await self.verifyPasswordResetCode(code) }
    }

    // MARK: Codes of e-mail messages

    /// What the code of a message is for. The code stays usable.
    ///
    /// - Throws: `invalidActionCode`, `expiredActionCode`, `networkError`.
    public func checkActionCode(_ code: String) async throws -> ActionCodeInfo {
        try await publicly { ActionCodeInfo(try await session.openPlace.backend.redeem(code, newPassword: nil)) }
    }

    /// The same as ``checkActionCode(_:)``, with a handler.
    public func checkActionCode(_ code: String, completion: @escaping (ActionCodeInfo?, (any Error)?) -> Void) {
        Completion(completion).run(on: session) { try await self.checkActionCode(code) }
    }

    /// Uses the code of a message: verifies or changes an address. ``User/reload()`` shows the effect.
    ///
    /// - Throws: `invalidActionCode`, `expiredActionCode`, `userDisabled`, `networkError`.
    public func applyActionCode(_ code: String) async throws {
        try await publicly { try await session.openPlace.backend.apply(code) }
    }

    /// The same as ``applyActionCode(_:)``, with a handler.
    public func applyActionCode(_ code: String, completion: @escaping ((any Error)?) -> Void) {
        Completion(completion).run(on: session) { try await self.applyActionCode(code) }
    }

    // MARK: Links that sign in

    /// Sends an e-mail message with a link that signs in.
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - actionCodeSettings: Where the link continues: `url` must be set and `handleCodeInApp` true.
    /// - Throws: `missingEmail`, `invalidEmail`, `missingContinueURI`, `unauthorizedDomain`, `operationNotAllowed`, `networkError`.
    public func sendSignInLink(toEmail email: String, actionCodeSettings: ActionCodeSettings) async throws {
        try await publicly {
            if email.isEmpty { throw AuthFailure(.missingEmail) }
            guard actionCodeSettings.url != nil else {
                throw AuthFailure(.missingContinueURI, "actionCodeSettings.url is missing: it says where the link continues")
            }
            guard actionCodeSettings.handleCodeInApp else {
                throw AuthFailure(
                    .operationNotAllowed,
                    "actionCodeSettings.handleCodeInApp must be true for a link that signs in, because the app uses its code")
            }
            try await session.openPlace.backend.send(CodeMessage(kind: .signIn(email: email), settings: actionCodeSettings.values))
        }
    }

    /// The same as ``sendSignInLink(toEmail:actionCodeSettings:)``, with a handler.
    public func sendSignInLink(
        toEmail email: String, actionCodeSettings: ActionCodeSettings, completion: (((any Error)?) -> Void)? = nil
    ) {
        Completion(completion).run(on: session) { try await self.sendSignInLink(toEmail: email, actionCodeSettings: actionCodeSettings) }
    }

    /// Whether a link signs in. Makes no request.
    public func isSignIn(withEmailLink link: String) -> Bool { SignInLink.signsIn(link) }

    /// The ways to sign in to the account with an e-mail address; empty where the server keeps addresses private.
    ///
    /// - Throws: `invalidEmail`, `missingEmail`, `networkError`.
    @available(*, deprecated, message: "a server that keeps addresses private returns an empty list")
    public func fetchSignInMethods(forEmail email: String) async throws -> [String] {
        try await publicly { try await session.openPlace.backend.signInMethods(of: email) }
    }

    /// The same as `fetchSignInMethods(forEmail:)`, with a handler.
    @available(*, deprecated, message: "a server that keeps addresses private returns an empty list")
    public func fetchSignInMethods(forEmail email: String, completion: (([String]?, (any Error)?) -> Void)? = nil) {
        Completion(completion).run(on: session) { try await publicly { try await self.session.openPlace.backend.signInMethods(of: email) } }
    }
}
