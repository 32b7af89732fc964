// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreIndexing
import FirestorePipelines
import FirestoreSQLite
import FirestoreStorage

/// The state that all handles on one database share: the store, the committer, the watches, the indexes and the open transactions.
final class EngineCore: Sendable {
    let store: any InspectableStore
    let databaseID: DatabaseID
    let committer: Committer
    let hub: WatchHub
    let feed: any ChangeFeed
    let log: any CommitLog
    let indexes: IndexManager
    let janitor: Janitor?
    let expiry: ExpirySweeper
    let transactions: Mutex<TransactionTable>
    let retries: RetryGate
    /// The number of commits of transactions that were aborted.
    let conflicts = Mutex(0)
    let clock: any WallClock
    let pipelines: PipelineLimits
    let pipelineLane = PipelineLane()
    let pipelineMemory: PipelineMemory
    /// The clock of turns and deadlines of pipelines.
    let pipelineClock: @Sendable () -> ContinuousClock.Instant
    /// nil where every reader has a snapshot.
    let memorySnapshots: MemorySnapshots?
    let writeAdmission: (any WriteAdmission)?
    /// How far back reads may go, in microseconds.
    let retention: Int64
    let pastReadAdvice: @Sendable (DocumentVersion) -> String
    let isReadOnly: Bool
    private let handles = Mutex(Handles())
    /// The end of the history that this engine has seen (DN-8.3).
    let end = EndOfHistory()

    private struct Handles {
        var last = 0
        var open = 0
        var isClosed = false
    }

    init(store: any InspectableStore, configuration: EngineConfiguration) {
        self.store = store
        memorySnapshots = (store as? SQLiteStore).flatMap { $0.isInMemory ? MemorySnapshots($0) : nil }
        pipelineMemory = configuration.pipelineMemory
        pipelineClock = configuration.pipelineClock
        databaseID = configuration.databaseID
        isReadOnly = configuration.isReadOnly
        // Where nothing can be written no index can be built.
        let policy = configuration.isReadOnly ? .manual : configuration.indexPolicy
        indexes = IndexManager(store: store, policy: policy, limits: configuration.indexLimits)
        hub = WatchHub(store: store, databaseID: configuration.databaseID, indexes: indexes, end: end)
        if let file = store as? SQLiteStore {
            let tail = CommitTail()
            log = LocalCommitLog(file, tail)
            feed = LocalChangeFeed(hub: hub, tail: tail)
        } else {
            guard let shared = store.commitLog else { preconditionFailure("a store is a file or shared") }
            log = shared
            feed = FollowingFeed(hub: hub, log: shared) { [end] in end.signal() }
        }
        committer = Committer(store: store, configuration: configuration, feed: feed, indexes: indexes, end: end)
        janitor = Janitor(store: store, committer: committer)
        expiry = ExpirySweeper(store: store, committer: committer, indexes: indexes, configuration: configuration)
        transactions = Mutex(
            TransactionTable(limits: configuration.transactions, first: .random(in: 1..<1 << 62)))
        retries = RetryGate(limits: configuration.retries)
        clock = configuration.clock
        pipelines = configuration.pipelines
        writeAdmission = configuration.writeAdmission
        retention = configuration.logRetention
        pastReadAdvice = configuration.pastReadAdvice
    }

    /// The store as one that is in a file or memory of this process.
    func file(_ purpose: String) throws(FirestoreError) -> SQLiteStore {
        if let file = store as? SQLiteStore { return file }
        throw .notInFile(purpose)
    }

    /// Whether other processes write the database, too.
    var isShared: Bool { store.commitLog != nil }

    /// Continues what the last process left unfinished; if this fails, the core is unusable.
    func start() throws(FirestoreError) {
        do throws(FirestoreError) {
            feed.begin(at: try beginning())
            try expiry.start()
            try indexes.start()
        } catch {
            close()
            throw error
        }
    }

    /// The time of the newest state. A database without commits has one as well, because clients treat an answer without a read
    /// time as no answer (QR-45, LS-34). It is earlier than every commit.
    private func beginning() throws(FirestoreError) -> DocumentVersion {
        let last = try store.read { (snapshot: any StoreSnapshot) in snapshot.readTime }
        let opened = DocumentVersion(microseconds: clock.now() - 1)
        guard last == .none, opened > .none else { return last }
        if isReadOnly { return opened }
        return try store.write { (transaction) throws(FirestoreError) in
            // Another process may have been faster.
            guard transaction.lastCommitTime == .none else { return transaction.lastCommitTime }
            try transaction.setLastCommitTime(opened)
            try transaction.setFact(CreationNote.fact, CreationNote.bytes(opened))
            return opened
        }
    }

    /// Counts one more handle; `makeHandle` assigns its number.
    func retain() { handles.withLock { $0.open += 1 } }

    /// Counts one more handle, unless the last handle has been released; returns whether it did.
    func retainIfInUse() -> Bool {
        handles.withLock { handles in
            if handles.open > 0 { handles.open += 1 }
            return handles.open > 0
        }
    }

    /// Releases one handle; returns whether it was the last.
    func drop() -> Bool {
        handles.withLock { handles in
            handles.open -= 1
            return handles.open == 0
        }
    }

    var isInUse: Bool { handles.withLock { $0.open > 0 } }

    /// A number that distinguishes the watches and transactions of one handle from those of the others.
    func makeHandle() -> Int {
        let number = handles.withLock { handles in
            handles.last += 1
            return handles.last
        }
        hub.admit(owner: number)
        return number
    }

    /// Ends one handle: its watches stop, its commits up to a place in line are finished, and with the last handle the files are
    /// closed.
    func release(_ handle: Int, submitted place: UInt64) async {
        await committer.finished(place)
        if handles.withLock({ $0.open == 1 }) { await committer.settle() }
        await hub.cancelAll(owner: handle)
        for transaction in transactions.withLock({ $0.end(owner: handle) }) { retries.end(transaction) }
        // Closing waits for running transactions, which must not happen on the cooperative pool.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                EngineRegistry.shared.releaseOne(self)
                continuation.resume()
            }
        }
    }

    /// Ends the engine for all its handles: later calls are rejected, and watches fail. The files are closed when it returns.
    func abandon() async {
        end.settle()
        committer.close()
        await committer.pendingCommits()
        hub.failAll(.isReopened)
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                EngineRegistry.shared.abandon(self)
                continuation.resume()
            }
        }
    }

    /// Once, however many ask for it.
    func close() {
        let isFirst = handles.withLock { handles in
            defer { handles.isClosed = true }
            return !handles.isClosed
        }
        guard isFirst else { return }
        expiry.close()
        committer.close()
        feed.close()
        janitor?.close()
        indexes.close()
        committer.copies?.close()
        // A failure cannot be handled here, and nothing is lost: committed data is on the disk.
        try? store.close()
    }
}

extension FirestoreError {
    static func notInFile(_ purpose: String) -> FirestoreError {
        FirestoreError(.unimplemented, "\(purpose) is for a database in a file; this one is on a server: use the tools of that server")
    }
}
