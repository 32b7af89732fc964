// SPDX-License-Identifier: Apache-2.0
import FirestoreAccounts
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import hearth

struct AccountSettingsTests {
    private static func settings(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ServeSettings {
        try ServeSettings(words: arguments, environment: environment)
    }

    private static func accounts(_ arguments: [String], _ environment: [String: String] = [:]) throws -> AccountSettings {
        try #require(try settings(arguments, environment).guest(AccountsGuest.self)).accounts
    }

    private static let production = ["--auth", "9099", "--auth-url", "https://auth.example.com/", "--auth-project", "shop"]

    private static let development = ["--development", "--auth"]

    static let refused: [(arguments: [String], says: String)] = [
        (["--auth-url", "https://a.example"], "--auth-url has no effect without --auth"), (["--mail-command", "cat"], "--mail-command has no effect"),
        (["--auth-max-accounts", "5"], "--auth-max-accounts has no effect"),
        (["--auth"], "--auth needs --auth-url (the address under which clients reach the accounts, such as https://auth.example.com) and --auth-project or"),
        (["--auth", "--auth-url", "https://a.example.com"], "--auth needs --auth-project or --project"),
        (["--auth", "--project", "shop"], "--auth needs --auth-url"), (["--auth", "--project", "shop"], "add --development, which needs neither"),
        (["--auth", "65536", "--project", "shop"], "must lie between 0 and 65535"), (["--auth", "--auth-project", "../etc"], "is not a project id"),
        (["--auth", "--auth-project", ".hidden"], "is not a project id"), (["--auth", "--auth-project", "a/b"], "is not a project id"),
        (production + ["--auth-providers", "pasword"], "did you mean password?"), (production + ["--auth-providers", "google.com"], "is not one of anonymous"),
        (production + ["--auth-providers", "custom"], "custom needs --custom-token-keys"), (production + ["--custom-token-keys", "/does/not/exist"], "cannot be read"),
        (production + ["--auth-continue-domains", "https://example.com"], "is not a domain"), (production + ["--auth-continue-domains", ".com"], "is not a domain"),
        (production + ["--auth-continue-domains", "*"], "is not a domain"), (production + ["--auth-sign-ups", "0"], "--auth-sign-ups must be positive"),
        (production + ["--auth-max-accounts", "0"], "--auth-max-accounts must be positive"),
        (production + ["--firebase-project", "shop"], "verified by Google's keys or by ours, never by both"),
        (production + ["--firebase-project", "other", "--firebase-project", "shop"], "belong to the project shop"),
        (development + ["--auth-providers", "password"], "--auth-providers has no effect in development mode, where every way to sign in is enabled"),
        (development + ["--auth-continue-domains", "example.com"], "--auth-continue-domains has no effect in development mode"),
        (development + ["--auth-sign-ups", "5"], "--auth-sign-ups has no effect in development mode"),
        (development + ["--custom-token-keys", "/does/not/exist"], "leave it out, or start the server without --development"),
    ]

    @Test(arguments: refused.indices)
    func `invalid settings of accounts are rejected with advice`(index: Int) throws {
        let (arguments, says) = Self.refused[index]
        let error = #expect(throws: (any Error).self) { try Self.settings(arguments) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(says), "\(arguments): \(error.map { "\($0)" } ?? "")")
    }

    @Test(arguments: [
        "http://auth.example.com", "auth.example.com", "https://", "https://u:p@a.example", "https://a.example/?q=1", "https://a.example/#f", "ftp://a.example",
        "https://a.example/ b", "http://localhost.example.com", "",
    ])
    func `the address of the accounts uses TLS, or is on this machine`(url: String) {
        #expect(throws: (any Error).self) { try AccountURL(url) }
    }

    @Test(arguments: [
        ("https://auth.example.com/", "https://auth.example.com"), ("http://localhost:9099", "http://localhost:9099"), ("http://127.0.0.1:9099", "http://127.0.0.1:9099"),
        ("https://example.com/accounts//", "https://example.com/accounts"), ("http://app.localhost", "http://app.localhost"),
    ])
    func `an address has no slash at its end`(given: String, text: String) throws {
        #expect(try AccountURL(given).text == text)
    }

    @Test func `production starts with everything closed`() throws {
        let accounts = try Self.accounts(Self.production)
        let policy = accounts.policy(project: "shop", base: "https://auth.example.com")
        #expect(!policy.isDevelopment && policy.providers.isEmpty && policy.hidesEmails && policy.signsTokens)
        #expect(policy.issuer == "https://auth.example.com" && policy.audience == "shop" && policy.maximumAccounts == 1_000_000)
        #expect(policy.budgets.requests != nil && policy.budgets.signUps == AttemptBudget(burst: 100, every: 36) && policy.customTokens == nil)
        #expect(policy.continueHosts == ["auth.example.com"] && policy.actionURL == "https://auth.example.com/__/auth/action")
    }

    @Test func `users of another project may come from Google`() throws {
        #expect(try Self.accounts(Self.production + ["--firebase-project", "other"]).project == "shop")
    }

    @Test func `development mode needs no settings`() throws {
        let accounts = try Self.accounts(["--development", "--auth"])
        #expect(accounts.port == 9_099 && accounts.project == "demo-hearth" && accounts.host == "127.0.0.1" && accounts.isDevelopment)
        #expect(accounts.providers == ["anonymous", "password", "emailLink", "custom"])
        let policy = accounts.policy(project: "other", base: "http://127.0.0.1:9099")
        #expect(policy.issuer == "https://securetoken.google.com/other" && policy.audience == "other" && !policy.signsTokens)
    }

    @Test func `all settings can be given in the environment, and are printed`() throws {
        let environment = [
            "HEARTH_AUTH": "9100", "HEARTH_AUTH_HOST": "127.0.0.2", "HEARTH_AUTH_URL": "https://a.example", "HEARTH_AUTH_PROJECT": "shop",
            "HEARTH_AUTH_PROVIDERS": "anonymous,password", "HEARTH_AUTH_CONTINUE_DOMAINS": "a.example,B.example", "HEARTH_AUTH_MAX_ACCOUNTS": "7",
            "HEARTH_AUTH_SIGN_UPS": "3", "HEARTH_MAIL_COMMAND": "sendmail -t",
        ]
        let settings = try Self.settings([], environment)
        let json = settings.json
        let expected: [(name: String, text: String)] = [
            ("auth", "9100"), ("auth-host", "\"127.0.0.2\""), ("auth-url", "\"https://a.example\""), ("auth-project", "\"shop\""),
            ("auth-providers", #"["anonymous","password"]"#), ("auth-continue-domains", #"["a.example","b.example"]"#), ("auth-max-accounts", "7"), ("auth-sign-ups", "3"),
            ("mail-command", "\"sendmail -t\""),
        ]
        for (name, text) in expected { #expect(json[name]?.text() == text, "\(name)") }
        #expect(try Self.accounts(["--auth", "9101"], environment).port == 9_101)
    }

    @Test func `keys of custom tokens are read from a file`() throws {
        let folder = try ScratchFolder()
        let good = try folder.file("keys.json", #"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","kid":"a"}]}"#)
        let accounts = try Self.accounts(Self.production + ["--auth-providers", "custom", "--custom-token-keys", good])
        #expect(accounts.policy(project: "shop", base: "").customTokens != nil)
        let bad = try folder.file("bad.pem", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n")
        let error = #expect(throws: (any Error).self) { try Self.settings(Self.production + ["--custom-token-keys", bad]) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(bad))
    }
}
