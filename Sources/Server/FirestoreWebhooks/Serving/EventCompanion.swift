// SPDX-License-Identifier: Apache-2.0
package import CoreMetrics
package import FirestoreCore
import FirestoreEnforcement
package import FirestoreEngine
package import FirestoreEvents
package import FirestoreRPC
package import FirestoreServer
package import Logging

/// The webhooks of a server: delivers the events of the databases that its triggers name, as long as the server runs.
///
/// These databases are open from the start of the server on, because what an earlier process has not delivered is due.
package final class EventCompanion: DatabaseCompanion {
    private let desk: EventCoordinator
    /// Orders what arrives from several threads.
    private let last = Mutex<Task<Void, Never>?>(nil)

    package init(
        _ triggers: [WebhookTrigger], settings: RunnerSettings = RunnerSettings(), trust: HTTPTrust = HTTPTrust(),
        metrics: (any MetricsFactory)? = nil, log: Logger
    ) {
        desk = EventCoordinator(triggers, settings: settings, trust: trust, metrics: metrics, log: log)
    }

    /// Delivers by other triggers from now on. Those that have not changed are not disturbed.
    ///
    /// - Parameter resuming: Whether triggers deliver again whose receiver wanted no more events.
    package func install(_ triggers: [WebhookTrigger], resuming: Bool = false) {
        enqueue { await $0.install(triggers, resuming: resuming) }
    }

    /// Returns when everything has happened that was asked before.
    package func settled() async { await last.withLock { $0 }?.value }

    /// The triggers for changes of a database, in the order of their file, and how far each is.
    package func statuses(of database: DatabaseID) async -> [TriggerStatus] { await desk.statuses(of: database) }

    // MARK: DatabaseCompanion

    package func started(_ databases: DatabaseRegistry) { enqueue { await $0.started(databases) } }

    package func opened(_ database: DatabaseID, _ engine: Engine) { enqueue { await $0.opened(database, engine) } }

    package func closing(_ database: DatabaseID) async { await enqueue { await $0.closing(database) }.value }

    package func stopping() async { await enqueue { await $0.stopping() }.value }

    @discardableResult
    private func enqueue(_ body: @escaping @Sendable (EventCoordinator) async -> Void) -> Task<Void, Never> {
        last.withLock { last in
            let task = Task { [desk, previous = last] in
                await previous?.value
                await body(desk)
            }
            last = task
            return task
        }
    }
}

/// What is open, and what is delivered.
private actor EventCoordinator {
    private struct OpenDatabase {
        let engine: Engine
        let shelf: DeadLetterStore
        var triggers: [TriggerDelivery] = []
        /// Keeps the database open.
        var service: RuledService?
    }

    private static let reopenPause = Duration.seconds(1)
    private static let refreshPause = Duration.seconds(2)

    private var triggers: [WebhookTrigger]
    private let settings: RunnerSettings
    private let connections: HTTPConnectionPool
    private let metrics: (any MetricsFactory)?
    private let log: Logger
    private var open: [DatabaseID: OpenDatabase] = [:]
    private var databases: DatabaseRegistry?
    private var refreshing: Task<Void, Never>?
    private var isStopping = false

    init(_ triggers: [WebhookTrigger], settings: RunnerSettings, trust: HTTPTrust, metrics: (any MetricsFactory)?, log: Logger) {
        self.triggers = triggers
        self.settings = settings
        self.metrics = metrics
        self.log = log
        connections = HTTPConnectionPool(trust: trust, refusesCloudAddresses: true)
    }

    func started(_ databases: DatabaseRegistry) async {
        self.databases = databases
        if metrics != nil { refreshing = Task { await self.refreshSteadily() } }
        for database in open.keys { keepOpen(database) }
        openNamed()
    }

    func install(_ triggers: [WebhookTrigger], resuming: Bool) async {
        self.triggers = triggers
        for database in Array(open.keys) { await serve(database, resuming: resuming) }
        openNamed()
    }

    func opened(_ database: DatabaseID, _ engine: Engine) async {
        open[database] = OpenDatabase(engine: engine, shelf: DeadLetterStore(engine, of: database))
        await serve(database)
    }

    func closing(_ database: DatabaseID) async {
        guard let closed = open.removeValue(forKey: database) else { return }
        await Self.stop(closed.triggers)
        guard !isStopping, triggers.contains(where: { $0.database == database }) else { return }
        // Closed because its history was cut: its events are due as before.
        Task { [weak self] in
            try? await Task.sleep(for: Self.reopenPause)
            await self?.openNamed()
        }
    }

    func stopping() async {
        isStopping = true
        refreshing?.cancel()
        await Self.stop(open.values.flatMap(\.triggers))
        for database in Array(open.keys) {
            open[database]?.triggers = []
            open[database]?.service = nil
        }
        connections.close()
    }

    func statuses(of database: DatabaseID) async -> [TriggerStatus] {
        let served = open[database]?.triggers ?? []
        var found: [TriggerStatus] = []
        for webhook in triggers where webhook.database == database {
            let current = served.first { $0.webhook.isSame(as: webhook) }
            found.append(await current?.status ?? TriggerStatus(webhook))
        }
        return found
    }

    // MARK: Implementation

    /// Opens the databases that triggers name, as far as they exist. A database that is created later is noticed by then.
    private func openNamed() {
        guard let databases, !isStopping else { return }
        for database in Set(triggers.map(\.database)) where open[database] == nil {
            // One that cannot be opened is reported when a caller asks for it.
            Task { _ = try? await databases.openExisting(database) }
        }
    }

    private func keepOpen(_ database: DatabaseID) {
        let isNeeded = open[database]?.triggers.isEmpty == false
        open[database]?.service = isNeeded ? databases?.current(database) : nil
    }

    /// Delivers by the triggers of a database that is open, and no longer by others.
    private func serve(_ database: DatabaseID, resuming: Bool = false) async {
        guard let entry = open[database], !isStopping else { return }
        let wanted = triggers.filter { $0.database == database }
        var (kept, ended) = ([TriggerDelivery](), [TriggerDelivery]())
        for served in entry.triggers {
            let isKept = wanted.contains { $0.isSame(as: served.webhook) }
            let isResumed = resuming ? await served.runner.isOff : false
            if isKept, !isResumed { kept.append(served) } else { ended.append(served) }
        }
        // First: a changed trigger continues where the one before has stopped.
        await Self.stop(ended)
        if resuming { await switchOn(ended.map(\.webhook.trigger), database, entry.engine) }
        await forget(database, entry.engine, except: Set(wanted.map(\.trigger.name)))
        for webhook in wanted where !kept.contains(where: { $0.webhook.isSame(as: webhook) }) {
            let served = TriggerDelivery(
                webhook, of: entry.engine, shelf: entry.shelf, over: connections, settings: settings, metrics: metrics, log: log)
            await served.runner.start()
            kept.append(served)
        }
        open[database]?.triggers = kept
        keepOpen(database)
    }

    private func switchOn(_ triggers: [EventTrigger], _ database: DatabaseID, _ engine: Engine) async {
        do throws(FirestoreError) {
            for trigger in triggers { try await EventFacts.switchOn(trigger, in: engine) }
        } catch {
            log.error("triggers stay off", metadata: database.metadata.merging(["error": "\(error)"]) { $1 })
        }
    }

    /// The log is not kept for triggers that are not there any more.
    private func forget(_ database: DatabaseID, _ engine: Engine, except names: Set<String>) async {
        do throws(FirestoreError) {
            for name in try await EventFacts.forget(.webhook, except: names, in: engine) {
                log.notice(
                    "the trigger is not in the file of triggers any more; its place is forgotten",
                    metadata: database.metadata.merging(["trigger": "\(name)"]) { $1 })
            }
        } catch {
            log.error("the places of triggers cannot be read", metadata: database.metadata.merging(["error": "\(error)"]) { $1 })
        }
    }

    private static func stop(_ triggers: [TriggerDelivery]) async {
        await withTaskGroup { group in
            for served in triggers { group.addTask { await served.runner.stop() } }
        }
    }

    private func refreshSteadily() async {
        while !Task.isCancelled {
            for served in open.values.flatMap(\.triggers) { await served.refresh() }
            try? await Task.sleep(for: Self.refreshPause)
        }
    }
}
