// SPDX-License-Identifier: Apache-2.0
package import FirestoreRPC
package import FirestoreTokens

/// The settings of a server's accounts. Everything that the emulator does without proof is in development mode only.
package struct AccountSettings: Sendable {
    /// Where links in e-mails lead. Firebase's own page is there, so that apps that look at links recognize these.
    static let actionPath = "/__/auth/action"

    package let isDevelopment: Bool
    package let port: Int
    package let host: String
    /// nil in development mode, where the address of the listener is used.
    package let url: AccountURL?
    package let project: String
    package let providers: [String]
    package let continueDomains: [String]
    package let maximumAccounts: Int
    package let signUpsPerHour: Int
    package let mailCommand: String?
    /// The file of the keys that custom tokens are verified with.
    package let customTokenKeys: String?
    /// Lowered by tests.
    package var passwordCost = PasswordHash.Cost.standard
    /// The advice for the operator in rejections and in the log.
    package var advice = OperatorAdvice.none
    private let customTokens: TokenIssuer?

    package init(
        isDevelopment: Bool, port: Int, host: String, url: AccountURL?, project: String, providers: [String], continueDomains: [String],
        maximumAccounts: Int, signUpsPerHour: Int, mailCommand: String?, customTokenKeys: String?, customTokens: TokenIssuer?
    ) {
        self.isDevelopment = isDevelopment
        self.port = port
        self.host = host
        self.url = url
        self.project = project
        self.providers = providers
        self.continueDomains = continueDomains
        self.maximumAccounts = maximumAccounts
        self.signUpsPerHour = signUpsPerHour
        self.mailCommand = mailCommand
        self.customTokenKeys = customTokenKeys
        self.customTokens = customTokens
    }

    /// The policy for the accounts of a project. `base` is the address at which clients reach them.
    package func policy(project: String, base: String) -> AccountPolicy {
        guard !isDevelopment else {
            var policy = AccountPolicy.development(project: project, actionURL: base + "/emulator/action")
            policy.maximumAccounts = maximumAccounts
            policy.passwordCost = passwordCost
            return policy
        }
        var policy = AccountPolicy.production(project: project, issuer: base, actionURL: base + Self.actionPath)
        policy.providers = Set(providers)
        policy.maximumAccounts = maximumAccounts
        policy.budgets.signUps = AttemptBudget(burst: signUpsPerHour, every: 3_600 / Double(signUpsPerHour))
        policy.continueHosts = Set(continueDomains.isEmpty ? [url?.host].compactMap(\.self) : continueDomains)
        policy.customTokens = customTokens
        policy.passwordCost = passwordCost
        return policy
    }
}

/// An address under which a server is reached: `https://auth.example.com`, or `http` on this machine.
package struct AccountURL: Sendable {
    /// As given, without slashes at the end.
    package let text: String
    package let host: String
    /// Scheme, host and port.
    package let origin: String

    package init(text: String, host: String, origin: String) {
        self.text = text
        self.host = host
        self.origin = origin
    }
}
