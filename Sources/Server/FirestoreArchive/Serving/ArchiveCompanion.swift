// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore
package import FirestoreEngine
package import FirestoreServer
import Foundation
package import Logging

/// The archive of a server: every database that is opened is archived, and when the server starts, those as well that are not opened
/// by a caller.
package final class ArchiveCompanion: DatabaseCompanion {
    private struct State {
        var archivers: [DatabaseID: DatabaseArchiver] = [:]
        var databases: DatabaseRegistry?
        /// What is looked for in the archives of closed databases, and those that were looked at in this turn.
        var closed: [DatabaseID: ArchiveSight] = [:]
        var looked: Set<DatabaseID> = []
        /// Deleted databases of which the archive does not know that yet.
        var deleted: Set<DatabaseID> = []
        /// The databases whose archives have lost what they had.
        var lost: Set<DatabaseID> = []
        /// What runs while the server does.
        var tasks: [Task<Void, Never>] = []
    }

    package let store: any ArchiveStore
    package let policy: ArchivePolicy
    private let traffic: ArchiveTraffic
    private let holder = DatabaseArchiver.makeHolder()
    let clock: any WallClock
    let log: Logger
    /// How long the closing of a database waits for the archive.
    private let patience: Duration
    private let leases = LeaseGuard()
    private let state = Mutex(State())
    /// What the archive has.
    let contents: ArchiveBackups
    let scheduled: ScheduledBackups

    package init(
        _ store: any ArchiveStore, policy: ArchivePolicy, patience: Duration = .seconds(10), clock: any WallClock = SystemClock(),
        log: Logger, makeBackupID: @escaping @Sendable () -> String = { AutoID.make() }
    ) {
        self.store = store
        self.policy = policy
        self.patience = patience
        self.clock = clock
        self.log = log
        traffic = ArchiveTraffic(objectsPerSecond: policy.objectsPerSecond)
        contents = ArchiveBackups(store, policy, traffic, clock)
        scheduled = ScheduledBackups(clock: clock, log: log, makeID: makeBackupID)
    }

    func archiver(of database: DatabaseID) -> DatabaseArchiver? { state.withLock { $0.archivers[database] } }

    /// nil before the server has started.
    var databases: DatabaseRegistry? { state.withLock { $0.databases } }

    // MARK: DatabaseCompanion

    package func started(_ databases: DatabaseRegistry) {
        state.withLock { state in
            state.databases = databases
            state.tasks = [Task { await self.sweep(databases) }, Task { await self.watch(databases) }]
            for (database, archiver) in state.archivers { start(archiver, of: database, databases) }
        }
    }

    package func opening(_ database: DatabaseID, _ engine: Engine) {
        leases.forget(database)
        let archiver = DatabaseArchiver(
            engine, of: database, in: store, policy: policy, traffic: traffic, holder: holder, clock: clock, logger: log,
            whenEnded: { [leases] end in leases.lose(database, end) }
        ) { [weak self] () throws(FirestoreError) in
            guard let databases = self?.state.withLock({ $0.databases }) else { throw .stopping }
            return try databases.pathForCopy()
        }
        state.withLock { state in
            state.archivers[database] = archiver
            state.closed[database] = nil
        }
        if policy.isRequired { takeLease(archiver) }
    }

    package func opened(_ database: DatabaseID, _ engine: Engine) {
        // Before the server has started, it begins then.
        guard case (let archiver?, let databases?) = state.withLock({ ($0.archivers[database], $0.databases) }) else { return }
        start(archiver, of: database, databases)
    }

    /// Before callers can write: a server that another one has replaced must not accept a single write. Waits a while for the archive.
    private func takeLease(_ archiver: DatabaseArchiver) {
        let taken = DispatchSemaphore(value: 0)
        Task {
            await archiver.takeLease()
            taken.signal()
        }
        _ = taken.wait(timeout: .now() + 10)
    }

    /// What refuses the writes of a database that another server has taken over.
    package func writeAdmission(of database: DatabaseID) -> any WriteAdmission { leases.admission(of: database) }

    private func start(_ archiver: DatabaseArchiver, of database: DatabaseID, _ databases: DatabaseRegistry) {
        // An idle database stays open while a copy of it is made.
        let keepingOpen: @Sendable () -> (any Sendable)? = { [weak databases] in databases?.current(database) }
        Task {
            await archiver.start(keepingOpen: keepingOpen)
            await scheduled.note(database, archiver.engine)
        }
    }

    package func closing(_ database: DatabaseID) async {
        guard let archiver = state.withLock({ $0.archivers.removeValue(forKey: database) }) else { return }
        await archiver.finish(within: patience)
        let sight = await archiver.sight
        state.withLock { $0.closed[database] = sight }
    }

    package func deleted(_ database: DatabaseID) async {
        state.withLock { state in
            state.closed[database] = nil
            state.deleted.insert(database)
        }
        do throws(FirestoreError) {
            try await noteDeletion(of: database)
        } catch {
            log.warning(
                "the archive does not know that the database was deleted: a restore of all databases brings it back",
                metadata: database.metadata.merging(["error": "\(error)"]) { $1 })
        }
    }

    /// Notes that a database was deleted, if the archive does not know that yet.
    func noteDeletion(of database: DatabaseID) async throws(FirestoreError) {
        guard state.withLock({ $0.deleted.contains(database) }) else { return }
        try await ArchivedDeletion.note(of: ArchiveLayout(database), holder: holder, in: store, now: clock.now())
        state.withLock { _ = $0.deleted.remove(database) }
    }

    package func stopping() async {
        let tasks = state.withLock { state in
            defer { state.tasks = [] }
            return state.tasks
        }
        for task in tasks { task.cancel() }
    }

    /// Archives what an earlier process has left: opens every database, one after the other.
    private func sweep(_ databases: DatabaseRegistry) async {
        for listed in databases.listing() where !listed.isOpen {
            if Task.isCancelled { return }
            // One that cannot be opened is reported when a caller asks for it.
            guard let service = try? await databases.openExisting(listed.database) else { continue }
            await archiver(of: listed.database)?.whenCurrent(waiting: .max)
            withExtendedLifetime(service) {}
        }
    }

    /// Shows metrics, makes backups that are due, and checks one archive after the other.
    private func watch(_ databases: DatabaseRegistry) async {
        let (metrics, round) = (ArchiveMetrics(), Duration.seconds(5))
        var rounds = 0
        while !Task.isCancelled {
            if policy.isRequired { for archiver in state.withLock({ $0.archivers.values }) { await archiver.checkLease() } }
            let statuses = await statuses()
            setLost(Set(statuses.filter(\.status.isLost).map(\.database)))
            metrics.show(statuses, now: clock.now())
            rounds += 1
            if rounds % 12 == 0 {
                await look(databases)
                await makeDueBackups(databases)
            }
            // An hour after the start, and then once a day.
            if rounds % 17_280 == 720 { await removeExpiredBackups() }
            if policy.isVerified, rounds % 60 == 0 { await verifyNext(databases) }
            try? await Task.sleep(for: round)
        }
    }

    private func verifyNext(_ databases: DatabaseRegistry) async {
        guard let file = try? databases.pathForCopy() else { return }
        let folder = (file as NSString).deletingLastPathComponent
        let verification = ScheduledVerification(store: store, folder: folder, clock: clock, log: log)
        for (database, archiver) in state.withLock({ $0.archivers }) {
            let open = databases.current(database)
            if let outcome = await verification.run(database, archiver.engine) {
                await archiver.verified(outcome)
                // One that is damaged is checked again soon, and must not keep the others from their turn.
                if case .sound = outcome { return }
            }
            withExtendedLifetime(open) {}
        }
    }

    // MARK: Looking for what is archived

    var archivers: [DatabaseID: DatabaseArchiver] { state.withLock { $0.archivers } }

    /// The archives of closed databases that are looked at next, in turn.
    func nextClosed(_ most: Int) -> [(database: DatabaseID, sight: ArchiveSight)] {
        state.withLock { state in
            if state.looked.isSuperset(of: state.closed.keys) { state.looked = [] }
            let next = state.closed.filter { !state.looked.contains($0.key) }.prefix(most).map { ($0.key, $0.value) }
            state.looked.formUnion(next.map(\.0))
            return next
        }
    }

    /// Whether no archive is known to have lost what it had.
    package var isWhole: Bool { state.withLock { $0.lost.isEmpty } }

    func setLost(_ databases: Set<DatabaseID>) { state.withLock { $0.lost = databases } }

    // MARK: What can be seen

    /// The archives of the open databases, sorted by name.
    package func statuses() async -> [(database: DatabaseID, status: ArchiveStatus)] {
        var found: [(database: DatabaseID, status: ArchiveStatus)] = []
        for (database, archiver) in state.withLock({ $0.archivers }) { found.append((database, await archiver.status)) }
        return found.sorted { $0.database.documentsPrefix < $1.database.documentsPrefix }
    }
}
