// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The error codes of the Identity Toolkit, which stand at the beginning of its messages: `CODE` or `CODE : detail`.
enum ServerCode {
    static let table: [String: AuthErrorCode] = [
        "INVALID_CUSTOM_TOKEN": .invalidCustomToken,
        "MISSING_CUSTOM_TOKEN": .invalidCustomToken,
        "FORBIDDEN_CLAIM": .invalidCustomToken,
        "INVALID_CLAIMS": .invalidCustomToken,
        "CLAIMS_TOO_LARGE": .invalidCustomToken,
        "CREDENTIAL_MISMATCH": .customTokenMismatch,
        "INVALID_LOGIN_CREDENTIALS": .invalidCredential,
        "INVALID_IDP_RESPONSE": .invalidCredential,
        "INVALID_PENDING_TOKEN": .invalidCredential,
        "USER_DISABLED": .userDisabled,
        "OPERATION_NOT_ALLOWED": .operationNotAllowed,
        "PASSWORD_LOGIN_DISABLED": .operationNotAllowed,
        "EMAIL_EXISTS": .emailAlreadyInUse,
        "INVALID_EMAIL": .invalidEmail,
        "INVALID_IDENTIFIER": .invalidEmail,
        "INVALID_PASSWORD": .wrongPassword,
        "TOO_MANY_ATTEMPTS_TRY_LATER": .tooManyRequests,
        "EMAIL_NOT_FOUND": .userNotFound,
        "USER_NOT_FOUND": .userNotFound,
        "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": .requiresRecentLogin,
        "INVALID_ID_TOKEN": .invalidUserToken,
        "MISSING_ID_TOKEN": .invalidUserToken,
        "INVALID_REFRESH_TOKEN": .invalidUserToken,
        "TOKEN_EXPIRED": .userTokenExpired,
        "API_KEY_INVALID": .invalidAPIKey,
        "INVALID_API_KEY": .invalidAPIKey,
        "FEDERATED_USER_ID_ALREADY_LINKED": .credentialAlreadyInUse,
        "WEAK_PASSWORD": .weakPassword,
        "MISSING_PASSWORD": .weakPassword,
        "EXPIRED_OOB_CODE": .expiredActionCode,
        "INVALID_OOB_CODE": .invalidActionCode,
        "MISSING_OOB_CODE": .invalidActionCode,
        "INVALID_MESSAGE_PAYLOAD": .invalidMessagePayload,
        "INVALID_SENDER": .invalidSender,
        "INVALID_RECIPIENT_EMAIL": .invalidRecipientEmail,
        "MISSING_EMAIL": .missingEmail,
        "MISSING_IDENTIFIER": .missingEmail,
        "UNAUTHORIZED_DOMAIN": .unauthorizedDomain,
        "INVALID_CONTINUE_URI": .invalidContinueURI,
        "MISSING_CONTINUE_URI": .missingContinueURI,
        "QUOTA_EXCEEDED": .quotaExceeded,
        "INVALID_PROVIDER_ID": .invalidProviderID,
        "TENANT_ID_MISMATCH": .tenantIDMismatch,
        "UNSUPPORTED_TENANT_OPERATION": .unsupportedTenantOperation,
        "REJECTED_CREDENTIAL": .rejectedCredential,
        "ADMIN_ONLY_OPERATION": .adminRestrictedOperation,
        "UNVERIFIED_EMAIL": .unverifiedEmail,
        "EMAIL_CHANGE_NEEDS_VERIFICATION": .emailChangeNeedsVerification,
        "MISSING_OR_INVALID_NONCE": .missingOrInvalidNonce,
        "BLOCKING_FUNCTION_ERROR_RESPONSE": .blockingCloudFunctionError,
        "PASSWORD_DOES_NOT_MEET_REQUIREMENTS": .passwordDoesNotMeetRequirements,
    ]

    /// The failure that a message of a server means.
    static func failure(_ message: String, status: Int) -> AuthFailure {
        let (name, detail) = split(message)
        var failure: AuthFailure
        if let code = table[name] {
            failure = AuthFailure(code, detail.map { "\(code.explanation) (\(printable($0)))" })
            // The server's reason is what the user has to read.
            if code == .weakPassword || code == .passwordDoesNotMeetRequirements, let detail { failure.message = printable(detail) }
        } else if message.contains("API key not valid") || message.contains("valid API key") {
            failure = AuthFailure(.invalidAPIKey)
        } else if status == 429 {
            failure = AuthFailure(.tooManyRequests)
        } else {
            failure = AuthFailure(.internalError, "the accounts server answered: \(printable(message)) (HTTP status \(status))")
        }
        failure.serverText = printable(message)
        return failure
    }

    private static func split(_ message: String) -> (name: String, detail: String?) {
        guard let range = message.range(of: " : ") else { return (message, nil) }
        return (String(message[..<range.lowerBound]), String(message[range.upperBound...]))
    }

    /// The server's text, restricted to one printable line.
    private static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(300).map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
