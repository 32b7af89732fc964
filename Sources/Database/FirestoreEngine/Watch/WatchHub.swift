// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreIndexing
import FirestoreSemantics
import FirestoreStorage

/// Delivers commits to watches, on one thread, in commit order.
///
/// A watch first enters the table and then reads its initial state: the table stores the commits in between, and the commit
/// times show which of them were already read.
final class WatchHub: Sendable {
    private let store: any DocumentStore
    private let databaseID: DatabaseID
    private let indexes: IndexManager
    private let table: Mutex<WatchTable>
    private let lastID = Mutex(0)
    private let thread = DispatchQueue(label: "hearth.watch", qos: .userInitiated)
    /// Commit groups in flight; the committer waits when it is too far ahead.
    private let backlog = DispatchSemaphore(value: 64)
    private let rounds = RoundObservers()
    /// Callers that wait for commits that are in the database and not yet published.
    private let waiting = Mutex(Waiting())

    private let end: EndOfHistory

    init(store: any DocumentStore, databaseID: DatabaseID, indexes: IndexManager, end: EndOfHistory) {
        (self.store, self.end) = (store, end)
        self.databaseID = databaseID
        self.indexes = indexes
        table = Mutex(WatchTable(database: databaseID))
        ServiceThread.mark(thread)
    }

    // MARK: From any thread

    /// The time of the last commit before the first published one.
    func begin(at time: DocumentVersion) { table.withLock { $0.published(upTo: time) } }

    /// The time of the last commit that the watch thread has processed or received.
    var published: DocumentVersion { table.withLock { $0.published } }

    /// Accepts a handle's watches, until `cancelAll`.
    func admit(owner: Int) { table.withLock { $0.admit(owner) } }

    /// The time up to which all watches have received everything, after those published before the call were delivered.
    func time() async -> DocumentVersion {
        // All of that is already queued on the thread.
        let published = published
        return await withCheckedContinuation { continuation in
            thread.async { [self] in continuation.resume(returning: max(published, table.withLock { $0.reached })) }
        }
    }

    /// Runs `body` when everything that was published before is delivered.
    func afterPublished(_ body: @escaping @Sendable () -> Void) { thread.async(execute: body) }

    func register(
        _ target: WatchTarget, from resumption: WatchResumption?, owner: Int, sink: any WatchSink
    ) -> WatchRegistration {
        let id = lastID.withLock { last in
            last += 1
            return last
        }
        return WatchRegistration(id: id, target: target, from: resumption, owner: owner, sink: sink) { [weak self] id in
            guard let hub = self else { return }
            hub.thread.async { hub.forget(id) }
        }
    }

    func reject(_ registration: WatchRegistration, _ error: FirestoreError) {
        thread.async { registration.fail(error) }
    }

    /// Calls back when all watches of the owner affected by a commit have received it.
    func observeRounds(owner: Int, _ body: @escaping @Sendable (DocumentVersion) -> Void) -> any WatchHandle {
        rounds.add(owner: owner, body)
    }

    /// Must not be called before what the watch starts with has been published.
    func start(_ registration: WatchRegistration) {
        thread.async { [self] in
            guard !registration.isCancelled else { return }
            switch table.withLock({ $0.add(registration) }) {
            case .rejected: registration.fail(end.closedError)
            case .waiting: break
            case .joined(let batch): perform([WatchTable.Delivery(batch: batch, registrations: [registration])])
            case .start(let start): read(start)
            }
        }
    }

    /// The number of watches, and of what they watch.
    var counts: (watches: Int, targets: Int) { table.withLock { ($0.watchCount, $0.targets.count) } }

    /// Whether anything is watched. Watches that enter the table later read what was published before.
    var hasWatches: Bool { table.withLock { !$0.isEmpty } }

    /// Ends all watches with an error, after what was published before.
    func failAll(_ error: FirestoreError) {
        thread.async { [self] in
            for target in table.withLock({ $0.targets.keys.sorted() }) { fail(target, error) }
        }
    }

    /// See `ChangeFeed`. Routes on the caller's thread: a commit that affects no watch does not wake the watch thread.
    func publish(_ commits: [CommittedChanges], upTo time: DocumentVersion) -> Bool {
        // Watches that enter the table from here on read a state that includes these commits.
        let routed = table.withLock { $0.publish(commits, upTo: time) }
        if !routed.isEmpty {
            thread.async { [self] in
                defer { backlog.signal() }
                for commit in routed { tell(commit) }
                table.withLock { $0.groupTold() }
            }
            table.withLock { $0.published(upTo: time) }
        }
        for body in waiting.withLock({ $0.take(upTo: time) }) { thread.async(execute: body) }
        return !routed.isEmpty
    }

    /// Runs `body` on the watch thread when everything up to a time has been delivered. The time is that of a commit.
    func whenPublished(_ time: DocumentVersion, _ body: @escaping @Sendable () -> Void) {
        let isWaiting = waiting.withLock { waiting in
            // Checked under the lock: `publish` looks for waiting callers only afterwards.
            guard table.withLock({ $0.published }) < time else { return false }
            waiting.bodies.append((time, body))
            return true
        }
        if !isWaiting { thread.async(execute: body) }
    }

    private struct Waiting {
        var bodies: [(time: DocumentVersion, body: @Sendable () -> Void)] = []

        mutating func take(upTo time: DocumentVersion) -> [@Sendable () -> Void] {
            guard !bodies.isEmpty else { return [] }
            defer { bodies.removeAll { $0.time <= time } }
            return bodies.filter { $0.time <= time }.map(\.body)
        }
    }

    /// Waits while the watches are far behind; once for every group for which `publish` returned true.
    func waitForRoom() { backlog.wait() }

    /// Returns when none of the owner's watches will be called any more.
    func cancelAll(owner: Int) async {
        await withCheckedContinuation { continuation in
            thread.async { [self] in
                rounds.removeAll(of: owner)
                for registration in table.withLock({ $0.end(owner) }) {
                    forget(registration.id)
                    registration.cancel()
                }
                continuation.resume()
            }
        }
    }

    // MARK: On the watch thread

    private func forget(_ id: Int) { table.withLock { $0.remove(id) } }

    /// Reads the initial state of a start, and continues when everything up to that moment has been delivered.
    private func read(_ start: WatchStart) {
        guard let plan = table.withLock({ $0.plan(of: start) }) else { return }
        store.startRead { [databaseID, indexes, store] (snapshot: any StoreSnapshot) throws(FirestoreError) in
            // The snapshot knows whether the history was cut.
            try plan.read(snapshot, database: databaseID, history: store.history, indexes: indexes)
        } completion: { result in
            let time = (try? result.get())?.time ?? .none
            self.whenPublished(time) { self.begin(start, result) }
        }
    }

    private func begin(_ start: WatchStart, _ result: Result<WatchStartState, FirestoreError>) {
        do {
            let state = try result.get()
            switch table.withLock({ $0.begin(start, with: state) }) {
            case .gone: return
            case .again: return read(start)
            case .ready: break
            }
            if table.withLock({ $0.isShort(start.target) }) { try fill(start.target) }
            let gone = table.withLock { $0.gone(start) }
            let departed: [Document] =
                gone.isEmpty
                ? []
                : try store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
                    try snapshot.documents(gone).documents.compactMap(\.self)
                }
            if let delivery = table.withLock({ $0.open(start, departed: departed) }) { perform([delivery]) }
        } catch {
            for registration in table.withLock({ $0.close(start) }) { registration.fail(error) }
        }
    }

    private func documents(
        of query: StructuredQuery, over snapshot: any StoreSnapshot
    ) throws(FirestoreError) -> [Document] {
        let counters = QueryCounters()
        let documents = try QueryExecutor.run(query, over: snapshot, database: databaseID, counters: counters)
        indexes.observe(query, counters, results: documents.count, at: snapshot.readTime)
        return documents
    }

    private func tell(_ commit: WatchTable.RoutedCommit) {
        var deliveries: [WatchTable.Delivery] = []
        for (target, part) in commit.parts {
            var action = table.withLock { $0.apply(part, to: target) }
            if case .refill = action {
                do {
                    try fill(target)
                    action = table.withLock { $0.action(target) }
                } catch {
                    fail(target, error)
                }
            }
            if case .deliver(let delivery) = action { deliveries.append(delivery) }
        }
        table.withLock { $0.pass(commit.time) }
        perform(deliveries)
    }

    /// Calls all watches affected by one commit, or by the start of a target.
    private func perform(_ deliveries: [WatchTable.Delivery]) {
        for delivery in deliveries { delivery.perform() }
        guard !deliveries.isEmpty, !rounds.isEmpty else { return }
        let owners = Set(deliveries.flatMap { $0.registrations.map(\.owner) })
        rounds.roundEnded(for: owners, through: table.withLock { $0.reached })
    }

    /// Reads the missing documents at the end of a window, in one transaction with the commits since the view's last batch, so that
    /// both are as of one moment.
    private func fill(_ target: Int) throws(FirestoreError) {
        guard let query = table.withLock({ $0.firstQuery(target) }), let reported = table.withLock({ $0.reported(target) }) else {
            return
        }
        try store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
            guard try snapshot.logFloor().microseconds <= reported.microseconds + 1 else {
                let documents = try documents(of: query, over: snapshot)
                for key in table.withLock({ $0.reset(target, to: documents, at: snapshot.readTime) }) {
                    let document = try snapshot.document(key)
                    table.withLock { $0.found(document, at: key, target) }
                }
                return
            }
            if snapshot.readTime > reported {
                let changes = try Self.changes(in: query.scope, after: reported, snapshot)
                table.withLock { $0.advance(target, by: changes, to: snapshot.readTime) }
            }
            guard let next = try table.withLock({ (table) throws(FirestoreError) in try table.nextQuery(target) })
            else { return }
            let documents = try documents(of: next, over: snapshot)
            table.withLock { $0.extend(target, by: documents) }
        }
    }

    private static func changes(
        in scope: QueryScope, after time: DocumentVersion, _ snapshot: some StoreSnapshot
    ) throws(FirestoreError) -> [CommittedChange] {
        var previous: [(key: DocumentKey, document: Document?)] = []
        var seen: Set<DocumentKey> = []
        try snapshot.changes(after: time) { _, key, document in
            // The oldest change of a document has the state known to the view.
            if scope.contains(key), seen.insert(key).inserted { previous.append((key, document)) }
        }
        var changes: [CommittedChange] = []
        for (key, old) in previous {
            changes.append(CommittedChange(key: key, old: old, new: try snapshot.document(key)))
        }
        return changes
    }

    /// The last call to the watches of the target.
    private func fail(_ target: Int, _ error: FirestoreError) {
        for registration in table.withLock({ $0.close(target) }) { registration.fail(error) }
    }
}
