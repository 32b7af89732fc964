import Dispatch
import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

/// Tells watches about commits, on one thread, in commit order.
///
/// A target starts by entering the table and only then reading its first state: what is committed in between is kept
/// by the table, and the commit times tell what the first state already has.
final class WatchHub: Sendable {
    private let store: Store
    private let databaseID: DatabaseID
    private let indexes: IndexManager
    private let table: Mutex<WatchTable>
    private let lastID = Mutex(0)
    private let thread = DispatchQueue(label: "hearth.watch", qos: .userInitiated)
    /// Commit groups on their way; the committer waits when it is too far ahead.
    private let backlog = DispatchSemaphore(value: 64)
    private let rounds = RoundObservers()

    init(store: Store, databaseID: DatabaseID, indexes: IndexManager) {
        self.store = store
        self.databaseID = databaseID
        self.indexes = indexes
        table = Mutex(WatchTable(database: databaseID))
        ServiceThread.mark(thread)
    }

    // MARK: From any thread

    /// The time of the last commit before the first one that is published.
    func begin(at time: DocumentVersion) { table.withLock { $0.published(upTo: time) } }

    /// The time of the last commit that the watch thread has, or has been handed.
    var published: DocumentVersion { table.withLock { $0.published } }

    /// Lets a handle's watches in, until `cancelAll`.
    func admit(owner: Int) { table.withLock { $0.admit(owner) } }

    /// Up to where all watches have been told everything, once they have been told what was published before the call.
    func time() async -> DocumentVersion {
        // All of that is in the thread's line already.
        let published = published
        return await withCheckedContinuation { continuation in
            thread.async { [self] in continuation.resume(returning: max(published, table.withLock { $0.reached })) }
        }
    }

    func register(_ target: WatchTarget, owner: Int, sink: any WatchSink) -> WatchRegistration {
        let id = lastID.withLock { last in
            last += 1
            return last
        }
        return WatchRegistration(id: id, target: target, owner: owner, sink: sink) { [weak self] id in
            guard let hub = self else { return }
            hub.thread.async { hub.forget(id) }
        }
    }

    func refuse(_ registration: WatchRegistration, _ error: FirestoreError) {
        thread.async { registration.fail(error) }
    }

    /// Calls back when all watches of the owner that a commit concerns have been told.
    func observeRounds(owner: Int, _ body: @escaping @Sendable (DocumentVersion) -> Void) -> any WatchHandle {
        rounds.add(owner: owner, body)
    }

    /// Must not come before what the watch is to begin with has been published.
    func start(_ registration: WatchRegistration) {
        thread.async { [self] in
            guard !registration.isCancelled else { return }
            switch table.withLock({ $0.add(registration) }) {
            case .refused: registration.fail(.isShutDown)
            case .waiting: break
            case .joined(let batch): perform([WatchTable.Delivery(batch: batch, registrations: [registration])])
            case .first(let target):
                store.startRead(reader(for: target)) { result in
                    self.thread.async { self.begin(target, result) }
                }
            }
        }
    }

    /// Called by the committer after a group is durable, before anybody who waits for it goes on. Routes on the caller's
    /// thread: a commit that concerns nobody wakes nobody. True if room has to be waited for before the next group.
    func publish(_ commits: [CommittedChanges], upTo time: DocumentVersion) -> Bool {
        // Who enters the table from here on reads a state that has these commits.
        let routed = table.withLock { $0.publish(commits, upTo: time) }
        guard !routed.isEmpty else { return false }
        thread.async { [self] in
            defer { backlog.signal() }
            for commit in routed { tell(commit) }
            table.withLock { $0.groupTold() }
        }
        table.withLock { $0.published(upTo: time) }
        return true
    }

    /// Waits when the watches are far behind; once for every group that was published.
    func waitForRoom() { backlog.wait() }

    /// Returns when none of the owner's watches will be told anything any more.
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

    private struct State: Sendable {
        let documents: [Document]
        let time: DocumentVersion
    }

    private func forget(_ id: Int) { table.withLock { $0.remove(id) } }

    private func reader(for target: Int) -> @Sendable (ReadTransaction) throws(FirestoreError) -> State {
        let wanted = table.withLock { $0.view(target) }
        return { [self] (view: ReadTransaction) throws(FirestoreError) in
            if let query = wanted?.query {
                return State(documents: try documents(of: query, over: view), time: view.readTime)
            }
            guard case .document(let key)? = wanted?.target, let document = try view.document(key) else {
                return State(documents: [], time: view.readTime)
            }
            return State(documents: [document], time: view.readTime)
        }
    }

    private func documents(
        of query: StructuredQuery, over view: ReadTransaction
    ) throws(FirestoreError) -> [Document] {
        let counters = QueryCounters()
        let documents = try QueryExecutor.run(query, over: view, database: databaseID, counters: counters)
        indexes.observe(query, counters, results: documents.count, at: view.readTime)
        return documents
    }

    private func begin(_ target: Int, _ result: Result<State, FirestoreError>) {
        do {
            let state = try result.get()
            if !table.withLock({ $0.begin(target, with: state.documents, at: state.time) }) {
                // While this thread reads, nothing new arrives in the table.
                let again = try store.read(reader(for: target))
                table.withLock { _ = $0.begin(target, with: again.documents, at: again.time) }
            }
            if table.withLock({ $0.isShort(target) }) { try fill(target) }
            if let delivery = table.withLock({ $0.open(target) }) { perform([delivery]) }
        } catch {
            fail(target, error)
        }
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

    /// Tells everybody whom one commit, or the start of a target, concerns.
    private func perform(_ deliveries: [WatchTable.Delivery]) {
        for delivery in deliveries { delivery.perform() }
        guard !deliveries.isEmpty, !rounds.isEmpty else { return }
        let owners = Set(deliveries.flatMap { $0.registrations.map(\.owner) })
        rounds.roundEnded(for: owners, through: table.withLock { $0.passed })
    }

    /// Reads what is missing at the end of a window, in one transaction with what was committed since the view was last
    /// told, so that both are from one moment.
    private func fill(_ target: Int) throws(FirestoreError) {
        guard let wanted = table.withLock({ $0.view(target) }), let query = wanted.query,
            let told = table.withLock({ $0.told(target) })
        else { return }
        try store.read { (view: ReadTransaction) throws(FirestoreError) in
            guard try view.logFloor().microseconds <= told.microseconds + 1 else {
                let documents = try documents(of: query, over: view)
                for key in table.withLock({ $0.reset(target, to: documents, at: view.readTime) }) {
                    let document = try view.document(key)
                    table.withLock { $0.found(document, at: key, target) }
                }
                return
            }
            if view.readTime > told {
                let changes = try Self.changes(in: query.scope, after: told, view)
                table.withLock { $0.advance(target, by: changes, to: view.readTime) }
            }
            guard let next = try table.withLock({ (table) throws(FirestoreError) in try table.nextQuery(target) })
            else { return }
            let documents = try documents(of: next, over: view)
            table.withLock { $0.extend(target, by: documents) }
        }
    }

    private static func changes(
        in scope: QueryScope, after time: DocumentVersion, _ view: ReadTransaction
    ) throws(FirestoreError) -> [DocumentChange] {
        var previous: [(key: DocumentKey, document: Document?)] = []
        var seen: Set<DocumentKey> = []
        try view.changes(after: time) { _, key, document in
            // The oldest change of a document has the state the view knows.
            if scope.contains(key), seen.insert(key).inserted { previous.append((key, document)) }
        }
        var changes: [DocumentChange] = []
        for (key, old) in previous {
            changes.append(DocumentChange(key: key, old: old, new: try view.document(key)))
        }
        return changes
    }

    /// The last thing those who watch the target hear.
    private func fail(_ target: Int, _ error: FirestoreError) {
        for registration in table.withLock({ $0.close(target) }) { registration.fail(error) }
    }
}
