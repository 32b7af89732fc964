// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore
package import FirestoreEnforcement
import FirestoreEngine
package import FirestoreRPC
import FirestoreRules
import HearthBase
package import Logging

/// The open databases of a server, under their rules. Each is opened when it is first requested, once for all calls that request it at
/// the same time, and closed when it has not been used for some minutes, or when another one needs its slot (decision 24).
///
/// A database stays open while a call, a stream or a transaction uses it. Databases in memory stay open, because closing would
/// delete them.
package final class DatabaseRegistry: Sendable {
    private struct State {
        var table: DatabaseTable<RuledService, Waiter>
        var timer: (any DispatchSourceTimer)?
        /// Databases that are being created by name, and not by use.
        var wanted: Set<DatabaseName> = []
        /// Names under which databases are being restored: they are opened when they are complete.
        var reserved: Set<DatabaseName> = []
        /// Callers that wait until every database is closed.
        var drained: [CheckedContinuation<Void, Never>] = []
    }

    /// The number of databases in memory is this multiple of the maximum of open files.
    private static let shareInMemory = 20

    let opening: DatabaseOpening
    private let rules: RulesRegistry
    private let round: Duration
    private let log: Logger
    private let companions: [any DatabaseCompanion]
    /// The expiry of documents in databases that are closed.
    package let expiry: ExpiryCompanion
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "hearth.databases", attributes: .concurrent)

    /// At most `maximum` databases have files open at a time, and twenty times as many are in memory. An idle one is closed after five
    /// times `round`.
    package init(
        _ opening: DatabaseOpening, rules: RulesRegistry = RulesRegistry(), maximum: Int = 100, round: Duration = .seconds(60),
        companions: [any DatabaseCompanion] = [], log: Logger
    ) {
        var opening = opening
        if opening.expiry.clock == nil { opening.expiry.clock = ExpiryCompanion.clock(opening.clock, log) }
        self.opening = opening
        expiry = ExpiryCompanion(clock: opening.clock, log: log)
        self.companions = [expiry] + companions
        self.rules = rules
        self.round = round
        self.log = log
        let isInMemory = opening.storage.isMemory
        let most = isInMemory ? min(maximum, .max / Self.shareInMemory) * Self.shareInMemory : maximum
        state = Mutex(State(table: DatabaseTable(maximum: most, mayClose: !isInMemory, advice: opening.advice)))
    }

    /// The database if it is open. It stays open while the caller holds a reference.
    package func current(_ database: DatabaseID) -> RuledService? {
        state.withLock { $0.table.current(DatabaseName(database)) }
    }

    /// The database, opened if necessary. It stays open while the caller holds a reference.
    package func open(_ database: DatabaseID) async throws(FirestoreError) -> RuledService {
        if let service = current(database) { return service }
        // Another one must not be closed for it.
        if let presence = opening.presence, presence.isLost { throw presence.error }
        let waiter = Waiter()
        enter(DatabaseName(database), waiter)
        return try await waiter.value()
    }

    /// Opens a database for a caller, for whom it may not have to be created.
    func open(_ database: DatabaseID, for caller: RequestContext.Caller) async throws(FirestoreError) -> RuledService {
        if let service = current(database) { return service }
        if opening.checksCreation {
            try await onThread { (opening) throws(FirestoreError) in try opening.checkCreation(of: database, for: caller) }
        }
        return try await open(database)
    }

    /// The database, opened if necessary, and never created. For administrators that inspect existing databases.
    package func openExisting(_ database: DatabaseID) async throws(FirestoreError) -> RuledService {
        if let service = current(database) { return service }
        try DatabaseRules.check(database)
        try await onThread { (opening) throws(FirestoreError) in
            guard try opening.exists(database) else { throw .noDatabase(database) }
        }
        return try await open(database)
    }

    /// Fails if the database does not exist, and its first use would not create it.
    package func checkUse(of database: DatabaseID) async throws(FirestoreError) {
        if current(database) != nil { return }
        try DatabaseRules.check(database)
        try await onThread { (opening) throws(FirestoreError) in
            if opening.createsDatabases { return }
            guard try opening.exists(database) else { throw .noDatabase(database) }
        }
    }

    /// Off the cooperative pool: a directory or a server is asked.
    func onThread<R: Sendable>(
        _ body: @escaping @Sendable (DatabaseOpening) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let result: Result<R, FirestoreError> = await withCheckedContinuation { continuation in
            queue.async { [opening] in
                continuation.resume(returning: Result { () throws(FirestoreError) in try body(opening) })
            }
        }
        return try result.get()
    }

    // MARK: Creating and deleting by name

    /// Opens a database that does not exist, also where databases are not created by use.
    func create(_ database: DatabaseID) async throws(FirestoreError) -> RuledService {
        let name = DatabaseName(database)
        state.withLock { _ = $0.wanted.insert(name) }
        defer { state.withLock { _ = $0.wanted.remove(name) } }
        return try await open(database)
    }

    /// Takes a name for a database that is being restored. Returns false if it is taken so already.
    func reserve(_ database: DatabaseID) -> Bool { state.withLock { $0.reserved.insert(DatabaseName(database)).inserted } }

    func release(_ database: DatabaseID) { state.withLock { _ = $0.reserved.remove(DatabaseName(database)) } }

    /// Ends a database for all its users, and calls `body` when its files are closed. Calls that request it meanwhile wait until then.
    func end(
        _ database: DatabaseID, _ body: @escaping @Sendable (DatabaseOpening) throws(FirestoreError) -> Void
    ) async throws(FirestoreError) {
        let name = DatabaseName(database)
        // Open, it has a place in the table, which no other call can take meanwhile.
        let service = try await openExisting(database)
        guard state.withLock({ $0.table.end(name) }) != nil else {
            throw FirestoreError(.aborted, "the database is being closed; try again", at: database.resourceName)
        }
        for companion in companions { await companion.closing(database) }
        await service.storeAdministration?.abandon()
        await service.shutdown()
        rules.forget(database)
        let result: Result<Void, FirestoreError>
        do throws(FirestoreError) { result = .success(try await onThread(body)) } catch { result = .failure(error) }
        // Before callers that wait create another one of this name.
        if case .success = result { for companion in companions { await companion.deleted(database) } }
        for waiter in state.withLock({ $0.table.closed(name) }) { enter(name, waiter) }
        finishIfDrained()
        try result.get()
        log.info("database deleted", metadata: database.metadata)
    }

    package var openCount: Int { state.withLock { $0.table.openCount } }

    /// Returns when the commits that open databases have taken are applied or rejected.
    func finishCommits() async {
        for name in openNames { await current(name.database)?.storeAdministration?.finishCommits() }
    }

    /// The databases that are open.
    var openNames: Set<DatabaseName> { state.withLock { $0.table.openNames } }

    /// Whether the files of an open database are not where they were opened any more. Asks the system.
    package var hasLostFiles: Bool { openStores.contains { $0.store?.hasLostFiles == true } }

    /// What metrics look at. It does not keep the databases open, as their services would.
    var openStores: [(name: DatabaseName, store: (any StoreAdministration)?, denials: Int, uses: UInt64)] {
        state.withLock { state in
            state.table.openServices.map { ($0.name, $0.service.storeAdministration, $0.service.denials, $0.uses) }
        }
    }

    private func enter(_ name: DatabaseName, _ waiter: Waiter) {
        switch state.withLock({ $0.table.enter(name, waiter, isIdle: Self.isIdle) }) {
        case .open(let service): waiter.resume(.success(service))
        case .refused(let error): waiter.resume(.failure(error))
        case .waits(nil): break
        case .waits(let work?):
            guard let (closing, service) = work.closing else { return queue.async { self.make(name) } }
            Task {
                await close(closing, service)
                // Reads files: must not run on the task pool.
                queue.async { self.make(name) }
            }
        }
    }

    /// Whether only the table refers to it, and no transaction is open in it.
    private static func isIdle(_ service: inout RuledService?) -> Bool {
        isKnownUniquelyReferenced(&service) && service?.storeAdministration?.hasOpenTransactions == false
    }

    private func make(_ name: DatabaseName) {
        var opened: Engine?
        let result: Result<RuledService, FirestoreError>
        do throws(FirestoreError) {
            guard state.withLock({ !$0.reserved.contains(name) }) else {
                throw FirestoreError(.unavailable, "the database is being restored; wait for its operation", at: name.database.resourceName)
            }
            let engine = try opening.open(name.database, isWanted: state.withLock { $0.wanted.contains(name) })
            opened = engine
            // The rules of a database are retained while it is open, so that names alone cost nothing.
            result = .success(RuledService(engine, rules.enforcement(of: name.database)))
        } catch {
            result = .failure(error)
        }
        let metadata = name.database.metadata
        switch result {
        case .success: log.info("database opened", metadata: metadata)
        case .failure(let error):
            log.log(
                level: error.isOurFault ? .error : .debug, "database not opened",
                metadata: metadata.merging(["error": "\(error)"]) { $1 })
        }
        let service = try? result.get()
        if let opened { for companion in companions { companion.opening(name.database, opened) } }
        let (waiters, isStopped) = state.withLock { state in
            let waiters = state.table.opened(name, service)
            if service != nil, state.timer == nil, !state.table.isStopped { state.timer = startTimer() }
            return (waiters, state.table.isStopped)
        }
        if let opened, !isStopped { for companion in companions { companion.opened(name.database, opened) } }
        if isStopped, let service { Task { await close(name, service) } }
        opened?.whenEnded { [weak self] in self?.end(name) }
        for waiter in waiters { waiter.resume(isStopped ? .failure(.stopping) : result) }
        finishIfDrained()
    }

    /// Closes a database whose history was cut. The next call opens it again.
    private func end(_ name: DatabaseName) {
        queue.async { [self] in
            guard let (name, service) = state.withLock({ $0.table.end(name) }) else { return }
            log.warning(
                "the history of the database was cut, by a fail-over or a deletion; it is opened again", metadata: name.database.metadata)
            Task { await close(name, service) }
        }
    }

    /// Closes the files. For callers that have requested the database meanwhile, it is opened again.
    private func close(_ name: DatabaseName, _ service: RuledService) async {
        for companion in companions { await companion.closing(name.database) }
        await service.shutdown()
        // Streams end their sessions by themselves, and some of them have not done so yet.
        await service.storeAdministration?.shutdownSessions()
        rules.forget(name.database)
        log.info("database closed", metadata: name.database.metadata)
        for waiter in state.withLock({ $0.table.closed(name) }) { enter(name, waiter) }
        finishIfDrained()
    }

    package var advice: OperatorAdvice { opening.advice }

    /// The server answers calls.
    package func started() { for companion in companions { companion.started(self) } }

    // MARK: Idle databases

    private func startTimer() -> (any DispatchSourceTimer)? {
        guard !opening.storage.isMemory else { return nil }
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        let interval = DispatchTimeInterval.milliseconds(Int(round / .milliseconds(1)))
        timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .seconds(1))
        timer.setEventHandler { [weak self] in
            self?.passRound()
            ProcessMemory.giveBack()
        }
        timer.resume()
        return timer
    }

    /// Call it after a fifth of the time after which an idle database is closed.
    package func passRound() {
        // What is open may be all that is left.
        if opening.presence?.hasLostAnything == true { return }
        warnOfLongLogs(to: log)
        emptyTrash()
        for (name, service) in state.withLock({ $0.table.passRound(isIdle: Self.isIdle) }) {
            Task { await close(name, service) }
        }
    }

    // MARK: The end

    /// Closes every database and rejects further requests. Returns when the files are closed.
    package func close() async {
        for companion in companions { await companion.stopping() }
        let open = state.withLock { state in
            state.timer?.cancel()
            state.timer = nil
            return state.table.stop()
        }
        // Without open databases, the task pool need not be started.
        if !open.isEmpty {
            await withTaskGroup { group in
                for (name, service) in open { group.addTask { await self.close(name, service) } }
            }
        }
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if !state.table.isEmpty { state.drained.append(continuation) }
                return state.table.isEmpty
            }
            if isEmpty { continuation.resume() }
        }
    }

    private func finishIfDrained() {
        let drained = state.withLock { state in
            guard state.table.isEmpty else { return [] as [CheckedContinuation<Void, Never>] }
            defer { state.drained = [] }
            return state.drained
        }
        for continuation in drained { continuation.resume() }
    }
}

/// Waits for a database. The result goes through a lock that both sides take, because the thread sanitizer does not see the
/// synchronization of a continuation (decision 8).
private final class Waiter: Sendable {
    private struct State {
        var result: Result<RuledService, FirestoreError>?
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func resume(_ result: Result<RuledService, FirestoreError>) {
        let continuation = state.withLock { state in
            state.result = result
            return state.continuation.take()
        }
        continuation?.resume()
    }

    func value() async throws(FirestoreError) -> RuledService {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.result == nil { state.continuation = continuation }
                return state.result != nil
            }
            if isThere { continuation.resume() }
        }
        let result = state.withLock { state in state.result }
        guard let result else { throw .stopping }
        return try result.get()
    }
}

extension DatabaseID {
    package var metadata: Logger.Metadata { ["project": "\(projectID)", "database": "\(databaseID)"] }
}

extension FirestoreError {
    package static let stopping = FirestoreError(.unavailable, "the server is stopping; try another one, or later")

    static func tooManyDatabases(_ maximum: Int, _ advice: OperatorAdvice) -> FirestoreError {
        FirestoreError(.resourceExhausted, "the limit of \(maximum) open databases has been reached\(advice(.databaseLimit))")
    }

    /// Whether the operator must know about the error, because the caller did not cause it.
    var isOurFault: Bool {
        switch code {
        case .internal, .dataLoss, .unknown: true
        default: false
        }
    }
}
