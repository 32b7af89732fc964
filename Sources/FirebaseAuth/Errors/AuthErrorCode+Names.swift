// SPDX-License-Identifier: Apache-2.0

extension AuthErrorCode {
    /// The name under `AuthErrors.userInfoNameKey`. Where the Apple SDK's names are irregular, they are its names.
    var name: String {
        switch self {
        case .customTokenMismatch: "ERROR_CUSTOM_TOKEN_MISMATCH"
        case .networkError: "ERROR_NETWORK_REQUEST_FAILED"
        case .nullUser: "ERROR_NULL_USER"
        default: "ERROR_" + Self.screaming("\(self)")
        }
    }

    /// `invalidContinueURI` becomes `INVALID_CONTINUE_URI`.
    private static func screaming(_ name: String) -> String {
        var text = ""
        var wasSmall = false
        for letter in name.unicodeScalars {
            let isSmall = letter.properties.isLowercase
            if !isSmall, wasSmall { text += "_" }
            text += letter.properties.uppercaseMapping
            wasSmall = isSmall
        }
        return text
    }

    /// A sentence for errors without a more precise one.
    var explanation: String {
        switch self {
        case .invalidCustomToken: "the custom token is malformed, expired or not signed by a trusted key"
        case .customTokenMismatch: "the custom token is for another project"
        case .invalidCredential: "the credential is malformed, has expired or is wrong"
        case .userDisabled: "the account is disabled"
        case .operationNotAllowed: "this way of signing in is not enabled; enable it for the project or the server"
        case .emailAlreadyInUse: "the e-mail address belongs to another account"
        case .invalidEmail: "the e-mail address is malformed"
        case .wrongPassword: "the password is wrong"
        case .tooManyRequests: "too many requests; try again later"
        case .userNotFound: "there is no such account; it may have been deleted"
        case .accountExistsWithDifferentCredential:
            "the e-mail address belongs to an account with another way of signing in; sign in with that one and link this one to it"
        case .requiresRecentLogin: "the last sign-in is too long ago; call reauthenticate(with:) first"
        case .providerAlreadyLinked: "the account already has this provider"
        case .noSuchProvider: "the account does not have this provider"
        case .invalidUserToken: "the user's token is not valid; the user has to sign in again"
        case .networkError: "the server of the accounts cannot be reached"
        case .userTokenExpired: "the user's session has ended; the user has to sign in again"
        case .invalidAPIKey: "the API key is missing or not valid; check FirebaseOptions.apiKey"
        case .userMismatch: "the credential belongs to another user"
        case .credentialAlreadyInUse: "the credential is linked to another account"
        case .weakPassword: "the password must have at least 6 characters"
        case .expiredActionCode: "the code has expired; request another one"
        case .invalidActionCode: "the code is malformed, or was used before; request another one"
        case .missingEmail: "the e-mail address is missing"
        case .unauthorizedDomain: "the domain of the continue URL is not authorized for the project or the server"
        case .invalidContinueURI: "the continue URL is malformed"
        case .missingContinueURI: "the continue URL is missing"
        case .nullUser: "a user is required, and none is given"
        case .tenantIDMismatch: "the user belongs to another tenant than Auth.tenantID"
        case .adminRestrictedOperation: "only administrators may do this"
        case .unverifiedEmail: "the e-mail address must be verified first"
        case .emailChangeNeedsVerification:
            "the new e-mail address must be verified first; call sendEmailVerification(beforeUpdatingEmail:)"
        case .passwordDoesNotMeetRequirements: "the password does not meet the rules of the project"
        case .keychainError: "the signed-in user cannot be stored"
        case .malformedJWT: "the token is malformed"
        default: "the operation failed: \(self)"
        }
    }
}
