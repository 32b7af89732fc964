// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreIndexing
import FirestoreStorage

/// Takes commits in call order and writes all waiting ones in one transaction: one fsync for the group.
///
/// While a group is being written the next one gathers, so that groups grow with the load.
final class Committer: Sendable {
    private let store: any DocumentStore
    private let clock: any WallClock
    private let database: DatabaseID
    private let feed: any ChangeFeed
    private let indexes: IndexManager
    private let keptIndexes = KeptIndexCache()
    private let sequences: SequenceRecorder
    private let line: Mutex<CommitQueue>
    private let retention: Mutex<ChangeLogRetention>
    private let floor = Mutex(DocumentVersion.none)
    private let counts = Mutex(CommitCounts())
    private let thread = DispatchQueue(label: "hearth.commit", qos: .userInitiated)
    /// Whether other processes write the database, too.
    private let isShared: Bool
    /// Copies of the database; nil if it is not in a file.
    let copies: CopySteps?

    private let end: EndOfHistory

    init(
        store: any DocumentStore, configuration: EngineConfiguration, feed: any ChangeFeed, indexes: IndexManager, end: EndOfHistory
    ) {
        (self.store, self.end) = (store, end)
        isShared = store.commitLog != nil
        self.feed = feed
        self.indexes = indexes
        clock = configuration.clock
        database = configuration.databaseID
        line = Mutex(CommitQueue(limits: configuration.queue))
        sequences = SequenceRecorder(limits: configuration.sequences, isShared: store.commitLog != nil)
        retention = Mutex(ChangeLogRetention(window: configuration.logRetention, holds: configuration.logHolds))
        copies = CopySteps(store, thread: thread)
        ServiceThread.mark(thread)
    }

    /// Queues a commit and returns its place in line. Blocks while the line is full, except on the service's own threads, which
    /// would wait for themselves.
    @discardableResult
    func submit(_ commit: PendingCommit) -> UInt64 {
        while true {
            let semaphore = DispatchSemaphore(value: 0)
            let (admission, place) = line.withLock { line in
                let admission = line.admit(commit, mayWait: !ServiceThread.isCurrent)
                if admission == .full { line.block(semaphore) }
                return (admission, line.accepted)
            }
            switch admission {
            case .accepted(let startCommitter):
                if startCommitter { thread.async { self.commitAll() } }
                return place
            case .full: semaphore.wait()
            case .closed:
                commit.sequence?.fail()
                thread.async { commit.completion(.failure(self.end.closedError)) }
                return 0
            }
        }
    }

    /// Queues commits of the database itself, without waiting, for one group. Returns the number of commits ever accepted; nil, and queues
    /// nothing, if others wait and `yields` is true. After `close` their completions are not called.
    func submit(_ commits: [PendingCommit], yields: Bool) -> UInt64? {
        let (admission, accepted) = line.withLock { ($0.admit(commits, yields: yields), $0.accepted) }
        guard let admission, case .accepted(let startCommitter) = admission else { return nil }
        if startCommitter { thread.async { self.commitAll() } }
        return accepted
    }

    /// The number of commits ever accepted.
    var accepted: UInt64 { line.withLock { $0.accepted } }

    /// Makes later commits later than a time, so that reads as of that time stay valid.
    func commitAfter(_ time: DocumentVersion) { floor.withLock { $0 = max($0, time) } }

    /// Calls back when everything submitted before this call is applied or rejected; immediately if it already is.
    func afterPendingCommits(_ body: @escaping @Sendable () -> Void) {
        if !line.withLock({ $0.wait(body) }) { body() }
    }

    /// The number of commits in line, without those being written.
    var waitingCount: Int { line.withLock { $0.waitingCount } }

    /// What was counted, and the state of the line and of the change log.
    var figures: StoreFigures {
        var figures = counts.withLock { $0.figures }
        figures.waitingCommits = waitingCount
        let now = clock.now()
        (figures.logBytes, figures.logAge) = retention.withLock { ($0.bytes, $0.age(now: now)) }
        return figures
    }

    /// Nothing waits and nothing is being written.
    var isIdle: Bool { line.withLock { $0.isIdle } }

    func pendingCommits() async {
        guard !isIdle else { return }
        await withCheckedContinuation { continuation in afterPendingCommits { continuation.resume() } }
    }

    /// Returns when the commit at this place in line and everything before it are finished.
    func finished(_ place: UInt64) async {
        await withCheckedContinuation { continuation in
            if !line.withLock({ $0.wait(for: place) { continuation.resume() } }) { continuation.resume() }
        }
    }

    /// Returns when everything submitted before this call is finished, its completions were called and the watches have it.
    func settle() async {
        await pendingCommits()
        await withCheckedContinuation { continuation in thread.async { continuation.resume() } }
    }

    /// Rejects later commits.
    func close() {
        for wake in line.withLock({ $0.close() }) { wake() }
    }

    // MARK: On the committer's thread

    private func commitAll() {
        while true {
            guard case .commit(let group, let roomFor) = line.withLock({ $0.next() }) else { return }
            for wake in roomFor { wake() }
            let outcome = commit(group)
            // Before waiting callers continue and completions are called: a watch that joins others must find the group there.
            let isAhead = feed.publish(outcome.commits, upTo: outcome.time, after: outcome.previous)
            for (commit, result) in zip(group, outcome.results) { commit.completion(result) }
            for wake in line.withLock({ $0.finish(group.count) }) { wake() }
            copies?.stepIfDue()
            if isAhead { feed.waitForRoom() }
        }
    }

    private func commit(_ group: [PendingCommit]) -> CommitGroup.Outcome {
        let (now, begun) = (clock.now(), DispatchTime.now())
        var applied = begun
        defer { counts.withLock { $0.add(group, begun: begun, applied: applied, stored: .now()) } }
        let floor = floor.withLock { $0 }
        let isLate = group.map { commit in commit.deadline.map { $0 <= .now } ?? false }
        do {
            let needs = isShared ? StoreNeeds(of: group) : StoreNeeds()
            let written = try store.write(needs) { (transaction: any StoreTransaction) throws(FirestoreError) in
                let kept = keptIndexes.indexes(of: try transaction.catalog())
                let now = transaction.clock ?? now
                var group = CommitGroup(
                    commits: group, isLate: isLate, now: now, floor: floor, indexes: kept, sequences: sequences, database: database)
                try group.apply(in: transaction)
                if !isShared { try tidyUp(transaction, now: now, written: group.written) }
                applied = .now()
                return group.outcome
            }
            var outcome = written.result
            outcome.previous = written.previous
            CommitGroup.passOn(outcome.failures)
            retention.withLock { $0.added(outcome.commits, now: now) }
            return outcome
        } catch {
            // Nothing of the group was stored, so no commit of it may be acknowledged.
            sequences.forget()
            for commit in group { commit.sequence?.failWithGroup() }
            return CommitGroup.Outcome(results: group.map { .failure($0.rejection ?? error) })
        }
    }

    /// Removes what is too old, a little with every group.
    private func tidyUp(_ transaction: any StoreTransaction, now: Int64, written: Int) throws(FirestoreError) {
        try sequences.prune(now: now, in: transaction)
        try prune(transaction, now: now, written: written)
        try indexes.noteUses(in: transaction, now: now)
    }

    /// Removes what is too old from a database that several processes write, one step. Returns whether there may be more.
    func tidyShared() throws(FirestoreError) -> Bool {
        try store.write { (transaction: any StoreTransaction) throws(FirestoreError) in
            let now = transaction.clock ?? clock.now()
            sequences.forget()
            try sequences.prune(now: now, in: transaction)
            try indexes.noteUses(in: transaction, now: now)
            let horizon = try heldHorizon(
                DocumentVersion(microseconds: now - retention.withLock { $0.window }), now: now, in: transaction)
            let isBehind = try transaction.pruneLog(before: horizon, limit: Self.prunedAtOnce) == Self.prunedAtOnce
            if !isBehind { retention.withLock { $0.wasCut(at: horizon) } }
            return isBehind
        }
    }

    /// Changes that one step removes from the log of a shared database.
    private static let prunedAtOnce = 5_000

    /// Prunes the change log in steps as large as the additions, so that it keeps pace and no commit waits long.
    private func prune(
        _ transaction: any StoreTransaction, now: Int64, written: Int
    ) throws(FirestoreError) {
        guard let step = retention.withLock({ $0.step(now: now, written: written) }) else { return }
        let horizon = try heldHorizon(step.horizon, now: now, in: transaction)
        let removed = try transaction.pruneLog(before: horizon, limit: step.limit)
        retention.withLock { $0.pruned(removed, of: step, to: horizon, now: now) }
    }

    /// The moment up to which the log may be cut: not behind a reader that must not miss a commit, unless it is too far behind.
    private func heldHorizon(
        _ horizon: DocumentVersion, now: Int64, in transaction: any StoreTransaction
    ) throws(FirestoreError) -> DocumentVersion {
        let earliest = retention.withLock { $0.earliestHold(before: horizon, now: now) }
        let held = try LogHolds.horizon(horizon, notBefore: earliest, in: transaction)
        retention.withLock { $0.held(held < horizon) }
        return held
    }
}

/// Marks the threads that call the service's callbacks.
enum ServiceThread {
    private static let key = DispatchSpecificKey<Bool>()

    static func mark(_ queue: DispatchQueue) { queue.setSpecific(key: key, value: true) }
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
