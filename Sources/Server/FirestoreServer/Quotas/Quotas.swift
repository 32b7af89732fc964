// SPDX-License-Identifier: Apache-2.0
package import CoreMetrics
import Dispatch
package import FirestoreCore
package import Logging

/// The quotas of a server: counts what its callers use, and refuses calls before they cost anything.
///
/// Administrators are not counted, and neither is what does not come from callers: expiry, restores, events, the console.
package final class Quotas: DatabaseFront {
    /// How often daily sums are stored.
    private static let pause = DispatchTimeInterval.seconds(3_600)

    private let table: Mutex<QuotaTable>
    private let sizes = KnownSizes()
    private let clock: any WallClock
    private let directory: String?
    private let metrics: (any MetricsFactory)?
    private let log: Logger
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

    /// - Parameters:
    ///   - directory: Where daily sums are kept; nil for a server whose sums end with it.
    ///   - capacity: The number of callers and databases whose use is known. The one that was seen longest ago makes room.
    package init(
        _ limits: QuotaLimits, directory: String?, capacity: Int = 100_000, clock: any WallClock = SystemClock(),
        metrics: (any MetricsFactory)? = nil, log: Logger
    ) {
        table = Mutex(QuotaTable(limits, capacity: capacity))
        self.directory = directory
        self.clock = clock
        self.metrics = metrics
        self.log = log
    }

    package var limits: QuotaLimits { table.withLock { $0.limits } }

    /// Puts other limits in effect. What was used remains counted.
    package func install(_ limits: QuotaLimits) { table.withLock { $0.limits = limits } }

    package func service(inFrontOf service: any JudgedService, of database: DatabaseID) -> any JudgedService {
        func counted(_ inner: some JudgedService) -> any JudgedService { QuotaService(inner, of: database, quotas: self) }
        return counted(service)
    }

    /// Whose use a call is; empty for one that is not counted.
    func subjects(of context: RequestContext, in database: DatabaseID) -> [QuotaSubject] {
        switch context.caller {
        case .administrator: []
        case .user(let id, _): [.user(project: database.projectID, id: id), .database(DatabaseName(database))]
        case .anonymous: [.address(context.address ?? ""), .database(DatabaseName(database))]
        }
    }

    // MARK: Rates

    func admit(_ costs: [QuotaResource: Int64], for subjects: [QuotaSubject]) throws(FirestoreError) {
        let now = clock.now()
        if let refusal = table.withLock({ $0.admit(costs, for: subjects, now: now) }) { throw refused(refusal) }
    }

    /// Refuses what `admit` would refuse, and counts nothing.
    func check(_ costs: [QuotaResource: Int64], for subjects: [QuotaSubject]) throws(FirestoreError) {
        let now = clock.now()
        if let refusal = table.withLock({ $0.check(costs, for: subjects, now: now) }) { throw refused(refusal) }
    }

    func add(_ costs: [QuotaResource: Int64], for subjects: [QuotaSubject]) {
        let now = clock.now()
        table.withLock { $0.add(costs, for: subjects, now: now) }
    }

    func addListener(for subjects: [QuotaSubject]) throws(FirestoreError) {
        if let refusal = table.withLock({ $0.addListener(for: subjects) }) { throw refused(refusal) }
    }

    func removeListener(for subjects: [QuotaSubject]) { table.withLock { $0.removeListener(for: subjects) } }

    private func refused(_ refusal: QuotaTable.Refusal) -> FirestoreError {
        switch refusal.reason {
        case .rate(let resource):
            count(refusal.subject.kind, resource.rawValue)
            let wait = Duration.microseconds(refusal.wait ?? 0)
            let seconds = max(1, Int64((wait / .seconds(1)).rounded(.up)))
            var error = FirestoreError(
                .resourceExhausted, "the quota of \(resource.text) of \(refusal.subject.text) is used up; try again in \(seconds) s")
            error.retryDelay = wait
            return error
        case .listeners:
            count(refusal.subject.kind, "listeners")
            return FirestoreError(
                .resourceExhausted, "\(refusal.subject.text) may have no more listeners at a time; end one of them first")
        }
    }

    private func count(_ kind: String, _ quota: String) {
        guard let metrics else { return }
        Counter(label: "hearth_quota_refusals_total", dimensions: [("of", kind), ("quota", quota)], factory: metrics).increment()
    }

    // MARK: Sizes

    /// Refuses writes that add to a database that is too large. Sizes are looked at every few seconds, while the database is written.
    func admit(_ writes: [Write], to database: DatabaseID, _ store: (any StoreAdministration)?) throws(FirestoreError) {
        guard let most = table.withLock({ $0.limits.databaseBytes }), let store, writes.contains(where: \.operation.adds) else { return }
        guard let size = sizes.size(of: database, store, now: clock.now()), size >= most else { return }
        count("database", "bytes")
        throw FirestoreError(
            .resourceExhausted,
            "the database has \(size) bytes and may have \(most); delete documents, or have its operator raise the quota")
    }

    /// Refuses to create one more database of a project, of which there are so many.
    func admitCreation(of database: DatabaseID, existing: Int) throws(FirestoreError) {
        guard let most = table.withLock({ $0.limits.databasesPerProject }), existing >= most else { return }
        count("project", "databases")
        throw FirestoreError(
            .resourceExhausted,
            "the project \(database.projectID) has \(existing) databases, which is the most; an administrator can create more")
    }

    var limitsDatabases: Bool { table.withLock { $0.limits.databasesPerProject != nil } }

    // MARK: Daily sums

    /// Continues with the sums of before, and stores them from now on.
    package func start() {
        guard let directory else { return }
        let today = clock.now() / QuotaUse.dayLength
        if let stored = QuotaSums.read(in: directory), stored.day == today {
            table.withLock { $0.restore(stored.entries, of: today) }
        }
        timer.withLock { $0 = startTimer() }
    }

    private func startTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.schedule(deadline: .now() + Self.pause, repeating: Self.pause, leeway: .seconds(30))
        timer.setEventHandler { [weak self] in self?.store() }
        timer.resume()
        return timer
    }

    package func stop() {
        let wasStarted = timer.withLock { timer in
            defer { timer = nil }
            timer?.cancel()
            return timer != nil
        }
        if wasStarted { store() }
    }

    private func store() {
        guard let directory else { return }
        let today = clock.now() / QuotaUse.dayLength
        let entries = table.withLock { $0.dailySums(of: today) }
        guard !entries.isEmpty else { return QuotaSums.remove(in: directory) }
        do throws(FirestoreError) {
            try QuotaSums(day: today, entries: entries).write(in: directory)
        } catch {
            log.warning("the daily sums of the quotas are not stored", metadata: ["error": "\(error)"])
        }
    }
}

/// The sizes of databases, as they were a moment ago.
private final class KnownSizes: Sendable {
    private static let pause: Int64 = 5_000_000

    private let known = Mutex<[DatabaseName: (bytes: Int64?, due: Int64)]>([:])

    /// nil until it is known. Looks again in the background, if that was done a while ago.
    func size(of database: DatabaseID, _ store: any StoreAdministration, now: Int64) -> Int64? {
        let name = DatabaseName(database)
        let (bytes, isDue) = known.withLock { known in
            let entry = known[name]
            let isDue = entry.map { now >= $0.due || $0.due > now + Self.pause } ?? true
            if isDue { known[name] = (entry?.bytes, now + Self.pause) }
            return (entry?.bytes, isDue)
        }
        if isDue {
            Task {
                let bytes = try? await store.usedBytes()
                known.withLock { $0[name]?.bytes = bytes ?? nil }
            }
        }
        return bytes
    }
}
