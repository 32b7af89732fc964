// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
package import FirestoreRPC
package import FirestoreServer
import HearthBase
package import Logging
import ServiceLifecycle

/// A complete server: databases, methods, REST, metrics, one port. Starts and stops them.
package final class HearthServer: Service {
    private let configuration: ServerConfiguration
    private let log: Logger
    private let rpc: RPCServer
    private let console: (any ConsolePaths)?
    private let webChannels: WebChannelService
    private let databases: DatabaseRegistry
    private let isStopping: StopFlag
    private let health: HealthService
    private let admin: AdminService
    /// nil if the databases are not in a directory.
    private let presence: DataPresence?
    /// nil if the databases are not those of a cluster.
    private let cluster: ClusterMember?
    private let directory = Mutex<DataDirectory?>(nil)

    package init(_ configuration: ServerConfiguration, metrics registry: PrometheusRegistry? = nil, log: Logger) {
        ProcessMemory.boundArenas()
        self.configuration = configuration
        self.log = log
        let isStopping = StopFlag()
        var opening = configuration.databases
        opening.quotas = configuration.quotas
        if case .directory(let path) = opening.storage { opening.presence = DataPresence(directory: path, log: log) }
        let presence = opening.presence
        self.presence = presence
        databases = DatabaseRegistry(
            opening, rules: configuration.rules, maximum: configuration.maximumDatabases,
            companions: configuration.companions, log: log)
        let cluster = ClusterMember(of: databases, rules: configuration.rules, log: log)
        self.cluster = cluster
        let disk = configuration.databases.diskGuard
        if let presence { disk?.follow(presence) }
        let isArchived = configuration.isArchived
        let readiness: @Sendable () -> Readiness = {
            if isStopping.isSet { return .stopping }
            if presence?.hasLostAnything == true { return .withoutData }
            if isArchived?() == false { return .withoutArchive }
            if disk?.isLow == true { return .withoutRoom }
            return cluster?.isLive == false ? .withoutLease : .ready
        }
        let canLose = cluster != nil || presence != nil || isArchived != nil
        health = canLose ? HealthService(isReady: { readiness().takesCalls }) : HealthService()
        let service = FirestoreService(
            databases: databases, authentication: configuration.console?.authentication ?? configuration.authentication,
            tokens: TransactionTokens(isBoundToCaller: !configuration.isDevelopment), maximumCalls: configuration.maximumCalls,
            clock: configuration.clock, recorder: configuration.console?.recorder,
            fronts: [configuration.quotas as (any DatabaseFront)?, configuration.slowCalls].compactMap(\.self),
            address: configuration.quotas == nil ? nil : configuration.clientAddress)
        let admin = AdminService(service, clock: configuration.clock, folders: configuration.folders, backups: configuration.backups)
        self.admin = admin
        let metrics = registry.map { ServerMetrics(factory: $0) }
        console = configuration.console?.paths(on: service, admin: admin, rules: configuration.rules, metrics: metrics, log: log)
        let front = HTTPFront(
            service, admin: admin, rules: configuration.rules, isDevelopment: configuration.isDevelopment, metrics: metrics,
            registry: registry, console: console, log: log, readiness: readiness)
        webChannels = front.webChannels
        rpc = RPCServer(
            configuration: configuration.listener, service: ServiceList(services: [service, health, admin]), http: front,
            observer: ServerObserver(metrics: metrics, log: log), logger: log)
        self.isStopping = isStopping
        ProcessFigures.noteStart()
    }

    /// Locks the data directory and starts to listen. Databases are opened when they are first requested. A failed start releases
    /// everything; the server cannot be started again.
    package func start() async throws(RPCStatus) -> RPCAddress {
        let address: RPCAddress
        do throws(RPCStatus) {
            if case .directory(let path) = configuration.databases.storage {
                let held = try DataDirectory(path, advice: configuration.databases.advice)
                directory.withLock { $0 = held }
                presence?.start(files: { [weak databases = databases] in databases?.hasLostFiles ?? false })
                configuration.databases.diskGuard?.start()
                databases.removeOldCopies()
                databases.emptyTrash()
                configuration.quotas?.start()
            }
            // Calls are judged by the cluster's rules from the first on.
            try await cluster?.joined(as: "\(configuration.listener.host):\(configuration.listener.port)")
            address = try await rpc.start()
        } catch {
            _ = isStopping.set()
            cluster?.leave()
            presence?.stop()
            directory.withLock { $0 = nil }
            throw error
        }
        cluster?.rename(to: "\(address)")
        console?.started(at: address)
        databases.started()
        log.info("listening", metadata: ["address": "\(address)"])
        return address
    }

    /// Waits for a graceful shutdown, and stops.
    package func run() async throws {
        // A cancelled wait ends, too.
        try? await gracefulShutdown()
        await stop()
    }

    /// Accepts no more calls, lets those in flight finish, then closes the databases. Acknowledged commits are on the disk even if this
    /// does not finish.
    ///
    /// - Parameter isSilent: Whether to log nothing, for a failed start.
    package func stop(isSilent: Bool = false) async {
        guard isStopping.set() else { return }
        if !isSilent { log.info("stopping") }
        health.stopServing()
        console?.drain()
        webChannels.drain()
        await rpc.shutdown(grace: configuration.grace)
        webChannels.close()
        await admin.stop()
        await databases.close()
        configuration.databases.diskGuard?.stop()
        presence?.stop()
        configuration.quotas?.stop()
        cluster?.leave()
        await configuration.rules.finishLog()
        await configuration.slowCalls?.finishLog()
        directory.withLock { $0 = nil }
        if !isSilent { log.info("stopped") }
    }
}

extension ClusterMember {
    /// Joins on a thread that may wait.
    fileprivate func joined(as address: String) async throws(RPCStatus) {
        let result: Result<Void, FirestoreError> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Result { () throws(FirestoreError) in try self.join(as: address) })
            }
        }
        do throws(FirestoreError) { try result.get() } catch { throw RPCStatus(error) }
    }
}

/// A flag that is set once.
private final class StopFlag: Sendable {
    private let flag = Mutex(false)

    var isSet: Bool { flag.withLock { $0 } }

    /// Returns true for the first call.
    func set() -> Bool {
        flag.withLock { flag in
            defer { flag = true }
            return !flag
        }
    }
}
