// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The error type below the public layer, which converts it into an `NSError`.
struct AuthFailure: Error, Sendable {
    var code: AuthErrorCode
    /// A sentence that names the problem and its remedy.
    var message: String
    /// The address that the error is about.
    var email: String?
    /// A credential that can be used instead.
    var updatedCredential: AuthCredential?
    /// The server's error text, unchanged.
    var serverText: String?
    var cause: (any Error)?

    init(_ code: AuthErrorCode, _ message: String? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message ?? code.explanation
        self.cause = cause
    }

    /// Whether the session ends because the user can no longer be authenticated with it.
    var endsSession: Bool {
        switch code {
        case .userNotFound, .userDisabled, .invalidUserToken, .userTokenExpired: true
        default: false
        }
    }

    /// The error as app developers see it.
    var publicError: NSError {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message, AuthErrors.userInfoNameKey: code.name]
        if let email { userInfo[AuthErrors.userInfoEmailKey] = email }
        if let updatedCredential { userInfo[AuthErrors.userInfoUpdatedCredentialKey] = updatedCredential }
        if let serverText { userInfo[NSLocalizedFailureReasonErrorKey] = serverText }
        if let cause { userInfo[NSUnderlyingErrorKey] = cause as NSError }
        return NSError(domain: AuthErrors.domain, code: code.rawValue, userInfo: userInfo)
    }
}

extension AuthFailure: CustomStringConvertible {
    var description: String { message }
}

/// Runs internal code and rethrows its errors in their public form.
func publicly<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
    do {
        return try await body()
    } catch let error as AuthFailure {
        throw error.publicError
    }
}
