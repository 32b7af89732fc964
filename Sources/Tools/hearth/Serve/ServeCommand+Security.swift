// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAccounts
import FirestoreAuthentication
import FirestoreConsole
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreStorage
import FirestoreTokens
import FirestoreWebhooks
import Logging
import ServiceLifecycle

extension ServeCommand {
    /// The port of the accounts, as far as the command knows it.
    struct StartedAccounts {
        let address: RPCAddress
        let service: any Service
        let users: any ConsoleUsers
        let projects: AccountProjects
        /// Starts to answer.
        let serve: () -> Void
    }

    /// Opens the accounts and reads the files of rules, keys and issuers. A server does not start without them.
    func secure(
        _ settings: ServeSettings, _ environment: [String: String], _ log: Logger, cluster: (any StoreCluster)? = nil,
        clock: any WallClock = SystemClock()
    ) async throws -> (security: ServedSecurity, accounts: StartedAccounts?) {
        do throws(StartRefusal) {
            let accounts = try await openAccounts(settings, cluster, log)
            let security = try ServedSecurity(
                settings.security, usesTLS: settings.tls != nil, environment: environment, own: accounts?.accounts.issuers ?? [],
                hasCluster: settings.store != nil, clock: clock, log: log)
            guard let accounts else { return (security, nil) }
            accounts.accounts.observe { [weak security] in security?.identitiesChanged() }
            let authentication = security.authentication
            let users = ServedUsers(accounts)
            let started = StartedAccounts(
                address: accounts.address, service: accounts, users: users, projects: accounts.projects
            ) { accounts.serve(authentication) }
            return (security, started)
        } catch {
            for line in error.lines { StandardError.say("hearth serve: \(line)") }
            throw Outcome.failure
        }
    }

    /// Connects a node. nil without `--store`.
    func connect(_ settings: ServeSettings, _ log: Logger) throws -> (any StoreCluster)? {
        guard let address = settings.store else { return nil }
        if address.isExposed {
            log.warning("the connection to the PostgreSQL server is not encrypted; add sslmode=verify-full to its URL")
        }
        do throws(FirestoreError) {
            let cluster = try address.connect()
            for text in address.advice(cluster) { log.warning("\(text)") }
            return cluster
        } catch {
            throw Self.refusal([error.message])
        }
    }

    /// The rules of a node must be those of its cluster.
    func check(_ cluster: (any StoreCluster)?, _ settings: ServeSettings, _ security: ServedSecurity, _ log: Logger) throws {
        guard let nodes = cluster?.nodes else { return }
        let rulesets: [ClusterRuleset]
        do throws(FirestoreError) { rulesets = try nodes.rulesets() } catch { throw Self.refusal([error.message]) }
        do throws(StartRefusal) {
            try settings.security.check(rulesets, host: settings.options.host)
            try security.ruleFiles.check(against: rulesets)
        } catch {
            throw Self.refusal(error.lines)
        }
        if rulesets.isEmpty, !security.isDevelopment {
            log.warning("the cluster has no rules: every client that reaches this port can read and write everything")
        }
    }

    /// Reads the file of triggers. nil without one.
    func eventFile(
        _ settings: ServeSettings, _ databases: DatabaseOpening, _ metrics: PrometheusRegistry, _ log: Logger
    ) throws -> ServedEventFile? {
        guard let path = settings.options.events else { return nil }
        do throws(TriggerFile.Mistake) {
            return try ServedEventFile(path, project: settings.options.project, databases, metrics: metrics, log: log)
        } catch {
            throw Self.refusal([error.description])
        }
    }

    static func refusal(_ lines: [String]) -> ExitCode {
        for line in lines { StandardError.say("hearth serve: \(line)") }
        return Outcome.failure
    }

    /// nil if no console is shown.
    func consoleToken(_ settings: ServeSettings, _ environment: [String: String]) throws -> ConsoleToken? {
        do throws(StartRefusal) {
            return settings.showsConsole ? try settings.options.console.token(environment) : nil
        } catch {
            for line in error.lines { StandardError.say("hearth serve: \(line)") }
            throw Outcome.failure
        }
    }

    private func openAccounts(
        _ settings: ServeSettings, _ cluster: (any StoreCluster)?, _ log: Logger
    ) async throws(StartRefusal) -> AccountsServer? {
        guard let accounts = settings.accounts else { return nil }
        do throws(FirestoreError) {
            let server = try await AccountsServer(
                accounts, listener: settings.listener, in: try location(of: settings, cluster), grace: .seconds(settings.options.grace),
                proxies: settings.security.trustedProxies, log: log)
            let projects = server.projects
            cluster?.nodes?.obey { (notices) throws(FirestoreError) in projects.obey(notices) }
            return server
        } catch {
            throw StartRefusal(CommandMessage.text(of: error))
        }
    }

    private func location(of settings: ServeSettings, _ cluster: (any StoreCluster)?) throws(FirestoreError) -> AccountLocation {
        guard let cluster else { return settings.options.data.map { .data($0) } ?? .memory }
        let (key, previous) = (settings.options.accounts.authKey, settings.options.accounts.authPreviousKey)
        return .cluster(
            cluster, key: try key.map { (file) throws(FirestoreError) in try Self.signingKey(file) },
            previousKeys: try previous.map { (file) throws(FirestoreError) in [try Self.signingKey(file)] } ?? [])
    }

    private static func signingKey(_ file: String) throws(FirestoreError) -> SigningKey {
        if let key = try SigningKeyFile.read(file) { return key }
        throw FirestoreError(.notFound, "the key of --auth-key or --auth-previous-key does not exist; copy that of another node", at: file)
    }
}
