import Dispatch
import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

/// Tells watches about commits, on one thread, in commit order.
///
/// A watch starts by entering the table and only then reading its first state: what is committed in between is kept
/// by the table, and the commit times tell what the first state already has.
final class WatchHub: Sendable {
    private let store: Store
    private let databaseID: DatabaseID
    private let table = Mutex(WatchTable())
    private let lastID = Mutex(0)
    private let thread = DispatchQueue(label: "hearth.watch", qos: .userInitiated)
    /// Commit groups on their way; the committer waits when it is too far ahead.
    private let backlog = DispatchSemaphore(value: 64)

    init(store: Store, databaseID: DatabaseID) {
        self.store = store
        self.databaseID = databaseID
        ServiceThread.mark(thread)
    }

    // MARK: From any thread

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

    func start(_ registration: WatchRegistration) {
        thread.async { [self] in
            guard !registration.isCancelled else { return }
            guard table.withLock({ $0.add(registration, database: databaseID) }) else { return registration.fail(.isShutDown) }
            store.startRead(reader(for: registration)) { result in
                self.thread.async { self.begin(registration, result) }
            }
        }
    }

    /// Called by the committer after a group is durable. Waits when the watches are far behind.
    func publish(_ commits: [CommittedChanges]) {
        // Who enters the table from here on reads a state that has these commits.
        guard !commits.isEmpty, !table.withLock({ $0.isEmpty }) else { return }
        backlog.wait()
        thread.async { [self] in
            defer { backlog.signal() }
            for commit in commits {
                for (id, part) in table.withLock({ $0.route(commit) }) { apply(part, to: id) }
            }
        }
    }

    /// Returns when none of the owner's watches will be told anything any more.
    func cancelAll(owner: Int) async {
        await withCheckedContinuation { continuation in
            thread.async { [self] in
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

    private func forget(_ id: Int) { table.withLock { _ = $0.remove(id) } }

    private func reader(
        for registration: WatchRegistration
    ) -> @Sendable (ReadTransaction) throws(FirestoreError) -> State {
        let query = table.withLock { $0.query(registration.id) }
        let databaseID = databaseID
        return { (view: ReadTransaction) throws(FirestoreError) in
            if let query {
                return State(
                    documents: try QueryExecutor.run(query, over: view, database: databaseID), time: view.readTime)
            }
            guard case .document(let key) = registration.target, let document = try view.document(key) else {
                return State(documents: [], time: view.readTime)
            }
            return State(documents: [document], time: view.readTime)
        }
    }

    private func begin(_ registration: WatchRegistration, _ result: Result<State, FirestoreError>) {
        let id = registration.id
        guard table.withLock({ $0.registration(id) }) != nil else { return }
        do {
            let state = try result.get()
            if let start = table.withLock({ $0.begin(id, with: state.documents, at: state.time) }) {
                registration.deliver(start.batch)
                for part in start.missed { apply(part, to: id) }
                return
            }
            // Too much was committed during the read. While this thread reads, nothing new arrives in the table.
            table.withLock { $0.restart(id) }
            let again = try store.read(reader(for: registration))
            if let start = table.withLock({ $0.begin(id, with: again.documents, at: again.time) }) {
                registration.deliver(start.batch)
            }
        } catch {
            end(registration, error)
        }
    }

    private func apply(_ part: CommittedChanges, to id: Int) {
        guard let registration = table.withLock({ $0.registration(id) }) else { return }
        switch table.withLock({ $0.apply(part, to: id) }) {
        case .none: break
        case .deliver(let batch): registration.deliver(batch)
        case .refill: refill(registration)
        }
    }

    private func refill(_ registration: WatchRegistration) {
        do {
            let state = try store.read(reader(for: registration))
            let action = table.withLock { $0.refill(registration.id, with: state.documents, at: state.time) }
            if case .deliver(let batch) = action { registration.deliver(batch) }
        } catch {
            end(registration, error)
        }
    }

    private func end(_ registration: WatchRegistration, _ error: FirestoreError) {
        forget(registration.id)
        registration.fail(error)
    }
}
