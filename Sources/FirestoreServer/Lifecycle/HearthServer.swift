import FirestoreCore
package import FirestoreRPC
import Foundation
package import Logging
import ServiceLifecycle

/// A server as a whole: databases, methods, REST, metrics, one port. Knows how to begin and how to end.
package final class HearthServer: Service {
    private let configuration: ServerConfiguration
    private let log: Logger
    private let rpc: RPCServer
    private let databases: DatabaseRegistry
    private let isStopping: StopFlag

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
            configuration: configuration.listener, service: service, http: rest,
            observer: ServerObserver(metrics: metrics, log: log), logger: log)
        self.isStopping = isStopping
        ProcessFigures.noteStart()
    }

    /// Listens. Databases are opened when somebody asks for them.
    package func start() async throws(RPCStatus) -> RPCAddress {
        if case .directory(let directory) = configuration.databases.storage {
            do {
                try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            } catch {
                throw RPCStatus(.failedPrecondition, "the data directory \(directory) cannot be made: \(error.localizedDescription)")
            }
            guard FileManager.default.isWritableFile(atPath: directory) else {
                throw RPCStatus(.permissionDenied, "the data directory \(directory) is not writable")
            }
        }
        let address = try await rpc.start()
        log.info("listening", metadata: ["address": "\(address)"])
        return address
    }

    /// Waits until it is told to stop, and stops.
    package func run() async throws {
        // A cancelled wait is an end, too.
        try? await gracefulShutdown()
        await stop()
    }

    /// Takes no more calls, lets those under way come to their end, then closes the databases. What has been acknowledged
    /// is on the disk whether or not there is time for this.
    package func stop() async {
        guard isStopping.set() else { return }
        log.info("stopping")
        await rpc.shutdown(grace: configuration.grace)
        await databases.close()
        log.info("stopped")
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
