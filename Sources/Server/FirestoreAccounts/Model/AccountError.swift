// SPDX-License-Identifier: Apache-2.0

/// An error as clients of Identity Toolkit know it: a code in capitals and, after a colon, a detail.
package struct AccountError: Error, Hashable {
    package let code: String
    package let detail: String?
    /// The status of the HTTP response.
    package let status: Int
    /// The canonical name of the status, for errors that have one.
    package let canonicalName: String?

    package init(_ code: String, _ detail: String? = nil, status: Int = 400, canonicalName: String? = nil) {
        self.code = code
        self.detail = detail
        self.status = status
        self.canonicalName = canonicalName
    }

    package var message: String { detail.map { "\(code) : \($0)" } ?? code }

    package static let tooManyAttempts = AccountError("TOO_MANY_ATTEMPTS_TRY_LATER")
    package static let invalidCredentials = AccountError("INVALID_LOGIN_CREDENTIALS")
    package static let invalidIDToken = AccountError("INVALID_ID_TOKEN")
    package static let tokenExpired = AccountError("TOKEN_EXPIRED")
    package static let userNotFound = AccountError("USER_NOT_FOUND")
    package static let userDisabled = AccountError("USER_DISABLED")
    package static let notAllowed = AccountError("OPERATION_NOT_ALLOWED")
    package static let emailExists = AccountError("EMAIL_EXISTS")
    package static let invalidCode = AccountError("INVALID_OOB_CODE")
    package static let insufficientPermission = AccountError("INSUFFICIENT_PERMISSION")

    /// The accounts cannot be read or written. The reason is for the log of the server, and not part of the response.
    package static func storage(_ reason: String) -> AccountError {
        AccountError("INTERNAL_ERROR", reason, status: 503, canonicalName: "UNAVAILABLE")
    }
}

extension AccountError: CustomStringConvertible {
    package var description: String { message }
}
