// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAccounts
import FirestoreAuthentication
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import FirestoreStorage
import FirestoreTokens
import ServiceLifecycle

/// Accounts of the server's own, and the port on which they sign in.
struct AccountsGuest: ServerGuest {
    static let title: String? = "Accounts"
    private static let defaultPort = 9_099

    static let auth = Setting<Int?>(
        "auth", nil, "Keep accounts, and answer sign-ins (Identity Toolkit) on this port; 0 selects a free one.", value: "port",
        bareNumber: defaultPort, endsDevelopment: true)
    static let host = Setting<String?>("auth-host", nil, "The address that sign-ins are answered on. (default: that of --host)")
    static let url = Setting<String?>(
        "auth-url", nil,
        "Where clients reach the accounts: the issuer of tokens, and where links in e-mails lead. Required except in development.",
        value: "url")
    static let project = Setting<String?>(
        "auth-project", nil, "The project that the accounts belong to. (default: that of --project)", value: "id")
    static let providers = Setting<[String]?>(
        "auth-providers", nil, "The ways to sign in: anonymous, password, emailLink, custom. (default: none; in development mode all)",
        value: "list")
    static let continueDomains = Setting<[String]?>(
        "auth-continue-domains", nil, "The domains that links in e-mails may continue to. (default: that of --auth-url)", value: "list")
    static let maxAccounts = Setting<Int?>(
        "auth-max-accounts", nil, "Beyond this number only administrators can create accounts. (default: 1000000)", value: "n")
    static let signUps = Setting<Int?>(
        "auth-sign-ups", nil, "The number of accounts that one address may make in an hour. (default: 100)", value: "n")
    static let mailCommand = Setting<String?>(
        "mail-command", nil,
        "Sends an e-mail: a shell command that reads a JSON object with kind, to, code and link from standard input.", value: "command")
    static let customTokenKeys = Setting<String?>(
        "custom-token-keys", nil, "The public keys that verify custom tokens: a JSON web key set, or keys in PEM form.", value: "file",
        completion: .file())
    static let key = Setting<String?>(
        "auth-key", nil, "With --store: the key that tokens are signed with, an RSA key in PEM form. The same on every node.",
        value: "file", completion: .file())
    static let previousKey = Setting<String?>(
        "auth-previous-key", nil, "With --store: another key whose tokens are accepted, while keys are rotated.", value: "file",
        completion: .file())

    static let settings: [any AnySetting] = [
        auth, host, url, project, providers, continueDomains, maxAccounts, signUps, mailCommand, customTokenKeys, key, previousKey,
    ]

    static let commands: [any ParsableCommand.Type] = [AccountsCommand.self]

    var accounts: AccountSettings

    init?(_ plan: inout ServerPlan) throws(StartRefusal) {
        let accounts = try AccountSettings(plan)
        try Self.checkKeys(plan)
        guard let accounts else { return nil }
        if !plan.isDevelopment, plan.firebaseProjects.contains(accounts.project) {
            throw StartRefusal(
                "the accounts of --auth belong to the project \(accounts.project), which --firebase-project names, too: a project is "
                    + "verified by Google's keys or by ours, never by both; give one of them another project")
        }
        self.accounts = accounts
        plan.accountsProject = accounts.project
        plan.projects.append(accounts.project)
    }

    /// The keys that tokens are signed with are beside the accounts, except on several nodes.
    private static func checkKeys(_ plan: ServerPlan) throws(StartRefusal) {
        let values = plan.values
        let given = [key, previousKey].first { values.has($0) }
        if !plan.isShared, let given {
            throw StartRefusal("--\(given.name) has no effect without --store: one server keeps its key beside its accounts")
        }
        guard plan.isShared, values[auth] != nil else { return }
        if plan.isDevelopment, given != nil {
            throw StartRefusal("--auth-key has no effect in development mode, where tokens are not signed; leave it out")
        }
        if !plan.isDevelopment, values[key] == nil {
            throw StartRefusal(
                "--auth with --store needs --auth-key, the key that all nodes sign tokens with; make one with "
                    + "`openssl genrsa -out auth.key 2048`, and copy it to every node")
        }
    }

    func complete(_ values: inout SettingValues) {
        values[Self.auth] = accounts.port
        values[Self.host] = accounts.host
        values[Self.url] = accounts.url?.text
        values[Self.project] = accounts.project
        values[Self.maxAccounts] = accounts.maximumAccounts
        // In development mode they are not limited.
        guard !accounts.isDevelopment else { return }
        values[Self.providers] = accounts.providers
        values[Self.continueDomains] = accounts.continueDomains
        values[Self.signUps] = accounts.signUpsPerHour
    }

    /// Opens the accounts. A server does not start without them.
    func open(_ start: inout ServerStart) async throws(StartRefusal) -> any ServerPart {
        do throws(FirestoreError) {
            let server = try await AccountsServer(
                accounts, listener: start.settings.listener, in: try location(start), grace: start.plan.grace,
                proxies: start.plan.trustedProxies, log: start.log)
            let projects = server.projects
            start.cluster?.nodes?.obey { (notices) throws(FirestoreError) in projects.obey(notices) }
            start.issuers += server.accounts.issuers
            start.files.append(AccountFiles(projects: projects))
            return AccountsPart(server)
        } catch {
            throw StartRefusal(CommandMessage.text(of: error))
        }
    }

    private func location(_ start: ServerStart) throws(FirestoreError) -> AccountLocation {
        guard let cluster = start.cluster else { return start.plan.data.map { .data($0) } ?? .memory }
        let (key, previous) = (start.plan.values[Self.key], start.plan.values[Self.previousKey])
        return .cluster(
            cluster, key: try key.map { (file) throws(FirestoreError) in try Self.signingKey(file) },
            previousKeys: try previous.map { (file) throws(FirestoreError) in [try Self.signingKey(file)] } ?? [])
    }

    private static func signingKey(_ file: String) throws(FirestoreError) -> SigningKey {
        if let key = try SigningKeyFile.read(file) { return key }
        throw FirestoreError(.notFound, "the key of --auth-key or --auth-previous-key does not exist; copy that of another node", at: file)
    }
}

/// The accounts of a server that starts or runs.
final class AccountsPart: ServerPart {
    let server: AccountsServer
    private let authentication = Mutex<(any CallAuthentication)?>(nil)

    init(_ server: AccountsServer) { self.server = server }

    func join(_ start: inout ServerStart) {
        let identitiesChanged = start.identitiesChanged
        server.accounts.observe { identitiesChanged() }
        authentication.withLock { $0 = start.configuration.authentication }
        start.users = ShownUsers(server)
    }

    /// Starts to answer.
    func started(at address: RPCAddress) { server.serve(authentication.withLock(\.self)) }

    var services: [any Service] { [server] }

    var announcement: ServerAnnouncement? {
        ServerAnnouncement(
            place: "accounts on \(server.address)",
            variable: server.settings.isDevelopment ? "FIREBASE_AUTH_EMULATOR_HOST=\(server.address.reachable)" : nil)
    }
}

/// The files of accounts, for an archive. An archive that is not encrypted has no keys: its readers must not be able to sign tokens.
private struct AccountFiles: ServerFiles {
    let projects: AccountProjects

    func sets(isEncrypted: Bool) -> [ServerFileSet] {
        projects.projects.map { project in
            ServerFileSet(content: .accounts(project: project)) { [projects] in
                await projects.changeCount(of: project)
            } copy: { [projects] folder throws(FirestoreError) in
                try await projects.writeCopy(of: project, to: folder, withKeys: isEncrypted)
            }
        }
    }
}
