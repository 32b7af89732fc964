// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreAccounts

/// Codes by e-mail.
@Suite(.timeLimit(.minutes(2)))
struct CodeTests {
    private let address = TestAccounts.address

    private func opened(_ accounts: TestAccounts) async throws -> (AccountService, SignIn) {
        let service = try accounts.service()
        return (service, try await service.signUp(email: "a@b.c", password: "secret1", displayName: nil, linkingTo: nil, from: address))
    }

    @Test func `a code resets the password once, and ends all sessions`() async throws {
        let accounts = try TestAccounts.production()
        let (service, signIn) = try await opened(accounts)
        _ = try await service.sendCode(.init(purpose: .passwordReset, email: "A@B.c"), isPrivileged: false, from: address)
        let mail = try #require(accounts.sent.last)
        #expect(mail.recipient == "a@b.c" && mail.requestType == "PASSWORD_RESET" && mail.code.utf8.count == 22)
        #expect(mail.link == "https://auth.example.com/action?mode=resetPassword&lang=en&oobCode=\(mail.code)")
        // Clients look for the key of their app in the link; what else a caller sends does not get there.
        for (key, end) in [("AIza-Sy_1", "&apiKey=AIza-Sy_1"), ("a&continueUrl=https://evil.example", "")] {
            let other = try await service.sendCode(.init(purpose: .passwordReset, email: "a@b.c", apiKey: key), isPrivileged: false, from: "x")
            #expect(other.link == "https://auth.example.com/action?mode=resetPassword&lang=en&oobCode=\(other.code)" + end)
        }
        let known = try await service.inspect(code: mail.code, from: address)
        #expect(known.email == "a@b.c")
        _ = try await service.resetPassword(code: mail.code, to: "secret2", from: address)
        let again = await code { () throws(AccountError) in _ = try await service.resetPassword(code: mail.code, to: "secret3", from: address) }
        #expect(again == "INVALID_OOB_CODE")
        let refresh = await code { () throws(AccountError) in _ = try await service.refresh(signIn.refreshToken, from: address) }
        #expect(refresh == "INVALID_REFRESH_TOKEN")
        let account = try await service.signIn(email: "a@b.c", password: "secret2", from: address).account
        #expect(account.isEmailVerified)
    }

    @Test func `a code is valid for an hour`() async throws {
        let accounts = try TestAccounts.production()
        let (service, _) = try await opened(accounts)
        let mail = try await service.sendCode(.init(purpose: .passwordReset, email: "a@b.c"), isPrivileged: false, from: address)
        accounts.advance(3_600)
        let error = await code { () throws(AccountError) in _ = try await service.inspect(code: mail.code, from: address) }
        #expect(error == "EXPIRED_OOB_CODE")
    }

    @Test func `an unknown address looks like a known one, and its code opens nothing`() async throws {
        let accounts = try TestAccounts.production()
        let service = try accounts.service()
        let mail = try await service.sendCode(.init(purpose: .passwordReset, email: "no@b.c"), isPrivileged: false, from: address)
        #expect(accounts.sent.isEmpty)
        let error = await code { () throws(AccountError) in _ = try await service.resetPassword(code: mail.code, to: "secret2", from: address) }
        #expect(error == "INVALID_OOB_CODE")
        let development = try TestAccounts.development()
        let plain = await code { () throws(AccountError) in _ = try await development.opened().sendCode(.init(purpose: .passwordReset, email: "no@b.c"), isPrivileged: false, from: address) }
        #expect(plain == "EMAIL_NOT_FOUND")
    }

    @Test func `codes verify and change addresses, and a code for one purpose does not serve another`() async throws {
        let accounts = try TestAccounts.production()
        let (service, signIn) = try await opened(accounts)
        let verify = try await service.sendCode(.init(purpose: .verifyEmail, idToken: signIn.idToken), isPrivileged: false, from: address)
        let wrong = await code { () throws(AccountError) in _ = try await service.resetPassword(code: verify.code, to: "secret2", from: address) }
        #expect(wrong == "INVALID_OOB_CODE")
        let verified = try await service.apply(code: verify.code, from: address)
        #expect(verified.isEmailVerified && verified.email == "a@b.c")
        let change = try await service.sendCode(
            .init(purpose: .changeEmail, idToken: signIn.idToken, newEmail: "new@b.c"), isPrivileged: false, from: address)
        #expect(change.recipient == "new@b.c" && change.email == "a@b.c")
        let changed = try await service.apply(code: change.code, from: address)
        #expect(changed.email == "new@b.c" && changed.isEmailVerified)
        let old = await code { () throws(AccountError) in _ = try await service.authenticate(signIn.idToken) }
        #expect(old == "TOKEN_EXPIRED")
    }

    @Test func `a link signs in, and ends the password of an address that was never proved`() async throws {
        let accounts = try TestAccounts.production()
        let (service, signIn) = try await opened(accounts)
        let mail = try await service.sendCode(
            .init(purpose: .emailSignIn, email: "a@b.c", continueURL: "http://localhost/done"), isPrivileged: false, from: address)
        let other = await code { () throws(AccountError) in _ = try await service.signIn(email: "x@b.c", code: mail.code, linkingTo: nil, from: address) }
        #expect(other?.hasPrefix("INVALID_EMAIL") == true)
        let linked = try await service.signIn(email: "a@b.c", code: mail.code, linkingTo: nil, from: address)
        #expect(linked.account.id == signIn.account.id && linked.account.passwordHash == nil && linked.account.isEmailVerified)
        // Streams of the other person end, too.
        #expect(accounts.ended == [signIn.account.id])
        let password = await code { () throws(AccountError) in _ = try await service.signIn(email: "a@b.c", password: "secret1", from: address) }
        #expect(password == "INVALID_LOGIN_CREDENTIALS")
    }

    static let urls: [(url: String, error: String?)] = [
        ("https://app.example.com/x?y=1", nil), ("https://app.example.com:8443", nil), ("http://localhost:3000/", nil),
        ("https://example.com", nil), ("https://evil.com/app.example.com", "UNAUTHORIZED_DOMAIN"), ("https://notexample.com", "UNAUTHORIZED_DOMAIN"),
        ("https://example.com.evil.com", "UNAUTHORIZED_DOMAIN"), ("https://example.com@evil.com", "INVALID_CONTINUE_URI"),
        ("https://evil.com\\@example.com", "INVALID_CONTINUE_URI"), ("https://evil.com%2f.example.com", "INVALID_CONTINUE_URI"),
        ("javascript:alert(1)", "INVALID_CONTINUE_URI"), ("//example.com", "INVALID_CONTINUE_URI"), ("https://", "INVALID_CONTINUE_URI"),
        ("https://exa\nmple.com", "INVALID_CONTINUE_URI"),
    ]

    @Test(arguments: urls) func `links continue to configured hosts only`(row: (url: String, error: String?)) async throws {
        let accounts = try TestAccounts.production { $0.continueHosts.insert("example.com") }
        let (service, _) = try await opened(accounts)
        let error = await code { () throws(AccountError) in
            _ = try await service.sendCode(.init(purpose: .passwordReset, email: "a@b.c", continueURL: row.url), isPrivileged: false, from: address)
        }
        #expect(error?.split(separator: " ").first.map(String.init) == row.error)
    }
}
