// SPDX-License-Identifier: Apache-2.0
import FirestoreAuthentication
import FirestoreStorage

/// The security settings, checked against each other.
struct SecuritySettings {
    let rules: [RulesArgument]
    /// Tokens are accepted without proof, and rules can be replaced over HTTP.
    let isDevelopment: Bool
    /// Whether that follows from the absence of other settings.
    let isDevelopmentImplied: Bool
    let trustedProxies: TrustedProxies

    let strictLists: Bool
    let adminKeyFile: String?
    let firebaseProjects: [String]
    let issuerFiles: [String]
    let tokenSkew: Int
    private let firebaseKeysURL: String?
    private let allowsEverything: Bool

    init(_ plan: ServerPlan) throws(StartRefusal) {
        let values = plan.values
        rules = try StartRefusal.of { try values[SecurityGuest.rules].map(RulesArgument.init) }
        do throws(TrustedProxies.Refusal) {
            trustedProxies = try TrustedProxies(values[SecurityGuest.trustedProxy])
        } catch {
            throw StartRefusal(
                "--trusted-proxy: \"\(error.text)\" is not an address; give one such as 10.0.0.7, or a block such as 10.0.0.0/24")
        }
        strictLists = values[SecurityGuest.strictLists]
        adminKeyFile = values[SecurityGuest.adminKeyFile]
        firebaseProjects = values[SecurityGuest.firebaseProject]
        issuerFiles = values[SecurityGuest.issuer]
        tokenSkew = values[SecurityGuest.tokenSkew]
        firebaseKeysURL = values[SecurityGuest.firebaseKeysURL]
        allowsEverything = values[SecurityGuest.allowEverything]
        let isChosen = values.isGiven(SecurityGuest.development)
        let isImplied = LoopbackAddress.names(plan.host) && !ServerSettings.all.contains { $0.endsDevelopment && values.has($0) }
        isDevelopment = isChosen ? values[SecurityGuest.development] : isImplied
        isDevelopmentImplied = !isChosen && isDevelopment
        try check(plan.host, isShared: plan.isShared)
    }

    private func check(_ host: String, isShared: Bool) throws(StartRefusal) {
        let isLocal = LoopbackAddress.names(host)
        if isDevelopment {
            guard isLocal else {
                throw StartRefusal(
                    "--development believes every token, so the server must listen on a loopback address such as 127.0.0.1, not on \(host)")
            }
            guard firebaseProjects.isEmpty, issuerFiles.isEmpty else {
                let option = firebaseProjects.isEmpty ? "--issuer" : "--firebase-project"
                throw StartRefusal("--development believes tokens without proof, so \(option) has no meaning; omit one of the two")
            }
        }
        // The rules of a cluster are not known yet.
        if rules.isEmpty, !isLocal, !allowsEverything, !isShared { throw StartRefusal(Self.openText(host)) }
        if !rules.isEmpty, allowsEverything { throw StartRefusal("--allow-everything and --rules exclude each other") }
        var databases: Set<String> = []
        for argument in rules where !databases.insert(argument.database ?? "").inserted {
            let whose = argument.database.map { "the database \($0)" } ?? "all databases"
            throw StartRefusal("--rules names two files for \(whose)")
        }
        guard (0...300).contains(tokenSkew) else {
            throw StartRefusal("--token-skew must lie between 0 and 300, not \(tokenSkew)")
        }
        for project in firebaseProjects where !Self.isProject(project) {
            throw StartRefusal("--firebase-project: \"\(project)\" is not the id of a project")
        }
    }

    private static func openText(_ host: String) -> String {
        "without --rules, every client that reaches \(host) could read and write everything; give --rules FILE, "
            + "listen on 127.0.0.1, or confirm with --allow-everything"
    }

    /// Checks what depends on the rules of a cluster.
    func check(_ rulesets: [ClusterRuleset], host: String) throws(StartRefusal) {
        if rulesets.isEmpty, rules.isEmpty, !LoopbackAddress.names(host), !allowsEverything {
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
            if !firebaseProjects.isEmpty, let url = firebaseKeysURL {
                keys = try KeyAddress(url, named: "--firebase-keys-url")
            }
            return IssuerSettings(
                firebaseProjects: firebaseProjects, firebaseKeys: keys, issuerFiles: issuerFiles,
                tokenSkew: tokenSkew, isDevelopment: isDevelopment)
        }
    }
}
