// SPDX-License-Identifier: Apache-2.0
/// The content of a code: its purpose and the addresses involved.
struct CodeContent: Sendable {
    /// `PASSWORD_RESET`, `VERIFY_EMAIL`, `EMAIL_SIGNIN`, `VERIFY_AND_CHANGE_EMAIL`, `RECOVER_EMAIL`.
    var requestType: String
    var email: String?
    var newEmail: String?
}
