// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTokens
import TestSupport
import Testing

@testable import FirestoreAccounts

/// `projects/P:createSessionCookie`, and the keys that verify its cookies.
@Suite(.timeLimit(.minutes(2)))
struct SessionCookieTests {
    private func make(_ toolkit: IdentityToolkit, _ body: String) async throws -> String {
        let response = await toolkit.respond(
            to: IdentityRequest(
                method: "POST", path: "/identitytoolkit.googleapis.com/v1/projects/demo-accounts:createSessionCookie", body: try JSON(body.utf8),
                caller: .administrator, address: "192.0.2.1"))
        guard case .string(let cookie)? = response.body["sessionCookie"] else { throw AccountError(response.body.text()) }
        return cookie
    }

    private func keys(_ toolkit: IdentityToolkit, _ path: String) async -> JSON {
        await toolkit.respond(to: IdentityRequest(method: "GET", path: path, caller: .none, address: "192.0.2.1")).body
    }

    /// AU-5.
    @Test func `a cookie has the claims of its token, is verified with the published keys, and is not a token itself`() async throws {
        let accounts = try TestAccounts.production()
        let toolkit = IdentityToolkit(try accounts.service())
        let user = try await accounts.service().signUp(email: "a@b.c", password: "secret1", displayName: nil, linkingTo: nil, from: "x")
        accounts.advance(60)
        let cookie = try await make(toolkit, #"{"idToken":"\#(user.idToken)","validDuration":"86400"}"#)
        let set = try VerificationKeySet(document: await keys(toolkit, "/identitytoolkit.googleapis.com/v1/sessionCookiePublicKeys").bytes())
        var requirements = TokenRequirements(issuer: "https://auth.example.com/session", audiences: [TestAccounts.project])
        requirements.requiresAuthTime = true
        let issuer = TokenIssuer(requirements, keys: IssuerKeys(set))
        let verified = try #require(try issuer.verifyNow(try JSONWebToken(cookie), now: accounts.clock.now()))
        #expect(verified.user == user.account.id && verified.expiry == TestAccounts.start + 60 + 86_400 && verified.authenticated == TestAccounts.start)
        #expect(try verified.claims.string("email") == "a@b.c")
        // The same keys as PEM, by their ids.
        let named = await keys(toolkit, "/www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys")
        guard case .string(let pem)? = named[try TestAccounts.key.get().id] else {
            Issue.record("\(named.text())")
            return
        }
        #expect(try VerificationKeySet(file: pem.utf8).keys.count == 1)
        // Databases and the accounts themselves do not accept it.
        #expect(throws: TokenError.self) { try accounts.verifier().verifyNow(cookie) }
        let again = await code { () throws(AccountError) in _ = try await accounts.opened().sessionCookie(idToken: cookie, duration: nil) }
        #expect(again == "INVALID_ID_TOKEN")
    }

    @Test func `a cookie needs a valid token and a duration within bounds`() async throws {
        let accounts = try TestAccounts.production()
        let service = try accounts.service()
        let user = try await service.signUpAnonymously(from: "x")
        for duration in [Int64(299), 1_209_601, -1] {
            let error = await code { () throws(AccountError) in _ = try await service.sessionCookie(idToken: user.idToken, duration: duration) }
            #expect(error?.hasPrefix("INVALID_DURATION") == true)
        }
        for duration in [nil, 300, 1_209_600] as [Int64?] { _ = try await service.sessionCookie(idToken: user.idToken, duration: duration) }
        var change = AccountChange()
        change.isDisabled = true
        _ = try await service.update(id: user.account.id, change)
        let error = await code { () throws(AccountError) in _ = try await service.sessionCookie(idToken: user.idToken, duration: nil) }
        #expect(error == "USER_DISABLED")
    }

    @Test func `in development the cookie is as the emulator's`() async throws {
        let accounts = try TestAccounts.development()
        let user = try await accounts.service().signUpAnonymously(from: "x")
        let cookie = try await make(IdentityToolkit(try accounts.service()), #"{"idToken":"\#(user.idToken)","validDuration":300}"#)
        let token = try JSONWebToken(cookie)
        let issuer = try token.claims.string("iss")
        #expect(token.algorithm == "none" && issuer == "https://session.firebase.google.com/demo-accounts")
        #expect(try token.claims.seconds("exp") == TestAccounts.start + 300)
    }
}
