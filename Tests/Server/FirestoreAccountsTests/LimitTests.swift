// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreAccounts

/// Guessing is slow, and memory and accounts are bounded.
@Suite(.timeLimit(.minutes(2)))
struct LimitTests {
    @Test func `wrong passwords use up the budget of an account, and right ones do not`() async throws {
        let accounts = try TestAccounts.production { policy in
            policy.budgets = .unlimited
            policy.budgets.failures = AttemptBudget(burst: 3, every: 60)
        }
        let service = try accounts.service()
        _ = try await service.signUp(email: "a@b.c", password: "secret1", displayName: nil, linkingTo: nil, from: "x")
        func attempt(_ password: String, _ email: String = "a@b.c") async -> String? {
            await code { () throws(AccountError) in _ = try await service.signIn(email: email, password: password, from: "x") }
        }
        for _ in 0..<9 { #expect(await attempt("secret1") == nil) }
        for _ in 0..<3 { #expect(await attempt("guess12") == "INVALID_LOGIN_CREDENTIALS") }
        #expect(await attempt("guess12") == "TOO_MANY_ATTEMPTS_TRY_LATER")
        #expect(await attempt("secret1") == "TOO_MANY_ATTEMPTS_TRY_LATER")
        // An address without an account is treated alike, so that the limit reveals nothing.
        for _ in 0..<3 { #expect(await attempt("guess12", "no@b.c") == "INVALID_LOGIN_CREDENTIALS") }
        #expect(await attempt("guess12", "no@b.c") == "TOO_MANY_ATTEMPTS_TRY_LATER")
        accounts.advance(60)
        #expect(await attempt("secret1") == nil)
    }

    /// Anyone can use up the wrong passwords of an account.
    @Test func `a locked account still opens for the devices of its owner, and after a reset of its password`() async throws {
        let accounts = try TestAccounts.production { policy in
            policy.budgets = .unlimited
            policy.budgets.failures = AttemptBudget(burst: 3, every: 60)
        }
        let service = try accounts.service()
        let device = try await service.signUp(email: "a@b.c", password: "secret1", displayName: nil, linkingTo: nil, from: "x")
        let other = try await service.signUpAnonymously(from: "x")
        func attempt(_ password: String, _ idToken: String? = nil) async -> String? {
            await code { () throws(AccountError) in _ = try await service.signIn(email: "a@b.c", password: password, idToken: idToken, from: "x") }
        }
        for _ in 0..<3 { _ = await attempt("guess12") }
        #expect(await attempt("secret1") == "TOO_MANY_ATTEMPTS_TRY_LATER")
        // A device with a refresh token continues, and proves the password again with its token.
        let refreshed = try await service.refresh(device.refreshToken, from: "x")
        #expect(await attempt("secret1", refreshed.idToken) == nil)
        // Its own guesses are counted, too, and tokens of others do not help.
        for _ in 0..<3 { #expect(await attempt("guess12", refreshed.idToken) == "INVALID_LOGIN_CREDENTIALS") }
        #expect(await attempt("secret1", refreshed.idToken) == "TOO_MANY_ATTEMPTS_TRY_LATER")
        for token in [other.idToken, "x", ""] { #expect(await attempt("secret1", token) == "TOO_MANY_ATTEMPTS_TRY_LATER") }
        // The holder of the address sets another password, and signs in with it immediately.
        let mail = try await service.sendCode(.init(purpose: .passwordReset, email: "a@b.c"), isPrivileged: false, from: "x")
        _ = try await service.resetPassword(code: mail.code, to: "secret2", from: "x")
        #expect(await attempt("secret2") == nil)
    }

    @Test func `sign-ups are bounded per address and in total`() async throws {
        let accounts = try TestAccounts.production { policy in
            policy.budgets = .unlimited
            policy.budgets.signUps = AttemptBudget(burst: 2, every: 3_600)
            policy.maximumAccounts = 3
        }
        let service = try accounts.service()
        func attempt(_ address: String) async -> String? {
            await code { () throws(AccountError) in _ = try await service.signUpAnonymously(from: address) }
        }
        let errors = [
            await attempt("2001:db8::1"), await attempt("2001:db8::2"), await attempt("2001:db8:0:0:9::"), await attempt("192.0.2.1"),
            await attempt("192.0.2.2"),
        ]
        #expect(errors == [nil, nil, "TOO_MANY_ATTEMPTS_TRY_LATER", nil, "QUOTA_EXCEEDED : The project has too many accounts"])
    }

    @Test func `the limiter tracks a bounded number of addresses`() {
        var limiter = AttemptLimiter(capacity: 100)
        let budget = AttemptBudget(burst: 1, every: 60)
        for number in 0..<1_000 {
            let isFirst = limiter.take("\(number)", budget, now: Int64(number))
            #expect(isFirst)
        }
        let again = limiter.take("999", budget, now: 1_000)
        #expect(!again)
    }

    @Test func `requests from very many addresses do not make guesses forgotten`() async throws {
        let accounts = try TestAccounts.production { policy in
            policy.budgets = .unlimited
            policy.budgets.requests = AttemptBudget(burst: 60, every: 1)
            policy.budgets.failures = AttemptBudget(burst: 1, every: 60)
        }
        let service = try accounts.service()
        func guess() async -> String? {
            await code { () throws(AccountError) in _ = try await service.signIn(email: "a@b.c", password: "guess12", from: "192.0.2.1") }
        }
        #expect(await guess() == "INVALID_LOGIN_CREDENTIALS")
        accounts.advance(1)
        for number in 0..<50_001 { try service.admit("\(number)") }
        #expect(await guess() == "TOO_MANY_ATTEMPTS_TRY_LATER")
    }

    @Test func `an account has a bounded number of sessions`() async throws {
        let accounts = try TestAccounts.production { $0.budgets = .unlimited }
        let service = try accounts.service()
        let first = try await service.signUp(email: "a@b.c", password: "secret1", displayName: nil, linkingTo: nil, from: "x")
        for _ in 0..<AccountTransaction.maximumSessions {
            accounts.advance(1)
            _ = try await service.signIn(email: "a@b.c", password: "secret1", from: "x")
        }
        let error = await code { () throws(AccountError) in _ = try await service.refresh(first.refreshToken, from: "x") }
        #expect(error == "INVALID_REFRESH_TOKEN")
    }

    @Test func `too many passwords at a time are rejected immediately`() async throws {
        let workers = PasswordWorkers(width: 1, waiting: 1)
        let results = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<8 {
                group.addTask { await code { () throws(AccountError) in _ = try await workers.run { (0..<200_000).reduce(0, ^) } } }
            }
            return await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(results.contains(nil) && results.allSatisfy { $0 == nil || $0 == "TOO_MANY_ATTEMPTS_TRY_LATER" })
    }
}
