// SPDX-License-Identifier: Apache-2.0
package import FirestoreAuthentication
package import FirestoreCore
package import FirestoreRPC
package import FirestoreServer
package import Logging
import ServiceLifecycle

/// A server's port for accounts.
package final class AccountsServer: Service {
    package let address: RPCAddress
    package let accounts: AccountIdentities
    private let http: AccountsHTTP
    private let rpc: RPCServer
    package let projects: AccountProjects
    private let mails: MailCommand?
    package let settings: AccountSettings
    private let base: String
    /// Whether requests are encrypted on the network, as far as this process can determine.
    private let isProtected: Bool
    private let grace: Duration
    private let log: Logger

    /// Starts to listen and opens the accounts. Requests are answered after `serve`.
    ///
    /// - Parameters:
    ///   - listener: The listener of the databases. Its hosts, origins and certificate apply here, too.
    package init(
        _ settings: AccountSettings, listener: RPCServerConfiguration, in location: AccountLocation, grace: Duration,
        proxies: TrustedProxies, log: Logger
    ) async throws(FirestoreError) {
        let http = AccountsHTTP(settings, proxies: proxies, log: log)
        let rpc = RPCServer(
            configuration: try Self.configuration(settings, listener), service: NoMethods(), http: http,
            logger: Logger(label: "hearth.accounts.rpc"))
        let address: RPCAddress
        do throws(RPCStatus) {
            address = try await rpc.start()
        } catch {
            throw FirestoreError(.failedPrecondition, "the accounts cannot be served: \(error.message)")
        }
        let base = settings.url?.text ?? (listener.tls == nil ? "http://" : "https://") + address.reachable.description
        let mails = settings.mailCommand.map { MailCommand($0, log: log) }
        let isDevelopment = settings.isDevelopment
        let deliver: @Sendable (AccountMail) -> Void = { mail in
            if isDevelopment {
                // As the emulator does. Production writes no codes.
                log.notice("a code for \(mail.recipient) (\(mail.requestType)): open \(mail.link)")
            }
            mails?.send(mail)
        }
        do throws(FirestoreError) {
            projects = try AccountProjects(
                settings, in: location, base: base, deliver: isDevelopment || mails != nil ? deliver : nil)
        } catch {
            await rpc.shutdown(grace: .zero)
            throw error
        }
        self.http = http
        self.rpc = rpc
        self.address = address
        self.settings = settings
        self.base = base
        isProtected = listener.tls != nil || LoopbackAddress.names(settings.host) || !proxies.isEmpty
        self.mails = mails
        self.grace = grace
        self.log = log
        accounts = AccountIdentities(projects)
    }

    private static func configuration(
        _ settings: AccountSettings, _ listener: RPCServerConfiguration
    ) throws(FirestoreError) -> RPCServerConfiguration {
        var configuration = listener
        configuration.host = settings.host
        configuration.port = settings.port
        configuration.limits.messageSize = AccountsHTTP.maximumBody
        configuration.limits.heldPerConnection = 2 * AccountsHTTP.maximumBody
        configuration.limits.collectingPerConnection = 2 * AccountsHTTP.maximumBody
        configuration.access.openPaths = AccountsHTTP.probes
        // Addresses are allowed anyway, and rejected here.
        try? configuration.access.allow(host: settings.host)
        do throws(RPCStatus) {
            // Clients use the name of the address, and browsers send the page's form from there.
            guard let url = settings.url else { return configuration }
            try configuration.access.allow(host: url.host)
            try configuration.access.allow(origin: url.origin)
        } catch {
            throw FirestoreError(.invalidArgument, error.message)
        }
        return configuration
    }

    /// Starts to answer.
    ///
    /// - Parameter authentication: Recognizes administrators.
    package func serve(_ authentication: (any CallAuthentication)? = nil) {
        let projects = projects
        let toolkit = IdentityToolkit(defaultProject: settings.project) { (project) throws(AccountError) in try projects.service(project) }
        http.serve(.init(toolkit: toolkit, projects: projects, authentication: authentication, base: base))
        log.info("answering sign-ins", metadata: ["address": "\(address)", "issuer": "\(issuer)", "project": "\(settings.project)"])
        guard !settings.isDevelopment else { return }
        if settings.providers.isEmpty { log.warning("no way to sign in is enabled\(settings.advice(.signIns))") }
        if !isProtected {
            log.warning("passwords and tokens cross the network in the clear\(settings.advice(.protectedAccounts))")
        }
    }

    /// `iss` of the tokens of the default project.
    private var issuer: String { settings.policy(project: settings.project, base: base).issuer }

    /// Waits for the graceful shutdown, then stops.
    package func run() async throws {
        try? await gracefulShutdown()
        await stop()
    }

    package func stop() async {
        await rpc.shutdown(grace: grace)
        await mails?.finish(within: grace)
        projects.close()
    }
}

/// There is no gRPC on the port of the accounts.
private struct NoMethods: RPCService {
    func method(at path: String) -> RPCMethod? { nil }
}
