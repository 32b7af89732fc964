// SPDX-License-Identifier: Apache-2.0
import FirestoreAuthentication
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreRules
import FirestoreServer
import Logging
import FirestoreTokens

/// The security of a running server: the rules in effect, the keys of administrators, the issuers of tokens.
final class ServerSecurity: Sendable {
    let ruleFiles: RulesFileReloader
    private let proved: ProvedAuthentication
    let authentication: any CallAuthentication
    let isDevelopment: Bool
    private let keys: AdministratorKeys?
    private let log: Logger

    convenience init(_ settings: SecuritySettings, _ start: ServerStart) throws(StartRefusal) {
        try self.init(
            settings, usesTLS: start.plan.usesTLS, environment: start.plan.environment, own: start.issuers,
            hasCluster: start.cluster != nil, clock: start.clock, log: start.log)
    }

    /// Reads all files. `own`: the issuer of the server's own accounts.
    convenience init(
        _ settings: SecuritySettings, usesTLS: Bool, environment: [String: String], own: [TokenIssuer] = [], hasCluster: Bool = false,
        clock: any WallClock = SystemClock(), log: Logger
    ) throws(StartRefusal) {
        let issuers = try AcceptedIssuers.make(settings.issuers, own: own, clock: clock, log: log)
        let tokens: any BearerTokens =
            issuers.isEmpty
            ? NoBearerTokens(advice: CommandAdvice.server)
            : VerifiedTokens(TokenVerifier(issuers, mode: settings.isDevelopment ? .development : .production, clock: clock))
        try self.init(settings, tokens: tokens, usesTLS: usesTLS, environment: environment, hasCluster: hasCluster, log: log)
    }

    private init(
        _ settings: SecuritySettings, tokens: any BearerTokens, usesTLS: Bool, environment: [String: String], hasCluster: Bool, log: Logger
    ) throws(StartRefusal) {
        self.log = log
        isDevelopment = settings.isDevelopment
        var enforcement = RuleEnforcement.Settings()
        enforcement.strictLists = settings.strictLists
        enforcement.explainsToCallers = settings.isDevelopment
        ruleFiles = try RulesFileReloader(settings.rules, settings: enforcement, countsCoverage: settings.isDevelopment, log: log)
        var keys: AdministratorKeys?
        if let path = settings.adminKeyFile { keys = try AdministratorKeys(reading: path, environment: environment) }
        self.keys = keys
        proved = ProvedAuthentication(
            keys: keys, tokens: tokens, proxies: settings.trustedProxies, usesTLS: usesTLS, advice: CommandAdvice.server)
        authentication =
            isDevelopment
            ? DevelopmentAuthentication(keys: keys, tokens: tokens is NoBearerTokens ? nil : tokens, proved: proved) : proved
        if isDevelopment {
            log.warning(
                """
                development mode: tokens are accepted without proof, "owner" is the administrator, and rules can be changed over HTTP; \
                let no other machine reach this port
                """)
        } else if settings.rules.isEmpty, !hasCluster {
            log.warning("there are no rules: every client that reaches this port can read and write everything; give --rules FILE")
        }
    }

    /// Whether a secret in this call has crossed no network in the clear.
    func isProtected(_ call: RPCCallInfo) -> Bool { proved.isProtected(call) }

    /// From now on changes of files are noticed.
    func watch() { ruleFiles.watch() }

    func stop() { ruleFiles.stop() }

    /// Reads rules and administrator keys again: SIGHUP.
    func reload() {
        ruleFiles.reload()
        guard let keys else { return }
        do throws(StartRefusal) {
            try keys.reload()
            log.info("the administrator keys were read again")
        } catch {
            for line in error.lines { log.error("\(line)") }
            log.error("the administrator key file is refused; the keys before it stay")
        }
        identitiesChanged()
    }

    /// Identities may have ended before their time: keys were removed, accounts disabled. Streams are checked again.
    func identitiesChanged() { proved.identitiesChanged() }
}
