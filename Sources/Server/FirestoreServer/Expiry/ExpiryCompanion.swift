// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEngine
import Logging

/// The expiry of documents in the databases of a server. Open ones delete by themselves; a closed one is opened when its first document
/// expires, one at a time, and closed again when it is idle.
///
/// While no database has a policy there is no task. When each database is due is in a file; a missing one is made again. On a cluster,
/// where another node may have set a policy, each node asks now and then which databases have one.
package final class ExpiryCompanion: DatabaseCompanion {
    private struct State {
        var engines: [DatabaseName: Engine] = [:]
        var timers = ExpiryTimers()
        /// Deleted in databases that are closed.
        var deleted = 0
        /// Referred to weakly: it owns this object.
        weak var databases: DatabaseRegistry?
        var task: Task<Void, Never>?
        var isStopping = false
        /// When all databases are opened to find out when they are due; nil for never.
        var nextScan: Int64?

        /// Whether there is something to wait for.
        var isNeeded: Bool { !timers.isEmpty || nextScan != nil }
    }

    /// Between two looks at the databases of a cluster, in microseconds.
    private static let scanInterval: Int64 = 3_600_000_000
    /// The longest time between two looks at the timers, in microseconds.
    private static let longestSleep: Int64 = 60_000_000
    private let clock: any WallClock
    private let log: Logger
    private let state = Mutex(State())

    init(clock: any WallClock, log: Logger) {
        self.clock = clock
        self.log = log
    }

    /// The clock by which the documents of all databases expire.
    static func clock(_ clock: any WallClock, _ log: Logger) -> ExpiryClock {
        ExpiryClock(clock) { microseconds in
            let seconds = microseconds / 1_000_000
            log.warning(
                """
                the clock has moved by \(seconds) s more than the time that is known to have passed: it was set, or the machine was off; \
                documents expire again in an hour, by the new time: check the clock
                """, metadata: ["seconds": "\(seconds)"])
        }
    }

    // MARK: DatabaseCompanion

    package func started(_ databases: DatabaseRegistry) {
        state.withLock { $0.databases = databases }
        if let directory = databases.directory {
            switch ExpiryTimers.read(in: directory) {
            case .success(let timers): state.withLock { $0.timers = timers }
            case .failure(let error):
                log.warning("the times of expiry are found by opening all databases", metadata: ["error": "\(error)"])
                scheduleScan()
            // As in a new directory.
            case nil: if !databases.opening.stored().isEmpty { scheduleScan() }
            }
        } else if databases.isOnCluster {
            scheduleScan()
        }
        keepTime()
    }

    private func scheduleScan() { state.withLock { $0.nextScan = clock.now() } }

    /// All databases are due now: each is opened, and says when it is due.
    private func scanIfDue() async {
        let now = clock.now()
        let databases = state.withLock { state -> DatabaseRegistry? in
            guard let scan = state.nextScan, scan <= now, let databases = state.databases else { return nil }
            state.nextScan = databases.isOnCluster ? now + Self.scanInterval : nil
            return databases
        }
        let found = try? await databases?.onThread { (opening) throws(FirestoreError) in try opening.mayExpire() }
        for database in found ?? [] { state.withLock { $0.timers.set(0, for: database) } }
    }

    package func opened(_ database: DatabaseID, _ engine: Engine) {
        state.withLock { $0.engines[DatabaseName(database)] = engine }
        engine.whenPoliciesChange { [weak self, weak engine] in
            guard let self, let engine else { return }
            // The process may end without closing the database.
            Task { await self.note(engine, of: database) }
        }
    }

    package func closing(_ database: DatabaseID) async {
        guard let engine = state.withLock({ $0.engines[DatabaseName(database)] }) else { return }
        await note(engine, of: database)
        state.withLock { state in
            state.engines[DatabaseName(database)] = nil
            state.deleted += engine.expiredCount
        }
        keepTime()
    }

    package func stopping() async {
        let task = state.withLock { state in
            state.isStopping = true
            return state.task.take()
        }
        task?.cancel()
    }

    // MARK: Timers

    /// Notes when a database is due.
    private func note(_ engine: Engine, of database: DatabaseID) async {
        let time: Int64?
        do throws(FirestoreError) { time = try await engine.firstExpiry() } catch { return }
        let (timers, directory) = state.withLock { state in
            let before = state.timers
            state.timers.set(time, for: database)
            return (state.timers == before ? nil : state.timers, state.databases?.directory)
        }
        guard let timers, let directory else { return }
        do throws(FirestoreError) {
            try timers.write(in: directory)
        } catch {
            log.warning("the times of expiry are not stored", metadata: ["error": "\(error)"])
        }
    }

    /// Starts the task, unless it runs or there is nothing to wait for.
    private func keepTime() {
        state.withLock { state in
            guard state.task == nil, !state.isStopping, state.isNeeded, state.databases != nil else { return }
            state.task = Task { await self.run() }
        }
    }

    private func run() async {
        while !Task.isCancelled {
            await scanIfDue()
            await openDue()
            let next = closed.first?.time
            let isOver = state.withLock { state in
                // A database that is closed meanwhile starts another task.
                if !state.isNeeded { state.task = nil }
                return !state.isNeeded
            }
            if isOver { return }
            let left = next.map { max(0, $0.subtractingReportingOverflow(clock.now()).partialValue) } ?? Self.longestSleep
            try? await Task.sleep(for: .microseconds(max(1_000_000, min(left, Self.longestSleep))))
        }
    }

    private var closed: [(database: DatabaseID, time: Int64)] {
        state.withLock { $0.timers.sorted(without: Set($0.engines.keys)) }
    }

    /// Opens the closed databases of which a document has expired, one after the other, and deletes what has.
    package func openDue() async {
        for (database, time) in closed {
            guard time <= clock.now(), let databases = state.withLock({ $0.isStopping ? nil : $0.databases }) else { return }
            do throws(FirestoreError) {
                let service = try await databases.openExisting(database)
                if let engine = state.withLock({ $0.engines[DatabaseName(database)] }) {
                    try await engine.deleteExpired()
                    await note(engine, of: database)
                }
                withExtendedLifetime(service) {}
            } catch {
                log.debug("documents of a closed database do not expire", metadata: database.metadata.merging(["error": "\(error)"]) { $1 })
                let later = error.code == .notFound ? nil : clock.now() + Self.longestSleep
                state.withLock { $0.timers.set(later, for: database) }
            }
        }
    }

    // MARK: Figures

    /// How many documents were deleted because they had expired.
    package var deletedCount: Int {
        state.withLock { state in state.engines.values.reduce(state.deleted) { $0 + $1.expiredCount } }
    }

    /// For how many seconds the first document has been expired that is not deleted yet.
    package var delay: Double {
        let open = state.withLock { Array($0.engines.values) }.map(\.expiryDelay).max() ?? 0
        let due = closed.first.map { Double(clock.now() - $0.time) / 1_000_000 } ?? 0
        return max(open, due, 0)
    }
}
