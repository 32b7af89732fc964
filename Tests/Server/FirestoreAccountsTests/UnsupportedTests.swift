// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTokens
import TestSupport
import Testing

@testable import FirestoreAccounts

/// What Firebase Authentication has and these accounts have not is rejected with a sentence, never with a bare 404.
@Suite(.timeLimit(.minutes(2)))
struct UnsupportedTests {
    private static let v1 = "/identitytoolkit.googleapis.com/v1/"
    private static let v2 = "/identitytoolkit.googleapis.com/v2/"
    private static let idp = #"{"requestUri":"http://localhost","postBody":"id_token=x&providerId="#

    static let rows: [(method: String, path: String, body: String, status: Int, code: String, says: String)] = [
        ("POST", v1 + "accounts:sendVerificationCode", #"{"phoneNumber":"+1"}"#, 400, "OPERATION_NOT_ALLOWED", "phone number"),
        ("POST", v1 + "accounts:signInWithPhoneNumber", "{}", 400, "OPERATION_NOT_ALLOWED", "phone number"),
        ("POST", "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPhoneNumber", "{}", 400, "OPERATION_NOT_ALLOWED", "phone number"),
        ("POST", v1 + "accounts:verifyIosClient", "{}", 400, "OPERATION_NOT_ALLOWED", "verify apps"),
        ("POST", v1 + "accounts:issueSamlResponse", "{}", 400, "OPERATION_NOT_ALLOWED", "SAML"),
        ("POST", v1 + "accounts:signInWithIdp", idp + #"saml.corp"}"#, 400, "OPERATION_NOT_ALLOWED", "SAML"),
        ("POST", v1 + "accounts:signInWithIdp", #"{"requestUri":"http://localhost","postBody":"SAMLResponse=x"}"#, 400, "OPERATION_NOT_ALLOWED", "SAML"),
        ("POST", v1 + "accounts:signInWithIdp", idp + #"oidc.corp"}"#, 400, "OPERATION_NOT_ALLOWED", "OpenID Connect"),
        ("POST", v1 + "accounts:signInWithIdp", idp + #"google.com"}"#, 400, "OPERATION_NOT_ALLOWED", "development mode only"),
        ("POST", v1 + "accounts:signInWithIdp", idp + #"phone"}"#, 400, "OPERATION_NOT_ALLOWED", "phone number"),
        ("POST", v1 + "accounts:createAuthUri", #"{"providerId":"google.com","continueUri":"http://localhost"}"#, 400, "OPERATION_NOT_ALLOWED", "sign-in page"),
        ("POST", v1 + "accounts:signUp", #"{"tenantId":"t"}"#, 400, "UNSUPPORTED_TENANT_OPERATION", "no tenants"),
        ("POST", v1 + "accounts:signInWithPassword", #"{"tenantId":"t","email":"a@b.c","password":"secret1"}"#, 400, "UNSUPPORTED_TENANT_OPERATION", "no tenants"),
        ("POST", v1 + "projects/demo-accounts/tenants/t/accounts:lookup", "{}", 400, "UNSUPPORTED_TENANT_OPERATION", "no tenants"),
        ("POST", v1 + "projects/demo-accounts/tenants/t:createSessionCookie", "{}", 400, "UNSUPPORTED_TENANT_OPERATION", "no tenants"),
        ("GET", v2 + "projects/demo-accounts/tenants", "{}", 400, "UNSUPPORTED_TENANT_OPERATION", "no tenants"),
        ("POST", v2 + "accounts/mfaEnrollment:start", "{}", 400, "OPERATION_NOT_ALLOWED", "Second factors"),
        ("POST", v2 + "accounts/mfaSignIn:finalize", "{}", 400, "OPERATION_NOT_ALLOWED", "Second factors"),
        ("POST", v2 + "accounts/passkeySignIn:start", "{}", 400, "OPERATION_NOT_ALLOWED", "passkeys"),
        ("GET", v2 + "recaptchaConfig", "{}", 400, "OPERATION_NOT_ALLOWED", "reCAPTCHA"), ("GET", v1 + "recaptchaParams", "{}", 400, "OPERATION_NOT_ALLOWED", "reCAPTCHA"),
        ("GET", v2 + "passwordPolicy", "{}", 501, "NOT_IMPLEMENTED", "6 characters"), ("GET", v2 + "projects/demo-accounts/oauthIdpConfigs", "{}", 501, "NOT_IMPLEMENTED", "own settings"),
        ("PATCH", v2 + "projects/demo-accounts/config", "{}", 501, "NOT_IMPLEMENTED", "own settings"), ("POST", v1 + "accounts:other", "{}", 404, "NOT_FOUND", "nothing at"),
        ("GET", "/something", "{}", 404, "NOT_FOUND", "nothing at"),
    ]

    @Test(arguments: rows.indices) func `a method that does not exist fails with an alternative`(index: Int) async throws {
        let row = Self.rows[index]
        let toolkit = IdentityToolkit(try TestAccounts.production().service())
        let response = await toolkit.respond(
            to: IdentityRequest(method: row.method, path: row.path, body: try JSON(row.body.utf8), caller: .client, address: "192.0.2.1"))
        guard case .string(let message)? = response.body["error"]?["message"] else {
            Issue.record("\(response.body.text())")
            return
        }
        #expect(response.status == row.status && message.hasPrefix(row.code + " : ") && message.contains(row.says), "\(response.status) \(message)")
    }

    /// Development mode stands in for providers, but knows neither tenants, phones nor SAML.
    @Test func `custom tokens of tenants are rejected in both modes`() async throws {
        let claims = #"{"uid":"u1","tenant_id":"t1"}"#
        let signed = try TestAccounts.key.get().sign([
            ("iss", .string("robot")), ("sub", .string("robot")), ("aud", .string(TokenRequirements.customTokenAudience)), ("uid", .string("u1")),
            ("tenant_id", .string("t1")), ("iat", .number(TestAccounts.start)), ("exp", .number(TestAccounts.start + 60)),
        ])
        let production = try TestAccounts.production { policy in
            guard let key = try? TestAccounts.key.get() else { return }
            policy.customTokens = TokenIssuer(.customTokens, keys: IssuerKeys(VerificationKeySet([key.publicKey])))
        }
        let development = try TestAccounts.development()
        for (accounts, token) in [(development, claims), (development, signed), (production, signed)] {
            let service = try accounts.service()
            let error = await code { () throws(AccountError) in _ = try await service.signIn(customToken: token, from: "x") }
            #expect(error == "TENANT_ID_MISMATCH : The custom token names a tenant, and this server has none.")
            #expect(try await service.count() == 0)
        }
        let problems = try await development.service().importAccounts([try JSON(#"{"localId":"u1","tenantId":"t1"}"#.utf8)])
        #expect(problems.map(\.message) == ["UNSUPPORTED_TENANT_OPERATION : This server has no tenants: a project has one set of accounts."])
    }
}
