// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
package import FirestoreRPC
package import Logging
import ServiceLifecycle

/// A server as a whole: databases, methods, REST, metrics, one port. Knows how to begin and how to end.
package final class HearthServer: Service {
    private let configuration: ServerConfiguration
    private let log: Logger
    private let rpc: RPCServer
    private let databases: DatabaseRegistry
    private let isStopping: StopFlag
    private let health = HealthService()
    private let directory = Mutex<DataDirectory?>(nil)

    package init(_ configuration: ServerConfiguration, metrics registry: PrometheusRegistry? = nil, log: Logger) {
        ProcessMemory.boundArenas()
        self.configuration = configuration
        self.log = log
        let isStopping = StopFlag()
        databases = DatabaseRegistry(configuration.databases, maximum: configuration.maximumDatabases, log: log)
        let service = FirestoreService(
            databases: databases, maximumCalls: configuration.maximumCalls)
        let metrics = registry.map { ServerMetrics(factory: $0) }
        let rest = RESTService(service, metrics: metrics, registry: registry) { !isStopping.isSet }
        rpc = RPCServer(
            configuration: configuration.listener, service: ServiceList(services: [service, health]), http: rest,
            observer: ServerObserver(metrics: metrics, log: log), logger: log)
        self.isStopping = isStopping
        ProcessFigures.noteStart()
    }

    /// Takes the data directory and listens. Databases are opened when they are first asked for. A start that fails leaves
    /// nothing behind; the server cannot be started again.
    package func start() async throws(RPCStatus) -> RPCAddress {
        let address: RPCAddress
        do throws(RPCStatus) {
            if case .directory(let path) = configuration.databases.storage {
                let held = try DataDirectory(path)
                directory.withLock { $0 = held }
            }
            address = try await rpc.start()
        } catch {
            _ = isStopping.set()
            directory.withLock { $0 = nil }
            throw error
        }
        log.info("listening", metadata: ["address": "\(address)"])
        return address
    }

    /// Waits until it is told to stop, and stops.
    package func run() async throws {
        // A cancelled wait is an end, too.
        try? await gracefulShutdown()
        await stop()
    }

    /// Takes no more calls, lets those in flight finish, then closes the databases. What has been acknowledged
    /// is on the disk whether or not there is time for this.
    ///
    /// - Parameter isSilent: Logs nothing, for a start that failed after all.
    package func stop(isSilent: Bool = false) async {
        guard isStopping.set() else { return }
        if !isSilent { log.info("stopping") }
        health.stopServing()
        await rpc.shutdown(grace: configuration.grace)
        await databases.close()
        directory.withLock { $0 = nil }
        if !isSilent { log.info("stopped") }
    }
}

/// Set once.
private final class StopFlag: Sendable {
    private let flag = Mutex(false)

    var isSet: Bool { flag.withLock { $0 } }

    /// True for the first who sets it.
    func set() -> Bool {
        flag.withLock { flag in
            defer { flag = true }
            return !flag
        }
    }
}
