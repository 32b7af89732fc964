// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import Testing

@testable import FirebaseAuth

/// The codes of servers, the codes of the API, and every way to catch them.
struct ErrorTests {
    static let codes: [(server: String, code: AuthErrorCode, number: Int)] = [
        ("INVALID_CUSTOM_TOKEN : The custom token format is incorrect.", .invalidCustomToken, 17000),
        ("CREDENTIAL_MISMATCH", .customTokenMismatch, 17002),
        ("INVALID_LOGIN_CREDENTIALS", .invalidCredential, 17004),
        ("INVALID_IDP_RESPONSE : why", .invalidCredential, 17004),
        ("INVALID_PENDING_TOKEN", .invalidCredential, 17004),
        ("USER_DISABLED", .userDisabled, 17005),
        ("OPERATION_NOT_ALLOWED", .operationNotAllowed, 17006),
        ("PASSWORD_LOGIN_DISABLED", .operationNotAllowed, 17006),
        ("EMAIL_EXISTS", .emailAlreadyInUse, 17007),
        ("INVALID_EMAIL", .invalidEmail, 17008),
        ("INVALID_IDENTIFIER", .invalidEmail, 17008),
        ("INVALID_PASSWORD", .wrongPassword, 17009),
        ("TOO_MANY_ATTEMPTS_TRY_LATER : Access is disabled for a while.", .tooManyRequests, 17010),
        ("EMAIL_NOT_FOUND", .userNotFound, 17011),
        ("USER_NOT_FOUND", .userNotFound, 17011),
        ("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", .requiresRecentLogin, 17014),
        ("INVALID_ID_TOKEN", .invalidUserToken, 17017),
        ("INVALID_REFRESH_TOKEN", .invalidUserToken, 17017),
        ("TOKEN_EXPIRED", .userTokenExpired, 17021),
        ("API key not valid. Please pass a valid API key.", .invalidAPIKey, 17023),
        ("The request is missing a valid API key.", .invalidAPIKey, 17023),
        ("FEDERATED_USER_ID_ALREADY_LINKED", .credentialAlreadyInUse, 17025),
        ("WEAK_PASSWORD : Password should be at least 6 characters", .weakPassword, 17026),
        ("EXPIRED_OOB_CODE", .expiredActionCode, 17029),
        ("INVALID_OOB_CODE", .invalidActionCode, 17030),
        ("MISSING_EMAIL", .missingEmail, 17034),
        ("UNAUTHORIZED_DOMAIN", .unauthorizedDomain, 17038),
        ("INVALID_CONTINUE_URI : why", .invalidContinueURI, 17039),
        ("MISSING_CONTINUE_URI", .missingContinueURI, 17040),
        ("TENANT_ID_MISMATCH", .tenantIDMismatch, 17072),
        ("ADMIN_ONLY_OPERATION", .adminRestrictedOperation, 17085),
        ("UNVERIFIED_EMAIL", .unverifiedEmail, 17086),
        ("EMAIL_CHANGE_NEEDS_VERIFICATION", .emailChangeNeedsVerification, 17090),
        ("PASSWORD_DOES_NOT_MEET_REQUIREMENTS : why", .passwordDoesNotMeetRequirements, 17211),
        ("SOMETHING_NEW : why", .internalError, 17999),
        ("", .internalError, 17999),
    ]

    @Test(arguments: codes)
    func `a server's code becomes the code of the API`(row: (server: String, code: AuthErrorCode, number: Int)) {
        let failure = ServerCode.failure(row.server, status: 400)
        #expect(failure.code == row.code && row.code.rawValue == row.number)
        #expect(failure.publicError.localizedFailureReason == row.server)
        #expect(!failure.message.isEmpty)
    }

    static let localCodes: [(code: AuthErrorCode, number: Int, name: String)] = [
        (.providerAlreadyLinked, 17015, "ERROR_PROVIDER_ALREADY_LINKED"), (.noSuchProvider, 17016, "ERROR_NO_SUCH_PROVIDER"),
        (.networkError, 17020, "ERROR_NETWORK_REQUEST_FAILED"), (.userMismatch, 17024, "ERROR_USER_MISMATCH"),
        (.nullUser, 17067, "ERROR_NULL_USER"), (.keychainError, 17995, "ERROR_KEYCHAIN_ERROR"), (.malformedJWT, 18000, "ERROR_MALFORMED_JWT"),
        (.invalidEmail, 17008, "ERROR_INVALID_EMAIL"), (.invalidContinueURI, 17039, "ERROR_INVALID_CONTINUE_URI"),
        (.webContextCancelled, 17058, "ERROR_WEB_CONTEXT_CANCELLED"), (.captchaCheckFailed, 17056, "ERROR_CAPTCHA_CHECK_FAILED"),
        (.missingAppToken, 17053, "ERROR_MISSING_APP_TOKEN"), (.appNotVerified, 17055, "ERROR_APP_NOT_VERIFIED"),
        (.invalidAPIKey, 17023, "ERROR_INVALID_API_KEY"), (.tenantIDMismatch, 17072, "ERROR_TENANT_ID_MISMATCH"),
        (.appVerificationUserInteractionFailure, 17059, "ERROR_APP_VERIFICATION_FAILED"), (.recaptchaNotEnabled, 17200, "ERROR_RECAPTCHA_NOT_ENABLED"),
        (.blockingCloudFunctionError, 17105, "ERROR_BLOCKING_CLOUD_FUNCTION_RETURNED_ERROR"), (.invalidHostingLinkDomain, 17214, "ERROR_INVALID_HOSTING_LINK_DOMAIN"),
    ]

    @Test(arguments: localCodes)
    func `numbers and names are those of the Apple SDK`(row: (code: AuthErrorCode, number: Int, name: String)) {
        #expect(row.code.rawValue == row.number && row.code.name == row.name)
    }

    @Test func `the reason of a weak password is what the user reads`() {
        let failure = ServerCode.failure("WEAK_PASSWORD : Password should be at least 6 characters", status: 400)
        #expect(failure.message == "Password should be at least 6 characters")
        let text = ServerCode.failure("NEW_CODE\u{7}\n" + String(repeating: "x", count: 1000), status: 400).message
        #expect(!text.contains("\n") && !text.contains("\u{7}") && text.count < 500)
    }

    /// As an operation throws it.
    private func thrown() throws { throw AuthFailure(.wrongPassword, "the text").publicError }

    @Test func `every way to catch an error matches`() throws {
        var ways: [String] = []
        do { try thrown() } catch let error as NSError { ways.append("\(error.domain) \(error.code) \(error.localizedDescription)") }
        #expect(ways == ["FIRAuthErrorDomain 17009 the text"])
        do { try thrown() } catch AuthErrorCode.userNotFound { Issue.record("another code") } catch AuthErrorCode.wrongPassword { ways.append("pattern") }
        do { try thrown() } catch let code as AuthErrorCode { ways.append(code == .wrongPassword ? "cast" : "-") }
        do { try thrown() } catch {
            if let code = AuthErrorCode(rawValue: (error as NSError).code) {
                switch code {
                case .wrongPassword, .invalidCredential: ways.append("switch")
                default: Issue.record("another code")
                }
            }
            switch AuthErrorCode.Code(rawValue: error._code) {
            case .wrongPassword: ways.append("optional")
            default: Issue.record("another code")
            }
            if AuthErrorCode(_nsError: error as NSError).code == .wrongPassword { ways.append("earlier") }
            if (error as? AuthErrorCode) == .wrongPassword, (error as NSError).domain == AuthErrorDomain { ways.append("as?") }
            if (error as NSError).userInfo[AuthErrorUserInfoNameKey] as? String == "ERROR_WRONG_PASSWORD" { ways.append("name") }
        }
        #expect(ways.count == 8 && !ways.contains("-"), "\(ways)")
    }

    @Test func `a code that an app throws is an NSError, too`() {
        func fail() throws { throw AuthErrorCode.userDisabled }
        do { try fail() } catch let error as NSError {
            #expect(error.domain == "FIRAuthErrorDomain" && error.code == 17005)
        }
        #expect((AuthErrorCode.userDisabled as NSError).localizedDescription == "the account is disabled")
        #expect((NSError(domain: "other", code: 17005) as any Error) as? AuthErrorCode == nil)
    }

    static let links: [(link: String, signsIn: Bool)] = [
        ("https://x.y/__/auth/action?mode=signIn&oobCode=abc", true),
        ("https://x.y/?link=https%3A%2F%2Fx.y%2F%3Fmode%3DsignIn%26oobCode%3Dabc", true),
        ("https://x.y/?deep_link_id=https%3A%2F%2Fx.y%2F%3Fmode%3DsignIn%26oobCode%3Dabc", true),
        ("https://x.y/?mode=signIn", false),
        ("https://x.y/?mode=resetPassword&oobCode=abc", false),
        ("https://x.y/?mode=signIn&oobCode=", false),
        ("", false),
        ("no link at all", false),
    ]

    @Test(arguments: links)
    func `a link that signs in has its mode and a code`(row: (link: String, signsIn: Bool)) {
        #expect(SignInLink.signsIn(row.link) == row.signsIn)
        if row.signsIn { #expect((try? SignInLink.code(in: row.link)) == "abc") }
    }
}
