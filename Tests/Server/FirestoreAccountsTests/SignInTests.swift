// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTokens
import Testing

@testable import FirestoreAccounts

/// Signing in, and what ends tokens.
@Suite(.timeLimit(.minutes(2)))
struct SignInTests {
    private let address = TestAccounts.address

    private func signUp(_ accounts: TestAccounts, _ email: String = "a@example.com", _ password: String = "secret1") async throws -> SignIn {
        try await accounts.service().signUp(email: email, password: password, displayName: nil, linkingTo: nil, from: address)
    }

    private func kind(_ token: String, _ verifier: TokenVerifier) async -> TokenError.Kind? {
        do throws(TokenError) {
            _ = try await verifier.verify(token)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test func `an anonymous user has a token that the server accepts`() async throws {
        let accounts = try TestAccounts.production()
        let signIn = try await accounts.service().signUpAnonymously(from: address)
        let verified = try await accounts.verifier().verify(signIn.idToken)
        #expect(verified.user == signIn.account.id && signIn.account.id.utf8.count == 28 && signIn.isNew && signIn.account.isAnonymous)
        #expect(verified.expiry == TestAccounts.start + 3_600 && verified.authenticated == TestAccounts.start)
        let (provider, firebase) = (try verified.claims.string("provider_id"), verified.claims["firebase"])
        #expect(provider == "anonymous")
        #expect(firebase?.text() == #"{"identities":{},"sign_in_provider":"anonymous"}"#)
    }

    @Test func `e-mail addresses are the same in any case`() async throws {
        let accounts = try TestAccounts.production()
        let signUp = try await signUp(accounts, "Alice@Example.com")
        #expect(signUp.account.email == "alice@example.com")
        let signIn = try await accounts.service().signIn(email: "ALICE@example.com", password: "secret1", from: address)
        #expect(signIn.account.id == signUp.account.id && !signIn.isNew)
        let claims = try await accounts.verifier().verify(signIn.idToken).claims
        #expect(claims["firebase"]?.text() == #"{"identities":{"email":["alice@example.com"]},"sign_in_provider":"password"}"#)
        let error = await code { () throws(AccountError) in _ = try await accounts.opened().signUp(email: "alice@example.com", password: "secret2", displayName: nil, linkingTo: nil, from: address) }
        #expect(error == "EMAIL_EXISTS")
    }

    static let passwords: [(email: String, password: String, error: String?)] = [
        ("a@example.com", "secret1", nil),
        ("a@example.com", "Secret1", "INVALID_LOGIN_CREDENTIALS"),
        ("a@example.com", "", "INVALID_LOGIN_CREDENTIALS"),
        ("a@example.com", String(repeating: "x", count: 5_000), "INVALID_LOGIN_CREDENTIALS"),
        ("unknown@example.com", "secret1", "INVALID_LOGIN_CREDENTIALS"),
        ("a", "secret1", "INVALID_EMAIL"),
        ("a@b@c", "secret1", "INVALID_EMAIL"),
        ("a@exam ple.com", "secret1", "INVALID_EMAIL"),
    ]

    @Test(arguments: passwords) func `production does not say which addresses have accounts`(row: (email: String, password: String, error: String?)) async throws {
        let accounts = try TestAccounts.production()
        _ = try await signUp(accounts)
        let error = await code { () throws(AccountError) in _ = try await accounts.opened().signIn(email: row.email, password: row.password, from: address) }
        #expect(error == row.error)
    }

    @Test func `in development an error names the mistake, as in the emulator`() async throws {
        let accounts = try TestAccounts.development()
        _ = try await signUp(accounts)
        let unknown = await code { () throws(AccountError) in _ = try await accounts.opened().signIn(email: "b@example.com", password: "secret1", from: address) }
        let wrong = await code { () throws(AccountError) in _ = try await accounts.opened().signIn(email: "a@example.com", password: "secret2", from: address) }
        #expect(unknown == "EMAIL_NOT_FOUND" && wrong == "INVALID_PASSWORD")
    }

    @Test func `production begins with every provider off`() async throws {
        let accounts = try TestAccounts.production { $0.providers = [] }
        let service = try accounts.service()
        let errors = [
            await code { () throws(AccountError) in _ = try await service.signUpAnonymously(from: address) },
            await code { () throws(AccountError) in _ = try await service.signUp(email: "a@b.c", password: "secret1", displayName: nil, linkingTo: nil, from: address) },
            await code { () throws(AccountError) in _ = try await service.signIn(email: "a@b.c", password: "secret1", from: address) },
            await code { () throws(AccountError) in _ = try await service.signIn(customToken: #"{"uid":"u"}"#, from: address) },
        ]
        #expect(errors == ["ADMIN_ONLY_OPERATION", "OPERATION_NOT_ALLOWED", "PASSWORD_LOGIN_DISABLED", "OPERATION_NOT_ALLOWED"])
    }

    @Test func `a link preserves the account and ends its old tokens`() async throws {
        let accounts = try TestAccounts.production()
        let service = try accounts.service()
        let anonymous = try await service.signUpAnonymously(from: address)
        let linked = try await service.signUp(email: "a@b.c", password: "secret1", displayName: "A", linkingTo: anonymous.idToken, from: address)
        #expect(linked.account.id == anonymous.account.id && linked.account.email == "a@b.c" && !linked.account.isAnonymous)
        let verifier = try accounts.verifier()
        #expect(await kind(anonymous.idToken, verifier) == .revoked)
        #expect(await kind(linked.idToken, verifier) == nil)
        let error = await code { () throws(AccountError) in _ = try await service.refresh(anonymous.refreshToken, from: address) }
        #expect(error == "INVALID_REFRESH_TOKEN")
    }

    // MARK: Sessions

    @Test func `a refresh preserves the time of the sign-in and the claims of a custom token`() async throws {
        let accounts = try TestAccounts.development()
        let service = try accounts.service()
        let signIn = try await service.signIn(customToken: #"{"uid":"bob","claims":{"role":"admin","n":1}}"#, from: address)
        #expect(signIn.isNew && signIn.account.id == "bob")
        accounts.advance(5_000)
        let refreshed = try await service.refresh(signIn.refreshToken, from: address)
        let token = try await accounts.verifier().verify(refreshed.idToken)
        let role = try token.claims.string("role")
        #expect(role == "admin" && token.authenticated == TestAccounts.start && token.issued == TestAccounts.start + 5_000)
        let error = await code { () throws(AccountError) in _ = try await service.refresh("forged", from: address) }
        #expect(error == "INVALID_REFRESH_TOKEN")
    }

    static let endings = ["password", "disabled", "deleted", "validSince", "email"]

    @Test(arguments: endings) func `every event that ends tokens does so within the same second`(ending: String) async throws {
        let accounts = try TestAccounts.production()
        let service = try accounts.service()
        let signIn = try await signUp(accounts)
        let verifier = try accounts.verifier()
        #expect(await kind(signIn.idToken, verifier) == nil)
        let verified = try await verifier.verify(signIn.idToken)
        let id = signIn.account.id
        switch ending {
        case "password": _ = try await service.update(id: id, AccountChange(password: "secret2"))
        case "email": _ = try await service.update(id: id, AccountChange(email: "new@example.com"))
        case "disabled": _ = try await service.update(id: id, AccountChange(isDisabled: true))
        case "validSince": _ = try await service.update(id: id, AccountChange(validSince: TestAccounts.start))
        default:
            let isRemoved = try await service.delete(id: id)
            #expect(isRemoved)
        }
        #expect(await kind(signIn.idToken, verifier) == .revoked)
        await #expect(throws: TokenError.self) { try await verifier.isStillValid(verified) }
        #expect(accounts.ended == [id])
        let error = await code { () throws(AccountError) in _ = try await service.refresh(signIn.refreshToken, from: address) }
        #expect(error == "INVALID_REFRESH_TOKEN" || error == "USER_DISABLED")
    }

    @Test func `after a change of the password the new tokens are accepted immediately`() async throws {
        let accounts = try TestAccounts.production()
        let service = try accounts.service()
        let old = try await signUp(accounts)
        let (_, new) = try await service.update(idToken: old.idToken, AccountChange(password: "secret2"), from: address)
        let verifier = try accounts.verifier()
        #expect(await kind(old.idToken, verifier) == .revoked)
        #expect(await kind(try #require(new).idToken, verifier) == nil)
        // A session of the changed account, an hour later.
        accounts.advance(3_700)
        let refreshed = try await service.refresh(try #require(new).refreshToken, from: address)
        #expect(await kind(refreshed.idToken, verifier) == nil)
        let late = await code { () throws(AccountError) in _ = try await service.update(idToken: refreshed.idToken, AccountChange(password: "secret3"), from: address) }
        #expect(late == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    }

    @Test func `an event loop does not wait for the accounts`() async throws {
        let accounts = try TestAccounts.production()
        let service = try accounts.service()
        let token = try await service.signUpAnonymously(from: address)
        let verifier = try accounts.verifier()
        for _ in 0..<2 {
            let unknown = try verifier.verifyNow(token.idToken)
            #expect(unknown == nil)
            let verified = try await verifier.verify(token.idToken)
            let known = try verifier.verifyNow(token.idToken)
            #expect(known?.user == verified.user)
            // Every change is read anew.
            _ = try await service.update(id: token.account.id, AccountChange(displayName: "A"))
        }
        _ = try await service.update(id: token.account.id, AccountChange(isDisabled: true))
        #expect(await kind(token.idToken, verifier) == .revoked)
        #expect(throws: TokenError.self) { try verifier.verifyNow(token.idToken) }
    }

    @Test(arguments: [Int64.max, .min, 0, TestAccounts.start - 1, TestAccounts.start + 1]) func `tokens can be ended up to now, not later`(time: Int64) async throws {
        let accounts = try TestAccounts.production()
        let service = try accounts.service()
        let old = try await signUp(accounts)
        _ = try await service.update(id: old.account.id, AccountChange(validSince: time))
        let verifier = try accounts.verifier()
        #expect(await kind(old.idToken, verifier) == (time > TestAccounts.start ? .revoked : nil))
        let new = try await service.signIn(email: "a@example.com", password: "secret1", from: address)
        #expect(await kind(new.idToken, verifier) == nil)
    }

    @Test func `a key that was rotated is accepted while it is configured`() async throws {
        let accounts = try TestAccounts.production()
        let old = try await signUp(accounts)
        let service = try accounts.service()
        let key = try SigningKey.create()
        let rotated = try AccountService(service.policy, store: service.store, key: key, previousKeys: [try #require(service.key)], clock: accounts.clock)
        let token = try await rotated.signIn(email: "a@example.com", password: "secret1", from: address).idToken
        let both = TokenVerifier([rotated.tokenIssuer], clock: accounts.clock)
        #expect(await kind(old.idToken, both) == nil)
        #expect(await kind(token, both) == nil)
        #expect(await kind(token, try accounts.verifier()) == .key)
    }

    @Test func `clients cannot change members of administrators`() async throws {
        let accounts = try TestAccounts.production()
        let service = try accounts.service()
        let token = try await signUp(accounts).idToken
        for change in [AccountChange(isEmailVerified: true), AccountChange(isDisabled: false), AccountChange(customAttributes: "{}")] {
            let error = await code { () throws(AccountError) in _ = try await service.update(idToken: token, change, from: address) }
            #expect(error == "INSUFFICIENT_PERMISSION")
        }
    }

    // MARK: Custom tokens

    static let customTokens: [(text: String, error: String?)] = [
        (#"{"uid":"u"}"#, nil),
        (#"{"uid":""}"#, "MISSING_IDENTIFIER"),
        (#"{}"#, "MISSING_IDENTIFIER"),
        (#"{"uid":"u","claims":{"sub":"x"}}"#, "FORBIDDEN_CLAIM : sub"),
        (#"{"uid":"u","claims":[]}"#, "INVALID_CLAIMS"),
        (#"{"uid":"u","claims":{"x":"\#(String(repeating: "y", count: 1_000))"}}"#, "CLAIMS_TOO_LARGE"),
        ("", "MISSING_CUSTOM_TOKEN"),
        ("x.y", "INVALID_CUSTOM_TOKEN : Invalid assertion format"),
        (UnsignedToken.make([("uid", .string("u"))]), nil),
    ]

    @Test(arguments: customTokens) func `development takes custom tokens without proof`(row: (text: String, error: String?)) async throws {
        let accounts = try TestAccounts.development()
        let error = await code { () throws(AccountError) in _ = try await accounts.opened().signIn(customToken: row.text, from: address) }
        #expect(error == row.error)
    }

    @Test func `production verifies custom tokens with configured keys`() async throws {
        let key = try TestAccounts.key.get()
        let accounts = try TestAccounts.production { policy in
            policy.customTokens = TokenIssuer(.customTokens, keys: IssuerKeys(VerificationKeySet([key.publicKey])))
        }
        let account = JSON.string("admin@example.com")
        func claims(_ lifetime: Int64) -> [(name: String, value: JSON)] {
            [
                ("iss", account), ("sub", account), ("aud", .string(TokenRequirements.customTokenAudience)), ("uid", .string("bob")),
                ("iat", .number(TestAccounts.start)), ("exp", .number(TestAccounts.start + lifetime)), ("claims", .object([("role", .string("x"))])),
            ]
        }
        let signIn = try await accounts.service().signIn(customToken: try key.sign(claims(3_600)), from: address)
        #expect(signIn.account.id == "bob" && signIn.account.isCustom)
        for text in [try key.sign(claims(3_601)), UnsignedToken.make(claims(3_600)), #"{"uid":"bob"}"#] {
            let error = await code { () throws(AccountError) in _ = try await accounts.opened().signIn(customToken: text, from: address) }
            #expect(error?.hasPrefix("INVALID_CUSTOM_TOKEN : ") == true, "\(error ?? "accepted")")
        }
    }
}

extension TestAccounts {
    /// The service where only `AccountError` may be thrown.
    func opened() throws(AccountError) -> AccountService {
        guard let service = try? service() else { throw AccountError("NO_SERVICE") }
        return service
    }
}
