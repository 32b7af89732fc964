// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The settings of the accounts; nil where one is not given, which some of them must not be (see `AccountSettings`).
struct AccountOptions: ParsableArguments {
    static let defaultPort = 9_099

    @Option(
        defaultAsFlag: AccountOptions.defaultPort, parsing: .next,
        help: ArgumentHelp("Keep accounts, and answer sign-ins (Identity Toolkit) on this port; 0 selects a free one.", valueName: "port"))
    var auth: Int?

    @Option(help: "The address that sign-ins are answered on. (default: that of --host)")
    var authHost: String?

    @Option(
        help: ArgumentHelp(
            "Where clients reach the accounts: the issuer of tokens, and where links in e-mails lead. Required except in development.",
            valueName: "url"))
    var authURL: String?

    @Option(help: ArgumentHelp("The project that the accounts belong to. (default: that of --project)", valueName: "id"))
    var authProject: String?

    @Option(
        help: ArgumentHelp(
            "The ways to sign in: anonymous, password, emailLink, custom. (default: none; in development mode all)", valueName: "list"))
    var authProviders: [String] = []

    @Option(help: ArgumentHelp("The domains that links in e-mails may continue to. (default: that of --auth-url)", valueName: "list"))
    var authContinueDomains: [String] = []

    @Option(help: ArgumentHelp("Beyond this number only administrators can create accounts. (default: 1000000)", valueName: "n"))
    var authMaxAccounts: Int?

    @Option(help: ArgumentHelp("The number of accounts that one address may make in an hour. (default: 100)", valueName: "n"))
    var authSignUps: Int?

    @Option(
        help: ArgumentHelp(
            "Sends an e-mail: a shell command that reads a JSON object with kind, to, code and link from standard input.",
            valueName: "command"))
    var mailCommand: String?

    @Option(
        help: ArgumentHelp(
            "The public keys that verify custom tokens: a JSON web key set, or keys in PEM form.", valueName: "file"),
        completion: .file())
    var customTokenKeys: String?

    @Option(
        help: ArgumentHelp(
            "With --store: the key that tokens are signed with, an RSA key in PEM form. The same on every node.", valueName: "file"),
        completion: .file())
    var authKey: String?

    @Option(
        help: ArgumentHelp("With --store: another key whose tokens are accepted, while keys are rotated.", valueName: "file"),
        completion: .file())
    var authPreviousKey: String?
}
