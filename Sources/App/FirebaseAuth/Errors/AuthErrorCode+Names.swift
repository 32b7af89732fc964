// SPDX-License-Identifier: Apache-2.0

extension AuthErrorCode {
    /// The name under `AuthErrors.userInfoNameKey`: that of the Apple SDK.
    var name: String {
        switch self {
        case .networkError: "ERROR_NETWORK_REQUEST_FAILED"
        case .appVerificationUserInteractionFailure: "ERROR_APP_VERIFICATION_FAILED"
        case .blockingCloudFunctionError: "ERROR_BLOCKING_CLOUD_FUNCTION_RETURNED_ERROR"
        default: "ERROR_" + Self.words(of: "\(self)").joined(separator: "_").uppercased()
        }
    }

    /// `invalidAPIKey` consists of `invalid`, `API` and `Key`.
    private static func words(of name: String) -> [String] {
        let letters = Array(name)
        var words = [""]
        for (index, letter) in letters.enumerated() {
            let beginsWord =
                letter.isUppercase && index > 0
                && (letters[index - 1].isLowercase || index + 1 < letters.count && letters[index + 1].isLowercase)
            if beginsWord { words.append("") }
            words[words.count - 1].append(letter)
        }
        return words
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
        case .userNotFound: "the account does not exist; it may have been deleted"
        case .accountExistsWithDifferentCredential:
            "the e-mail address belongs to an account with another way of signing in; sign in with that one and link this one to it"
        case .requiresRecentLogin: "the user signed in too long ago; call reauthenticate(with:) first"
        case .providerAlreadyLinked: "the account already has this provider"
        case .noSuchProvider: "the account does not have this provider"
        case .invalidUserToken: "the user's token is not valid; the user has to sign in again"
        case .networkError: "the accounts server cannot be reached"
        case .userTokenExpired: "the user's session has ended; the user has to sign in again"
        case .invalidAPIKey: "the API key is missing or not valid; check FirebaseOptions.apiKey"
        case .userMismatch: "the credential belongs to another user"
        case .credentialAlreadyInUse: "the credential is linked to another account"
        case .weakPassword: "the password must have at least 6 characters"
        case .expiredActionCode: "the code has expired; request another one"
        case .invalidActionCode: "the code is malformed or was used before; request another one"
        case .missingEmail: "the e-mail address is missing"
        case .unauthorizedDomain: "the domain of the continue URL is not authorized for the project or the server"
        case .invalidContinueURI: "the continue URL is malformed"
        case .missingContinueURI: "the continue URL is missing"
        case .nullUser: "no user is signed in, or the user is nil; sign in first"
        case .tenantIDMismatch: "the user belongs to another tenant than Auth.tenantID"
        case .adminRestrictedOperation: "only administrators can perform this operation"
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
