// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAccounts
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import FirestoreStorage
import Foundation
import Logging
import Metrics
import ServiceLifecycle
import UnixSignals

/// `hearth serve`: serves databases over the public protocol, to any client of Cloud Firestore.
extension ServeCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve databases over gRPC and REST, to any Firestore client.",
        discussion: """
            Clients find the server through FIRESTORE_EMULATOR_HOST. One line on standard output says when it is ready; \
            logs go to standard error. SIGTERM and SIGINT stop it: calls in flight are allowed to finish, databases are closed.

            Every option can also be given in the environment (HEARTH_PORT=8080 for --port 8080) or in a JSON file \
            ({"port": 8080}); the command line takes precedence over the environment, the environment over the file.

            Only requests for an IP address or for localhost are answered; if the server has a host name, or is behind a reverse \
            proxy, use --allow-host. Web pages of other machines need --allow-origin.

            Without options about security the server is in development mode, for this machine only. SIGHUP makes it read rules, \
            triggers, quotas and administrator keys again; rules and triggers are also read when their file changes.

            EXIT CODES
              0  stopped by a signal
              2  could not start (port or data directory in use, certificate unreadable, errors in rules), or the command was not \
            understood

            EXAMPLES
              hearth serve --data /var/lib/hearth
              hearth serve --in-memory --port 0 --port-file port.txt
              hearth serve --development --rules firestore.rules
              hearth serve --data data --rules my.rules --admin-key-file admin.key
            """)

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        // The words again: they say what was given, and leave the rest to the environment and the file.
        let words = CommandLine.arguments.drop { $0 != Self.configuration.commandName }.dropFirst()
        let settings = try ServeSettings(words: Array(words), parsed: self, environment: environment)
        if printConfig {
            FileHandle.standardOutput.write(Data((settings.json.text(.indented) + "\n").utf8))
            return
        }
        try await serve(settings, environment) { console in
            if let line = console?.line { FileHandle.standardOutput.write(Data(line.utf8)) }
        }
    }

    /// Serves until a signal comes.
    ///
    /// - Parameter whenReady: Called once the server answers, with its console if it shows one.
    func serve(_ settings: ServeSettings, _ environment: [String: String], whenReady: (ServedConsole?) async -> Void) async throws {
        ProcessLimits.prepare()
        LoggingSystem.bootstrap { ServerLogHandler(label: $0, format: settings.logFormat, level: settings.logLevel) }
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        let log = Logger(label: "hearth")
        // Before the ready line: a script may send a signal as soon as it has read it.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        let cluster = try connect(settings, log)
        // Before anything is created in the data directory: it may be that of a disk that is not mounted.
        let archive = try await archive(settings, environment, log)
        let (security, accounts) = try await secure(settings, environment, log, cluster: cluster)
        let token = try consoleToken(settings, environment)
        try check(cluster, settings, security, log)
        let quotas = try quotaFile(settings, registry, log)
        var configuration = settings.server(security, settings.databases(on: cluster))
        configuration.quotas = quotas?.quotas
        if let archive { accompany(&configuration, with: archive, settings, accounts?.projects, log) }
        let events = try eventFile(settings, configuration.databases, registry, log)
        if let events { configuration.companions.append(events.served) }
        configuration.console = token.map {
            settings.console(
                $0, security, users: accounts?.users, archive: archive, events: events?.served, slowCalls: configuration.slowCalls)
        }
        let server = HearthServer(configuration, metrics: registry, log: log)
        var console: ServedConsole?
        defer { console?.remove() }
        do throws(RPCStatus) {
            try takeOver(settings, log)
            let address = try await server.start()
            accounts?.serve()
            console = token.map { ServedConsole($0, at: address, settings, environment, log) }
            try announce(address, settings, accounts?.address)
            await whenReady(console)
        } catch {
            // Nothing has been served, so nothing is reported.
            await server.stop(isSilent: true)
            StandardError.say("hearth serve: \(error.message)")
            throw Outcome.failure
        }
        security.watch()
        events?.watch()
        defer {
            security.stop()
            events?.stop()
        }
        try await run([accounts?.service].compactMap(\.self) + [server], settings, until: signals, log) {
            security.reload()
            quotas?.reload()
            events?.reload()
        }
    }

    /// Runs services until a signal ends them. SIGHUP reloads the files.
    private func run(
        _ services: [any Service], _ settings: ServeSettings, until signals: UnixSignalsSequence, _ log: Logger,
        reload: @escaping @Sendable () -> Void
    ) async throws {
        var lifecycle = ServiceGroupConfiguration(services: services, logger: Logger(label: "hearth.lifecycle"))
        // For services that do not end by themselves.
        lifecycle.maximumGracefulShutdownDuration = .seconds(settings.options.grace + 20)
        let group = ServiceGroup(configuration: lifecycle)
        let stopping = Task {
            for await signal in signals {
                log.info("signal received", metadata: ["signal": "\(signal)"])
                if signal == .sighup { reload() } else { await group.triggerGracefulShutdown() }
            }
        }
        defer { stopping.cancel() }
        try await group.run()
    }

    private func announce(_ address: RPCAddress, _ settings: ServeSettings, _ accounts: RPCAddress?) throws(RPCStatus) {
        if let file = settings.options.portFile {
            do {
                // Atomically: a script that sees the file sees the number.
                try Data("\(address.port)\n".utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
            } catch {
                throw RPCStatus(
                    .failedPrecondition, "the port file \(file) cannot be written; its directory must exist and be writable for this user")
            }
        }
        let place =
            settings.store.map { "data on \($0.text)" } ?? settings.options.data.map { "data in \($0)" }
            ?? "in memory, lost when the server stops"
        let reachable = address.reachable
        var use = settings.tls == nil ? "export FIRESTORE_EMULATOR_HOST=\(reachable)" : "https://\(reachable)"
        if let accounts, settings.security.isDevelopment { use += " FIREBASE_AUTH_EMULATOR_HOST=\(accounts.reachable)" }
        let port = accounts.map { ", accounts on \($0)" } ?? ""
        FileHandle.standardOutput.write(Data("hearth is ready on \(address)\(port) (\(place)); use it with: \(use)\n".utf8))
    }
}
