// SPDX-License-Identifier: Apache-2.0
import FirestoreAccounts
import FirestoreAuthentication
import FirestoreConsole
import FirestoreCore
import FirestoreRPC
import FirestoreServer
import FirestoreStorage
import Logging
import ServiceLifecycle

extension ServeCommand {
    /// The port of the accounts, as far as the command knows it.
    struct StartedAccounts {
        let address: RPCAddress
        let service: any Service
        let users: any ConsoleUsers
        /// Starts to answer.
        let serve: () -> Void
    }

    /// Opens the accounts and reads the files of rules, keys and issuers. A server does not start without them.
    func secure(
        _ settings: ServeSettings, _ environment: [String: String], _ log: Logger, clock: any WallClock = SystemClock()
    ) async throws -> (security: ServedSecurity, accounts: StartedAccounts?) {
        do throws(StartRefusal) {
            let accounts = try await openAccounts(settings, log)
            let security = try ServedSecurity(
                settings.security, usesTLS: settings.tls != nil, environment: environment, own: accounts?.accounts.issuers ?? [],
                hasCluster: settings.store != nil, clock: clock, log: log)
            guard let accounts else { return (security, nil) }
            accounts.accounts.observe { [weak security] in security?.identitiesChanged() }
            let authentication = security.authentication
            let started = StartedAccounts(address: accounts.address, service: accounts, users: ServedUsers(accounts)) {
                accounts.serve(authentication)
            }
            return (security, started)
        } catch {
            for line in error.lines { StandardError.say("hearth serve: \(line)") }
            throw Outcome.failure
        }
    }

    /// Connects a node, whose rules must be those of its cluster. nil without `--store`.
    func connect(_ settings: ServeSettings, _ security: ServedSecurity, _ log: Logger) throws -> (any StoreCluster)? {
        guard let address = settings.store else { return nil }
        if address.isExposed {
            log.warning("the connection to the PostgreSQL server is not encrypted; add sslmode=verify-full to its URL")
        }
        var lines: [String] = []
        do throws(FirestoreError) {
            let cluster: any StoreCluster = try address.connect()
            let rulesets = try cluster.nodes?.rulesets() ?? []
            do throws(StartRefusal) {
                try settings.security.check(rulesets, host: settings.options.host)
                try security.ruleFiles.check(against: rulesets)
                if rulesets.isEmpty, !security.isDevelopment {
                    log.warning("the cluster has no rules: every client that reaches this port can read and write everything")
                }
                return cluster
            } catch {
                lines = error.lines
            }
        } catch {
            lines = [error.message]
        }
        for line in lines { StandardError.say("hearth serve: \(line)") }
        throw Outcome.failure
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

    private func openAccounts(_ settings: ServeSettings, _ log: Logger) async throws(StartRefusal) -> AccountsServer? {
        guard let accounts = settings.accounts else { return nil }
        do throws(FirestoreError) {
            return try await AccountsServer(
                accounts, listener: settings.listener, data: settings.options.data, grace: .seconds(settings.options.grace),
                proxies: settings.security.trustedProxies, log: log)
        } catch {
            throw StartRefusal(CommandMessage.text(of: error))
        }
    }
}
