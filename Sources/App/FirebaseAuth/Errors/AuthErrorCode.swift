// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The domain of every error that Auth reports.
public let AuthErrorDomain: String = AuthErrors.domain

/// The name of the error, such as `ERROR_INVALID_EMAIL`, in the user info of an error.
public let AuthErrorUserInfoNameKey: String = AuthErrors.userInfoNameKey

/// The e-mail address that an error is about, in its user info.
public let AuthErrorUserInfoEmailKey: String = AuthErrors.userInfoEmailKey

/// A credential that can be used instead of the one that failed, in the user info of an error.
public let AuthErrorUserInfoUpdatedCredentialKey: String = AuthErrors.userInfoUpdatedCredentialKey

/// The domain of Auth's errors, and the keys of their user info.
public enum AuthErrors {
    /// The domain of every error that Auth reports.
    public static let domain = "FIRAuthErrorDomain"
    /// The name of the error, such as `ERROR_INVALID_EMAIL`.
    public static let userInfoNameKey = "FIRAuthErrorUserInfoNameKey"
    /// The e-mail address that the error is about.
    public static let userInfoEmailKey = "FIRAuthErrorUserInfoEmailKey"
    /// A credential that can be used instead of the one that failed.
    public static let userInfoUpdatedCredentialKey = "FIRAuthErrorUserInfoUpdatedCredentialKey"
}

/// The kind of failure of an operation of Auth.
///
/// Operations throw an `NSError` with the domain ``AuthErrors/domain`` and one of these codes. All spellings work, on Linux too:
///
/// ```swift
/// do {
///     try await Auth.auth().signIn(withEmail: "ada@example.com", password: "difference")
/// } catch AuthErrorCode.networkError {
///     print("offline: try again later")
/// } catch let code as AuthErrorCode where code == .wrongPassword || code == .userNotFound {
///     print("this address and this password do not belong together")
/// } catch let error as NSError {
///     print(error.domain, error.code, error.localizedDescription)
/// }
/// ```
/// Codes of features that Hearth does not have, such as sign-in pages, push notifications and second factors, are never thrown. They
/// exist so that code written for the Apple SDK compiles.
public enum AuthErrorCode: Int, Error, Sendable, CaseIterable {
    /// A custom token is malformed, expired or not signed by a trusted key.
    case invalidCustomToken = 17000
    /// A custom token is for another project.
    case customTokenMismatch = 17002
    /// A credential is malformed, expired or wrong; with e-mail privacy also an unknown address or a wrong password.
    case invalidCredential = 17004
    /// The account is disabled.
    case userDisabled = 17005
    /// The way of signing in is not enabled.
    case operationNotAllowed = 17006
    /// The e-mail address belongs to another account.
    case emailAlreadyInUse = 17007
    /// The e-mail address is malformed.
    case invalidEmail = 17008
    /// The password is wrong, or empty.
    case wrongPassword = 17009
    /// The server refuses requests for a while, because there were too many.
    case tooManyRequests = 17010
    /// The account does not exist.
    case userNotFound = 17011
    /// The e-mail address belongs to an account with another way of signing in.
    case accountExistsWithDifferentCredential = 17012
    /// The operation requires a recent sign-in.
    case requiresRecentLogin = 17014
    /// The account already has this provider.
    case providerAlreadyLinked = 17015
    /// The account does not have this provider.
    case noSuchProvider = 17016
    /// The user's token is not valid: the user has to sign in again.
    case invalidUserToken = 17017
    /// The server cannot be reached.
    case networkError = 17020
    /// The user's session has ended, for example because the password was changed.
    case userTokenExpired = 17021
    /// The API key is missing or not valid.
    case invalidAPIKey = 17023
    /// The credential belongs to another user.
    case userMismatch = 17024
    /// The credential is linked to another account.
    case credentialAlreadyInUse = 17025
    /// The password is too short or too simple; the reason is in the description.
    case weakPassword = 17026
    /// The app is not authorized to use the API key.
    case appNotAuthorized = 17028
    /// The code of an e-mail message has expired.
    case expiredActionCode = 17029
    /// The code of an e-mail message is malformed or used.
    case invalidActionCode = 17030
    /// The e-mail template is not valid.
    case invalidMessagePayload = 17031
    /// The sender of the e-mail template is not valid.
    case invalidSender = 17032
    /// The recipient of the message is not valid.
    case invalidRecipientEmail = 17033
    /// The e-mail address is missing.
    case missingEmail = 17034
    /// The bundle id of an iOS app is missing.
    case missingIosBundleID = 17036
    /// The package name of an Android app is missing.
    case missingAndroidPackageName = 17037
    /// The continue URL's domain is not authorized.
    case unauthorizedDomain = 17038
    /// The continue URL is malformed.
    case invalidContinueURI = 17039
    /// The continue URL is missing.
    case missingContinueURI = 17040
    /// The phone number is missing.
    case missingPhoneNumber = 17041
    /// The phone number is malformed.
    case invalidPhoneNumber = 17042
    /// The code of a text message is missing.
    case missingVerificationCode = 17043
    /// The code of a text message is wrong.
    case invalidVerificationCode = 17044
    /// The id of a verification is missing.
    case missingVerificationID = 17045
    /// The id of a verification is wrong.
    case invalidVerificationID = 17046
    /// The proof that a phone number is verified by a genuine app is missing.
    case missingAppCredential = 17047
    /// The proof that a phone number is verified by a genuine app is not valid.
    case invalidAppCredential = 17048
    /// The code of a text message has expired.
    case sessionExpired = 17051
    /// A quota of the project is exhausted.
    case quotaExceeded = 17052
    /// The app has no token for push notifications.
    case missingAppToken = 17053
    /// A push notification was not forwarded to Auth.
    case notificationNotForwarded = 17054
    /// The app could not be verified.
    case appNotVerified = 17055
    /// The check by a captcha has failed.
    case captchaCheckFailed = 17056
    /// A page for signing in is already shown.
    case webContextAlreadyPresented = 17057
    /// The user has closed the page for signing in.
    case webContextCancelled = 17058
    /// The page for verifying the app has failed.
    case appVerificationUserInteractionFailure = 17059
    /// The client id is not valid.
    case invalidClientID = 17060
    /// A page could not be loaded.
    case webNetworkRequestFailed = 17061
    /// A page has failed.
    case webInternalError = 17062
    /// The page for signing in has failed.
    case webSignInUserInteractionFailure = 17063
    /// The player of Game Center is not signed in.
    case localPlayerNotAuthenticated = 17066
    /// The operation requires a user, and there is none.
    case nullUser = 17067
    /// Dynamic links are not activated for the project.
    case dynamicLinkNotActivated = 17068
    /// The provider is not supported.
    case invalidProviderID = 17071
    /// The user belongs to another tenant.
    case tenantIDMismatch = 17072
    /// The tenant does not support the operation.
    case unsupportedTenantOperation = 17073
    /// The domain of dynamic links is not configured for the project.
    case invalidDynamicLinkDomain = 17074
    /// The credential was rejected.
    case rejectedCredential = 17075
    /// GameKit is not linked.
    case gameKitNotLinked = 17076
    /// A second factor is required. Not supported.
    case secondFactorRequired = 17078
    /// The session of a second factor is missing.
    case missingMultiFactorSession = 17081
    /// The id of a second factor is missing.
    case missingMultiFactorInfo = 17082
    /// The session of a second factor is not valid.
    case invalidMultiFactorSession = 17083
    /// The user does not have this second factor.
    case multiFactorInfoNotFound = 17084
    /// Only administrators can perform the operation, for example create accounts.
    case adminRestrictedOperation = 17085
    /// The e-mail address must be verified first.
    case unverifiedEmail = 17086
    /// The user has this second factor already.
    case secondFactorAlreadyEnrolled = 17087
    /// The user has as many second factors as are permitted.
    case maximumSecondFactorCountExceeded = 17088
    /// The first factor does not permit a second one.
    case unsupportedFirstFactor = 17089
    /// The new e-mail address must be verified before it is used.
    case emailChangeNeedsVerification = 17090
    /// The request does not identify the app to the server.
    case missingClientIdentifier = 17093
    /// The nonce of the credential is missing or does not match.
    case missingOrInvalidNonce = 17094
    /// A function of the project has blocked the operation.
    case blockingCloudFunctionError = 17105
    /// reCAPTCHA is not enabled for the project.
    case recaptchaNotEnabled = 17200
    /// The reCAPTCHA token is missing.
    case missingRecaptchaToken = 17201
    /// The reCAPTCHA token is not valid.
    case invalidRecaptchaToken = 17202
    /// The action of the reCAPTCHA token is not valid.
    case invalidRecaptchaAction = 17203
    /// The type of the client is missing.
    case missingClientType = 17204
    /// The version of reCAPTCHA is missing.
    case missingRecaptchaVersion = 17205
    /// The version of reCAPTCHA is not valid.
    case invalidRecaptchaVersion = 17206
    /// The type of the request is not valid.
    case invalidReqType = 17207
    /// The reCAPTCHA SDK is not linked.
    case recaptchaSDKNotLinked = 17208
    /// The site key of reCAPTCHA is missing.
    case recaptchaSiteKeyMissing = 17209
    /// The action of reCAPTCHA could not be created.
    case recaptchaActionCreationFailed = 17210
    /// The password does not meet the rules of the project.
    case passwordDoesNotMeetRequirements = 17211
    /// The domain of the link is not configured for the project.
    case invalidHostingLinkDomain = 17214
    /// The signed-in user cannot be stored, or the stored user cannot be read.
    case keychainError = 17995
    /// Any other failure. The answer of the server is in the description.
    case internalError = 17999
    /// The token is malformed.
    case malformedJWT = 18000

    /// This type, under the name that earlier versions of the Apple SDK used.
    public typealias Code = AuthErrorCode

    /// The code itself, as earlier versions of the Apple SDK spell it.
    public var code: AuthErrorCode { self }

    /// The code of an error; `internalError` if it is not an error of Auth.
    public init(_nsError error: NSError) {
        self = (error.domain == AuthErrors.domain ? AuthErrorCode(rawValue: error.code) : nil) ?? .internalError
    }
}

extension AuthErrorCode: CustomNSError {
    /// The domain of authentication errors. Same as ``AuthErrors/domain``.
    public static var errorDomain: String { AuthErrors.domain }
    /// The number of the code.
    public var errorCode: Int { rawValue }
    /// The name of the code and a description.
    public var errorUserInfo: [String: Any] {
        [AuthErrors.userInfoNameKey: name, NSLocalizedDescriptionKey: explanation]
    }
}

/// Matches any error of Auth against a code, in `switch` and `catch`.
public func ~= (code: AuthErrorCode, error: any Error) -> Bool {
    let error = error as NSError
    return error.domain == AuthErrors.domain && error.code == code.rawValue
}

// On Apple platforms the runtime converts every Swift error to NSError; elsewhere it converts the types that conform to
// a protocol (decision 0023). The conformance stands beside what makes the errors: the linker takes an object file out of a static
// archive only for a symbol that something names, and nothing names a conformance.
#if !canImport(ObjectiveC)
    /// Lets `catch let code as AuthErrorCode` match the `NSError` of an operation, and `catch let error as NSError` a code.
    extension AuthErrorCode: _ObjectiveCBridgeable {
        /// The type that the error bridges to.
        public typealias _ObjectiveCType = NSError

        /// The error with its domain, code and user info.
        public func _bridgeToObjectiveC() -> NSError {
            NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo)
        }

        /// The code of an error of Auth; nil for others.
        public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout AuthErrorCode?) {
            result = source.domain == AuthErrors.domain ? AuthErrorCode(rawValue: source.code) : nil
        }

        /// The code of an error of Auth; false for others.
        public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout AuthErrorCode?) -> Bool {
            _forceBridgeFromObjectiveC(source, result: &result)
            return result != nil
        }

        /// The code of an error of Auth; `internalError` for others.
        public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> AuthErrorCode {
            source.map { AuthErrorCode(_nsError: $0) } ?? .internalError
        }
    }
#endif
