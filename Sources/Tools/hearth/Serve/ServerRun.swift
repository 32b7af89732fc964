// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreAuthentication
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import Foundation
import Logging
import Metrics
import ServiceLifecycle
import UnixSignals

/// A server and its guests, from their start until a signal ends them.
struct ServerRun {
    private let settings: ServeSettings
    /// What it is run by, for messages.
    private let command: String

    init(_ settings: ServeSettings, as command: String) { (self.settings, self.command) = (settings, command) }

    /// - Parameter whenReady: Called once the server answers.
    func run(whenReady: ([any ServerPart]) async -> Void) async throws {
        ProcessLimits.prepare()
        LoggingSystem.bootstrap { [settings] in ServerLogHandler(label: $0, format: settings.logFormat, level: settings.logLevel) }
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        let log = Logger(label: "hearth")
        // Before the ready line: a script may send a signal as soon as it has read it.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        var start = ServerStart(settings, metrics: registry, log: log)
        let parts = try await refusing { () async throws(StartRefusal) in try await start.join() }
        defer { for part in parts.reversed() { part.stop() } }
        let server = HearthServer(start.configuration, metrics: registry, log: log)
        do throws(StartRefusal) {
            for part in parts { try part.prepare() }
            let address = try await Self.start(server)
            for part in parts { part.started(at: address) }
            try announce(address, parts.compactMap(\.announcement))
            await whenReady(parts)
        } catch {
            // Nothing has been served, so nothing is reported.
            await server.stop(isSilent: true)
            throw refused(error)
        }
        try await run(parts.flatMap(\.services) + [server], until: signals, log) { for part in parts { part.reload() } }
    }

    private static func start(_ server: HearthServer) async throws(StartRefusal) -> RPCAddress {
        do throws(RPCStatus) { return try await server.start() } catch { throw StartRefusal(error.message) }
    }

    private func refusing<Result>(_ body: () async throws(StartRefusal) -> Result) async throws -> Result {
        do throws(StartRefusal) { return try await body() } catch { throw refused(error) }
    }

    private func refused(_ refusal: StartRefusal) -> ExitCode {
        for line in refusal.lines { StandardError.say("hearth \(command): \(line)") }
        return Outcome.failure
    }

    /// Runs services until a signal ends them. SIGHUP reloads the files.
    private func run(
        _ services: [any Service], until signals: UnixSignalsSequence, _ log: Logger, reload: @escaping @Sendable () -> Void
    ) async throws {
        var lifecycle = ServiceGroupConfiguration(services: services, logger: Logger(label: "hearth.lifecycle"))
        // For services that do not end by themselves.
        lifecycle.maximumGracefulShutdownDuration = settings.plan.grace + .seconds(20)
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

    private func announce(_ address: RPCAddress, _ announcements: [ServerAnnouncement]) throws(StartRefusal) {
        if let file = settings.plan.values[ServerSettings.portFile] {
            do {
                // Atomically: a script that sees the file sees the number.
                try Data("\(address.port)\n".utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
            } catch {
                throw StartRefusal("the port file \(file) cannot be written; its directory must exist and be writable for this user")
            }
        }
        let reachable = address.reachable
        let use = settings.plan.usesTLS ? "https://\(reachable)" : "export FIRESTORE_EMULATOR_HOST=\(reachable)"
        let uses = ([use] + announcements.compactMap(\.variable)).joined(separator: " ")
        let places = (["\(address)"] + announcements.map(\.place)).joined(separator: ", ")
        FileHandle.standardOutput.write(Data("hearth is ready on \(places) (\(settings.plan.place)); use it with: \(uses)\n".utf8))
    }
}
