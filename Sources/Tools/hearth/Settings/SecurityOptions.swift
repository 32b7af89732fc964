// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The settings about security, which `SecuritySettings` interprets.
struct SecurityOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Judge requests by the security rules of this file; with DATABASE= those of one database. May be repeated.",
            valueName: "[database=]file"),
        completion: .file(extensions: ["rules"]))
    var rules: [String] = []

    @Flag(help: "Refuse lists that rules would grant although the filters of the query do not prove it.")
    var strictLists = false

    @Flag(help: "Without --rules: let every client that reaches the port read and write everything, also from other machines.")
    var allowEverything = false

    @Flag(
        help: """
            Believe tokens without proof, like the emulators; for loopback only. (default: if none of --rules, --auth, \
            --admin-key-file, --tls-cert, --firebase-project and --issuer is given)
            """)
    var development = false

    @Option(
        help: ArgumentHelp("Accept the ID tokens of this Firebase project, verified with Google's keys. May be repeated.", valueName: "id"))
    var firebaseProject: [String] = []

    @Option(help: .hidden)
    var firebaseKeysURL: String?

    @Option(
        help: ArgumentHelp("Accept the tokens of the OpenID issuer that this JSON file describes. May be repeated.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var issuer: [String] = []

    @Option(help: ArgumentHelp("The difference of clocks that is tolerated in tokens, at most 300.", valueName: "seconds"))
    var tokenSkew = 60

    @Option(
        help: ArgumentHelp("A file with one or two administrator keys; `hearth admin-key` makes one.", valueName: "file"),
        completion: .file())
    var adminKeyFile: String?

    @Option(
        help: ArgumentHelp(
            "The address, or block of addresses, of a reverse proxy whose X-Forwarded-For is believed. May be repeated.",
            valueName: "address[/bits]"))
    var trustedProxy: [String] = []
}
