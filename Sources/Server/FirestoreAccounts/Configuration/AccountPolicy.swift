// SPDX-License-Identifier: Apache-2.0
package import FirestoreTokens

/// The features that an accounts service permits. `production` starts with everything closed, `development` answers as
/// the Auth emulator does.
package struct AccountPolicy: Sendable {
    package enum Mode: Sendable {
        case production
        /// For loopback only: unsigned tokens, codes that can be listed, no limits.
        case development
    }

    package let mode: Mode
    package let project: String
    /// `iss` and `aud` of the tokens.
    package var issuer: String
    package var audience: String
    /// The ways to sign in: `anonymous`, `password`, `emailLink`, `custom`, and ids of other providers.
    package var providers: Set<String>
    /// Whether responses conceal which e-mail addresses have accounts. Always on in production.
    package var hidesEmails: Bool
    /// Whether ID tokens carry a signature. In development mode they do not by default, because the libraries that are set to an emulator
    /// expect tokens without one; some reject others.
    package var signsTokens: Bool
    /// Sign-ups are rejected beyond this number; administrators may create more.
    package var maximumAccounts = 1_000_000
    package var budgets: AttemptBudgets
    package var passwordCost = PasswordHash.Cost.standard
    /// The page that links in e-mails open. The code and its purpose are appended.
    package var actionURL: String
    /// The hosts, and with them all hosts below, that links may continue to.
    package var continueHosts: Set<String> = ["localhost", "127.0.0.1"]
    /// Verifies custom tokens; without it they are rejected in production.
    package var customTokens: TokenIssuer?
    /// Verifies the ID tokens of other providers, by provider id.
    package var identityProviders: [String: TokenIssuer] = [:]

    package static func production(project: String, issuer: String, actionURL: String) -> AccountPolicy {
        AccountPolicy(
            mode: .production, project: project, issuer: issuer, audience: project, providers: [], hidesEmails: true, signsTokens: true,
            budgets: .standard, actionURL: actionURL)
    }

    package static func development(project: String, actionURL: String = "http://127.0.0.1:9099/emulator/action") -> AccountPolicy {
        AccountPolicy(
            mode: .development, project: project, issuer: "https://securetoken.google.com/" + project, audience: project,
            providers: ["anonymous", "password", "emailLink", "custom"], hidesEmails: false, signsTokens: false, budgets: .unlimited,
            actionURL: actionURL)
    }

    /// `iss` of session cookies.
    package var cookieIssuer: String { isDevelopment ? "https://session.firebase.google.com/" + project : issuer + "/session" }

    package var isDevelopment: Bool { mode == .development }

    /// In development mode every provider can be used.
    func allows(_ provider: String) -> Bool { isDevelopment || providers.contains(provider) }
}
