// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAuthentication
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import FirestoreStorage
import Logging

/// Who may call, and what rules grant.
struct SecurityGuest: ServerGuest {
    static let title: String? = "Security"
    static let rules = Setting<[String]>(
        "rules", [], "Judge requests by the security rules of this file; with DATABASE= those of one database. May be repeated.",
        value: "[database=]file", completion: .file(extensions: ["rules"]), endsDevelopment: true)
    static let strictLists = Setting(
        "strict-lists", false, "Refuse lists that rules would grant although the filters of the query do not prove it.")
    static let allowEverything = Setting(
        "allow-everything", false,
        "Without --rules: let every client that reaches the port read and write everything, also from other machines.")
    static let development = Setting(
        "development", false,
        """
        Believe tokens without proof, like the emulators; for loopback only. (default: if none of --rules, --auth, \
        --admin-key-file, --tls-cert, --firebase-project and --issuer is given)
        """)
    static let firebaseProject = Setting<[String]>(
        "firebase-project", [], "Accept the ID tokens of this Firebase project, verified with Google's keys. May be repeated.",
        value: "id", endsDevelopment: true)
    static let firebaseKeysURL = Setting<String?>("firebase-keys-url", nil, "", isHidden: true)
    static let issuer = Setting<[String]>(
        "issuer", [], "Accept the tokens of the OpenID issuer that this JSON file describes. May be repeated.", value: "file",
        completion: .file(extensions: ["json"]), endsDevelopment: true)
    static let tokenSkew = Setting("token-skew", 60, "The difference of clocks that is tolerated in tokens, at most 300.", value: "seconds")
    static let adminKeyFile = Setting<String?>(
        "admin-key-file", nil, "A file with one or two administrator keys; `hearth admin-key` makes one.", value: "file",
        completion: .file(), endsDevelopment: true)
    static let trustedProxy = Setting<[String]>(
        "trusted-proxy", [],
        "The address, or block of addresses, of a reverse proxy whose X-Forwarded-For is believed. May be repeated.",
        value: "address[/bits]")

    static let settings: [any AnySetting] = [
        rules, strictLists, allowEverything, development, firebaseProject, firebaseKeysURL, issuer, tokenSkew, adminKeyFile, trustedProxy,
    ]

    static let commands: [any ParsableCommand.Type] = [AdminKeyCommand.self]

    let security: SecuritySettings

    init?(_ plan: inout ServerPlan) throws(StartRefusal) {
        security = try SecuritySettings(plan)
        plan.isDevelopment = security.isDevelopment
        plan.trustedProxies = security.trustedProxies
        plan.hasRules = !security.rules.isEmpty
        plan.firebaseProjects = security.firebaseProjects
        plan.projects += security.firebaseProjects
        plan.configurationFiles += [security.adminKeyFile].compactMap(\.self) + security.rules.map(\.path)
    }

    func complete(_ values: inout SettingValues) { values[Self.development] = security.isDevelopment }

    func open(_ start: inout ServerStart) -> any ServerPart { SecurityPart(security) }
}

/// The security of a server that starts or runs. The issuers of other guests are known once all are open.
final class SecurityPart: ServerPart {
    private let settings: SecuritySettings
    private let joined = Mutex<ServerSecurity?>(nil)

    init(_ settings: SecuritySettings) { self.settings = settings }

    /// nil until the guest has joined.
    var served: ServerSecurity? { joined.withLock(\.self) }

    func join(_ start: inout ServerStart) throws(StartRefusal) {
        let served = try ServerSecurity(settings, start)
        joined.withLock { $0 = served }
        if let nodes = start.cluster?.nodes { try check(nodes, served, start) }
        start.configuration.authentication = served.authentication
        start.configuration.rules = served.ruleFiles.rules
        start.configuration.clientAddress = { [proxies = settings.trustedProxies] call in IPAddress.network(of: proxies.client(of: call)) }
        start.identitiesChanged = { [weak served] in served?.identitiesChanged() }
        start.isProtected = { served.isProtected($0) }
        start.strictLists = settings.strictLists
    }

    /// The rules of a node must be those of its cluster.
    private func check(_ nodes: any ClusterNodes, _ served: ServerSecurity, _ start: ServerStart) throws(StartRefusal) {
        let rulesets: [ClusterRuleset]
        do throws(FirestoreError) { rulesets = try nodes.rulesets() } catch { throw StartRefusal(error.message) }
        try settings.check(rulesets, host: start.plan.host)
        try served.ruleFiles.check(against: rulesets)
        if rulesets.isEmpty, !settings.isDevelopment {
            start.log.warning("the cluster has no rules: every client that reaches this port can read and write everything")
        }
    }

    func started(at address: RPCAddress) { served?.watch() }

    func reload() { served?.reload() }

    func stop() { served?.stop() }
}
