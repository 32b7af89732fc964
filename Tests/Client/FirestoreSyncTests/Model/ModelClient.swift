// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreWire
import TestSupport

@testable import FirestoreSync

/// A call that writes, and its outcome.
final class ModelCall {
    let writes: [Write]
    let client: Int
    var batch: BatchID?
    var isInEarlierLife = false
    var outcomes: [Result<CommitResponse, FirestoreError>] = []

    init(_ writes: [Write], client: Int) {
        self.writes = writes
        self.client = client
    }

    /// What it adds to the counters if it is applied once.
    var countersTotal: Int64 {
        writes.reduce(0) { total, write in
            guard ModelSource.counters.contains(write.key.path) else { return total }
            return write.transforms.reduce(total) { total, transform in
                if case .increment(.integer(let amount)) = transform.kind { total + amount } else { total }
            }
        }
    }
}

/// One client of a history: a cache, an engine over it, listeners, calls.
final class ModelClient {
    let number: Int
    private let setup: ModelSetup
    private let server: ModelServer
    private let folder: ScratchFolder?
    private let clock = ManualClock(microseconds: 1_500_000_000_000_000)
    private(set) var store: LocalStore
    private(set) var engine: SyncEngine
    private(set) var transport: ModelTransport
    let timers = ModelTimers()
    private var queue = ModelQueue()
    private(set) var listeners: [ModelListener] = []
    private(set) var calls: [ModelCall] = []
    private(set) var user = 0
    private(set) var users: Set<Int> = [0]
    /// Calls of `waitForPendingWrites` that were made, and how often they were answered.
    private(set) var waits: [ModelWait] = []
    private(set) var findings: [String] = []
    private(set) var isFailing = false

    final class ModelWait {
        var answers = 0
    }

    var isFile: Bool { setup.clients[number].isFile }

    init(_ number: Int, _ setup: ModelSetup, _ server: ModelServer) throws {
        self.number = number
        self.setup = setup
        self.server = server
        folder = setup.clients[number].isFile ? try ScratchFolder() : nil
        transport = ModelTransport(server, writeWindow: setup.writeWindow)
        store = try Self.open(setup.clients[number], folder, clock, 0)
        engine = Self.engine(store, transport, timers, queue, setup.seed)
        engine.start()
    }

    private static func open(_ setup: ModelSetup.Client, _ folder: ScratchFolder?, _ clock: ManualClock, _ user: Int) throws -> LocalStore {
        try LocalStore.open(
            LocalStore.Configuration(
                location: folder.map { .file(path: $0.file("cache.db")) } ?? .memory, databaseID: ModelWorld.database, server: "model",
                user: name(user), collection: setup.isEager ? .eager : .leastRecentlyUsed, durability: .relaxed, indexPolicy: .manual, clock: clock))
    }

    private static func name(_ user: Int) -> SyncUser { user == 0 ? .unauthenticated : SyncUser(uid: "u\(user)") }

    private static func engine(
        _ store: LocalStore, _ transport: ModelTransport, _ timers: ModelTimers, _ queue: ModelQueue, _ seed: UInt64
    ) -> SyncEngine {
        var settings = SyncEngine.Settings()
        settings.concurrentLimboResolutions = 2
        let random = Mutex(SeededGenerator(seed: seed))
        settings.backoff = Backoff(random: { random.withLock { .random(in: 0..<1, using: &$0) } })
        settings.now = { timers.now }
        return SyncEngine(store: store, transport: transport, timers: timers, settings: settings) { queue.post($0) }
    }

    /// Runs what was posted.
    func drain() { while let job = queue.removeFirst() { job(engine) } }

    // MARK: Actions

    func write(_ writes: [Write]) {
        let call = ModelCall(writes, client: number)
        calls.append(call)
        engine.write(writes, saved: { call.batch = $0 }, completion: { call.outcomes.append($0) })
    }

    func listen(_ query: Int) {
        let target = ModelSource.queries[query % ModelSource.queries.count]
        guard listeners.count < 6 else { return }
        let listener = ModelListener(target, sparesMetadata: query / ModelSource.queries.count % 3 == 0) { [unowned self] in findings.append($0) }
        listeners.append(listener)
        engine.listen(listener.listener)
    }

    func unlisten(_ pick: Int) {
        listeners.removeAll(where: \.hasFailed)
        guard !listeners.isEmpty else { return }
        let listener = listeners.remove(at: pick % listeners.count)
        engine.unlisten(listener.listener)
        listener.isRemoved = true
    }

    func changeUser(_ user: Int) {
        self.user = user
        users.insert(user)
        engine.changeUser(to: Self.name(user))
    }

    func pass(_ time: Duration) {
        timers.pass(time)
        clock.advance(microseconds: time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000)
    }

    func fire(_ timer: SyncTimer) { if timers.take(timer) { engine.fire(timer) } }

    func wait() {
        let wait = ModelWait()
        waits.append(wait)
        engine.waitForPendingWrites { _ in wait.answers += 1 }
    }

    func cancel(_ pick: Int) {
        guard !isFailing, let pending = try? store.pendingBatches(), !pending.isEmpty else { return }
        try? engine.cancel(pending[pick % pending.count].id)
    }

    func collect() { _ = try? store.collectGarbage(threshold: 0, percentile: 50) }

    func setFailing(_ isFailing: Bool) {
        self.isFailing = isFailing
        store.willRun = nil
        guard isFailing else { return }
        store.willRun = { (operation: StoreOperation) throws(FirestoreError) in
            throw FirestoreError(.unavailable, "the history makes \(operation.rawValue) fail")
        }
    }

    /// The process dies; what the store has committed stays.
    func crash(listensAgain: Bool) throws {
        guard isFile else { return }
        setFailing(false)
        let late = transport
        late.closeAll()
        try store.close()
        for call in calls where call.outcomes.isEmpty { call.isInEarlierLife = true }
        waits = []
        timers.cancelAll()
        queue = ModelQueue()
        transport = ModelTransport(server, writeWindow: setup.writeWindow)
        transport.lateLinks = late.lateLinks
        store = try Self.open(setup.clients[number], folder, clock, user)
        engine = Self.engine(store, transport, timers, queue, setup.seed)
        let targets = listeners.filter { !$0.hasFailed }.map(\.target)
        for listener in listeners { listener.isRemoved = true }
        listeners = []
        engine.start()
        guard listensAgain else { return }
        for target in targets { if let query = ModelSource.queries.firstIndex(of: target) { listen(query + ModelSource.queries.count) } }
    }

    func close() throws {
        setFailing(false)
        engine.shutdown()
        try store.close()
    }
}

/// A listener that follows its snapshots by their changes alone.
final class ModelListener {
    let target: ClientTarget
    private(set) var list: [Document] = []
    private(set) var last: SyncSnapshot?
    private(set) var hasFailed = false
    let sparesMetadata: Bool
    private var name: String { ModelSource.name(target) }
    var isRemoved = false
    private let report: (String) -> Void
    /// What the engine knows. Its events refer to this object.
    private(set) lazy var listener = SyncListener(
        to: target, options: SyncListener.Options(includeMetadataChanges: !sparesMetadata)
    ) { [unowned self] result in
        if isRemoved || hasFailed { report("an event after the last one, of \(name)") }
        switch result {
        case .success(let snapshot): take(snapshot)
        case .failure: hasFailed = true
        }
    }

    init(_ target: ClientTarget, sparesMetadata: Bool, report: @escaping (String) -> Void) {
        self.target = target
        self.sparesMetadata = sparesMetadata
        self.report = report
    }

    private func take(_ snapshot: SyncSnapshot) {
        if let last, snapshot.readTime < last.readTime { report("the read time of \(name) has gone back") }
        let ordering: DocumentOrdering =
            switch target {
            case .document: DocumentOrdering([SortOrder(path: .documentID)])
            case .query(let query): DocumentOrdering(query.query.effectiveOrders)
            }
        let changes = snapshot.viewSnapshot(ordering, isFirst: last == nil).changes
        for change in changes {
            if let index = change.oldIndex {
                if index < list.count, list[index].key == change.document.key { list.remove(at: index) } else {
                    report("change \(change.kind) of \(change.document.key.path) in \(name) does not fit its list")
                }
            }
            if let index = change.newIndex {
                if index <= list.count { list.insert(change.document, at: index) } else { report("index \(index) does not fit \(name)") }
            }
        }
        let shown = Array(snapshot.documents)
        if !Self.areEqual(list, shown) {
            report("the changes of \(name) give \(Self.text(list)), the snapshot shows \(Self.text(shown))")
            list = shown
        }
        last = snapshot
    }

    static func areEqual(_ left: [Document], _ right: [Document]) -> Bool {
        left.elementsEqual(right) { $0.key == $1.key && $0.fields == $1.fields }
    }

    static func text(_ documents: [Document]) -> String {
        "[" + documents.map { "\($0.key.path)@\($0.updateTime.microseconds % 1_000_000_000 / 1_000){\($0.fields.text)}" }.joined(separator: ", ") + "]"
    }
}
