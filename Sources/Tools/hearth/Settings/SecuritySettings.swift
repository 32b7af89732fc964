// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAuthentication
import FirestoreStorage

/// The security settings, checked against each other.
struct SecuritySettings {
    /// The other settings, as far as they matter here.
    struct Surroundings {
        /// The address that the server listens on.
        var host: String
        var usesTLS: Bool
        /// Whether the server has accounts (`--auth`).
        var hasAccounts = false
        /// Whether the rules can be those of a cluster, which are not known yet.
        var hasStore = false
    }

    /// The values in effect, as far as they are not interpreted below.
    let options: SecurityOptions
    let rules: [RulesArgument]
    /// Tokens are accepted without proof, and rules can be replaced over HTTP.
    let isDevelopment: Bool
    /// Whether that follows from the absence of other settings.
    let isDevelopmentImplied: Bool
    let trustedProxies: TrustedProxies

    /// `chosen`: whether development mode is on; nil if that follows from the other settings.
    init(_ options: SecurityOptions, isDevelopment chosen: Bool?, _ surroundings: Surroundings) throws {
        self.options = options
        rules = try options.rules.map(RulesArgument.init)
        do throws(TrustedProxies.Refusal) {
            trustedProxies = try TrustedProxies(options.trustedProxy)
        } catch {
            throw ValidationError(
                "--trusted-proxy: \"\(error.text)\" is not an address; give one such as 10.0.0.7, or a block such as 10.0.0.0/24")
        }
        let isLocal = LoopbackAddress.names(surroundings.host)
        let isSecured =
            !rules.isEmpty || !options.firebaseProject.isEmpty || !options.issuer.isEmpty || options.adminKeyFile != nil
            || surroundings.usesTLS || surroundings.hasAccounts
        isDevelopment = chosen ?? (!isSecured && isLocal)
        isDevelopmentImplied = chosen == nil && isDevelopment
        try check(surroundings, isLocal: isLocal)
    }

    private func check(_ surroundings: Surroundings, isLocal: Bool) throws {
        let host = surroundings.host
        if isDevelopment {
            guard isLocal else {
                throw ValidationError(
                    "--development believes every token, so the server must listen on a loopback address such as 127.0.0.1, not on \(host)")
            }
            guard options.firebaseProject.isEmpty, options.issuer.isEmpty else {
                let option = options.firebaseProject.isEmpty ? "--issuer" : "--firebase-project"
                throw ValidationError("--development believes tokens without proof, so \(option) has no meaning; omit one of the two")
            }
        }
        if rules.isEmpty, !isLocal, !options.allowEverything, !surroundings.hasStore { throw ValidationError(Self.openText(host)) }
        if !rules.isEmpty, options.allowEverything {
            throw ValidationError("--allow-everything and --rules exclude each other")
        }
        var databases: Set<String> = []
        for argument in rules where !databases.insert(argument.database ?? "").inserted {
            let whose = argument.database.map { "the database \($0)" } ?? "all databases"
            throw ValidationError("--rules names two files for \(whose)")
        }
        guard (0...300).contains(options.tokenSkew) else {
            throw ValidationError("--token-skew must lie between 0 and 300, not \(options.tokenSkew)")
        }
        for project in options.firebaseProject where !Self.isProject(project) {
            throw ValidationError("--firebase-project: \"\(project)\" is not the id of a project")
        }
    }

    private static func openText(_ host: String) -> String {
        "without --rules, every client that reaches \(host) could read and write everything; give --rules FILE, "
            + "listen on 127.0.0.1, or confirm with --allow-everything"
    }

    /// Checks what depends on the rules of a cluster.
    func check(_ rulesets: [ClusterRuleset], host: String) throws(StartRefusal) {
        if rulesets.isEmpty, rules.isEmpty, !LoopbackAddress.names(host), !options.allowEverything {
            throw StartRefusal(
                "the cluster has no rules, and every client that reaches \(host) could read and write everything; run "
                    + "`hearth rules deploy FILE` first, listen on 127.0.0.1, or confirm with --allow-everything")
        }
        if !rulesets.isEmpty, isDevelopmentImplied {
            throw StartRefusal(
                "the cluster has rules, and a node without an option about security would be in development mode, where tokens need no "
                    + "proof; give --development to confirm that, or --rules FILE with the file that is deployed")
        }
    }

    /// The ids of Google's projects: letters, digits and hyphens, in old ones also colons and points.
    private static func isProject(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || "-.:".utf8.contains(byte)
            }
    }

    var issuers: IssuerSettings {
        get throws(StartRefusal) {
            var keys: KeyAddress?
            if !options.firebaseProject.isEmpty, let url = options.firebaseKeysURL {
                keys = try KeyAddress(url, named: "--firebase-keys-url")
            }
            return IssuerSettings(
                firebaseProjects: options.firebaseProject, firebaseKeys: keys, issuerFiles: options.issuer,
                tokenSkew: options.tokenSkew, isDevelopment: isDevelopment)
        }
    }
}
