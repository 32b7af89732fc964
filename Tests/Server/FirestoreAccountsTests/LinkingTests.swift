// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTokens
import TestSupport
import Testing

@testable import FirestoreAccounts

/// What the holder of an ID token may do to the account, when the token may have been stolen.
@Suite(.timeLimit(.minutes(2)))
struct LinkingTests {
    private static let provider = "oidc.example"
    private let address = TestAccounts.address

    private func production(change: (inout AccountPolicy) -> Void = { _ in }) throws -> TestAccounts {
        let key = try TestAccounts.key.get()
        return try TestAccounts.production { policy in
            policy.providers.insert(Self.provider)
            policy.identityProviders[Self.provider] = TokenIssuer(
                TokenRequirements(issuer: "https://idp.example.com", audiences: ["app"]), keys: IssuerKeys(VerificationKeySet([key.publicKey])))
            change(&policy)
        }
    }

    private func providerToken(_ accounts: TestAccounts) throws -> String {
        let now = accounts.clock.now() / 1_000_000
        return try TestAccounts.key.get().sign([
            ("iss", .string("https://idp.example.com")), ("aud", .string("app")), ("sub", .string("thief")), ("iat", .number(now)),
            ("exp", .number(now + 600)),
        ])
    }

    private func signUp(_ service: AccountService, _ email: String, linkingTo token: String? = nil) async -> String? {
        await code { () throws(AccountError) in
            _ = try await service.signUp(email: email, password: "secret2", displayName: nil, linkingTo: token, from: address)
        }
    }

    private func linkCode(_ service: AccountService, _ email: String) async throws -> String {
        try await service.sendCode(.init(purpose: .emailSignIn, email: email, continueURL: "http://localhost/"), isPrivileged: false, from: address).code
    }

    // MARK: Recent sign-ins

    static let changes = ["signUp", "e-mail link", "changeEmail", "delete EMAIL", "delete PASSWORD", "provider"]

    private func attempt(_ change: String, _ accounts: TestAccounts, _ token: String) async throws -> String? {
        let service = try accounts.service()
        let (linkCode, providerToken) = (try await linkCode(service, "a@b.c"), try providerToken(accounts))
        return await code { () throws(AccountError) in
            switch change {
            case "signUp": _ = try await service.signUp(email: "a@b.c", password: "secret2", displayName: nil, linkingTo: token, from: address)
            case "e-mail link": _ = try await service.signIn(email: "a@b.c", code: linkCode, linkingTo: token, from: address)
            case "changeEmail":
                _ = try await service.sendCode(.init(purpose: .changeEmail, idToken: token, newEmail: "new@b.c"), isPrivileged: false, from: address)
            case "provider":
                _ = try await service.signIn(provider: Self.provider, providerToken: providerToken, linkingTo: token, from: address)
            default:
                let attribute = change == "delete EMAIL" ? "EMAIL" : "PASSWORD"
                _ = try await service.update(idToken: token, AccountChange(deletedAttributes: [attribute]), from: address)
            }
        }
    }

    @Test(arguments: changes) func `a token changes the credentials of its user only after a recent sign-in`(change: String) async throws {
        let accounts = try production()
        let service = try accounts.service()
        let old = try await service.signUp(email: "a@b.c", password: "secret1", displayName: nil, linkingTo: nil, from: address)
        accounts.advance(301)
        let before = try await service.account(id: old.account.id)
        let refused = try await attempt(change, accounts, old.idToken)
        #expect(refused == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        let after = try await service.account(id: old.account.id)
        #expect(after == before && accounts.sent.allSatisfy { $0.newEmail == nil })
        let recent = try await service.signIn(email: "a@b.c", password: "secret1", from: address)
        let allowed = try await attempt(change, accounts, recent.idToken)
        #expect(allowed == nil)
    }

    @Test(arguments: ["signUp", "e-mail link", "provider"]) func `an anonymous user, who cannot sign in again, links weeks later`(change: String) async throws {
        let accounts = try production()
        let service = try accounts.service()
        let anonymous = try await service.signUpAnonymously(from: address)
        accounts.advance(30 * 86_400)
        let token = try await service.refresh(anonymous.refreshToken, from: address).idToken
        let linked = try await attempt(change, accounts, token)
        #expect(linked == nil)
        let account = try #require(try await service.account(id: anonymous.account.id))
        #expect(!account.isAnonymous)
        // From now on there is something to sign in with.
        accounts.advance(10)
        let again = try await attempt(change, accounts, token)
        #expect(again == (change == "signUp" ? "TOKEN_EXPIRED" : "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"))
    }

    @Test func `a link does not change an address without a code to the new one`() async throws {
        let accounts = try production()
        let service = try accounts.service()
        let user = try await service.signUp(email: "a@b.c", password: "secret1", displayName: nil, linkingTo: nil, from: address)
        let error = await signUp(service, "new@b.c", linkingTo: user.idToken)
        #expect(error == "OPERATION_NOT_ALLOWED : Please verify the new email before changing email.")
        // Where privacy is off, it does.
        service.switches.withLock { $0.hidesEmails = false }
        #expect(await signUp(service, "new@b.c", linkingTo: user.idToken) == nil)
    }

    // MARK: Changes at the same time

    /// A clock that does something when it is looked at for a certain time.
    private final class EventfulClock: WallClock {
        private let time: Int64
        private let looks = Mutex(0)
        private let look: Int
        private let event: @Sendable () -> Void

        init(_ time: Int64, at look: Int, _ event: @escaping @Sendable () -> Void) { (self.time, self.look, self.event) = (time, look, event) }

        func now() -> Int64 {
            let count = looks.withLock { count in
                count += 1
                return count
            }
            if count == look { event() }
            return time
        }
    }

    /// The last look at the clock before the transaction, when the ID token has been verified and its account has been read.
    @Test(arguments: [("e-mail link", 3), ("provider", 4)])
    func `a change of an account while it is linked is not undone`(change: String, look: Int) async throws {
        let accounts = try production()
        let service = try accounts.service()
        let user = try await service.signUpAnonymously(from: address)
        let (linkCode, providerToken) = (try await linkCode(service, "a@b.c"), try providerToken(accounts))
        let store = service.store
        let clock = EventfulClock(accounts.clock.now(), at: look) {
            #expect(throws: Never.self) {
                try store.writeNow { transaction in
                    guard var account = try transaction.account(id: user.account.id) else { return }
                    (account.isDisabled, account.displayName, account.validSince) = (true, "Disabled", account.validSince + 1)
                    try transaction.store(account)
                }
            }
        }
        let linking = try AccountService(service.policy, store: store, key: service.key, clock: clock)
        let error = await code { () throws(AccountError) in
            if change == "provider" {
                _ = try await linking.signIn(provider: Self.provider, providerToken: providerToken, linkingTo: user.idToken, from: address)
            } else {
                _ = try await linking.signIn(email: "a@b.c", code: linkCode, linkingTo: user.idToken, from: address)
            }
        }
        #expect(error == "TOKEN_EXPIRED")
        let account = try #require(try await service.account(id: user.account.id))
        #expect(account.isDisabled && account.displayName == "Disabled" && account.isAnonymous)
    }

    @Test func `a provider that has verified an address ends the streams of the account that claimed it before`() async throws {
        let accounts = try production()
        let service = try accounts.service()
        let claimed = try await service.signUp(email: "a@b.c", password: "secret1", displayName: nil, linkingTo: nil, from: address)
        let now = accounts.clock.now() / 1_000_000
        let token = try TestAccounts.key.get().sign([
            ("iss", .string("https://idp.example.com")), ("aud", .string("app")), ("sub", .string("holder")), ("iat", .number(now)),
            ("exp", .number(now + 600)), ("email", .string("a@b.c")), ("email_verified", .boolean(true)),
        ])
        for _ in 0..<2 {
            let signIn = try await service.signIn(provider: Self.provider, providerToken: token, linkingTo: nil, from: address).0
            #expect(signIn.account.id == claimed.account.id && signIn.account.passwordHash == nil)
        }
        // Once: the second sign-in has nothing to end.
        #expect(accounts.ended == [claimed.account.id])
    }

    // MARK: Which addresses have accounts

    @Test(arguments: ["signUp", "update"]) func `asking whether an address is taken is bounded as sign-ups are`(change: String) async throws {
        let accounts = try production { policy in
            policy.budgets = .unlimited
            policy.budgets.signUps = AttemptBudget(burst: 2, every: 3_600)
        }
        let service = try accounts.service()
        _ = try await service.signUp(email: "a@b.c", password: "secret1", displayName: nil, linkingTo: nil, from: "198.51.100.1")
        let token = try await service.signUpAnonymously(from: address).idToken
        func ask() async -> String? {
            if change == "signUp" { return await signUp(service, "a@b.c", linkingTo: token) }
            return await code { () throws(AccountError) in _ = try await service.update(idToken: token, AccountChange(email: "a@b.c"), from: address) }
        }
        #expect(await ask() == "EMAIL_EXISTS")
        #expect(await ask() == "TOO_MANY_ATTEMPTS_TRY_LATER")
    }
}
