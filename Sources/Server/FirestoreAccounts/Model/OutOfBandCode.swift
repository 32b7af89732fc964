// SPDX-License-Identifier: Apache-2.0

/// A code that proves control of an e-mail address. Stored by its hash, used once, valid for an hour.
struct OutOfBandCode: Sendable, Hashable {
    enum Purpose: String, Sendable, CaseIterable {
        case passwordReset = "PASSWORD_RESET"
        case verifyEmail = "VERIFY_EMAIL"
        case emailSignIn = "EMAIL_SIGNIN"
        case changeEmail = "VERIFY_AND_CHANGE_EMAIL"

        /// `mode` in links.
        var mode: String {
            switch self {
            case .passwordReset: "resetPassword"
            case .verifyEmail: "verifyEmail"
            case .emailSignIn: "signIn"
            case .changeEmail: "verifyAndChangeEmail"
            }
        }
    }

    /// Seconds.
    static let lifetime: Int64 = 3_600

    let purpose: Purpose
    /// nil if the address has no account: for a sign-in by link, and for a request that must appear to succeed.
    let account: String?
    let email: String
    let newEmail: String?
    /// Microseconds since 1970.
    let expires: Int64
}

/// An e-mail message with a code.
package struct AccountMail: Sendable, Hashable {
    /// `PASSWORD_RESET`, `VERIFY_EMAIL`, `EMAIL_SIGNIN` or `VERIFY_AND_CHANGE_EMAIL`.
    package let requestType: String
    /// The address that the message is sent to.
    package let recipient: String
    /// The address of the account.
    package let email: String
    package let newEmail: String?
    package let code: String
    package let link: String

    package init(requestType: String, recipient: String, email: String, newEmail: String?, code: String, link: String) {
        self.requestType = requestType
        self.recipient = recipient
        self.email = email
        self.newEmail = newEmail
        self.code = code
        self.link = link
    }
}
