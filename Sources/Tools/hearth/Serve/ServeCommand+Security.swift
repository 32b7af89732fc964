// SPDX-License-Identifier: Apache-2.0
import FirestoreAccounts
import FirestoreAuthentication
import FirestoreConsole
import FirestoreCore
import FirestoreRPC
import FirestoreServer
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
                clock: clock, log: log)
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
