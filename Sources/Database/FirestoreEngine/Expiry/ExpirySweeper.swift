// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreIndexing
import FirestoreStorage

/// Deletes the documents of a database that have expired.
///
/// Sleeps until the next document expires, at most for the interval of the settings: one seek in the index of a policy says when. While
/// there are no policies it has no timer; in a database that several processes write, it looks for the policies of the others.
final class ExpirySweeper: Sendable {
    typealias Completion = @Sendable (Result<Void, FirestoreError>) -> Void

    private struct State {
        var isClosed = false
        /// Whether a step is running on the queue, or scheduled after a pause.
        var isWorking = false
        /// Whether to look again when the work is done.
        var isAsked = false
        /// The number of the timer that counts.
        var timer = 0
        /// The number of groups so far.
        var groups = 0
        var pace = ExpiryPace()
        /// The number of commits ever accepted, as of the end of the last group.
        var accepted: UInt64 = 0
        var figures = ExpiryFigures()
        var waiting: [Completion] = []
        /// Whether the callers in `waiting` have waited for indexes.
        var hasWaited = false
    }

    /// In microseconds.
    private static let shortestSleep: Int64 = 1_000_000
    private static let lease = Duration.seconds(60)
    /// How often a group yields to commits that wait, every two milliseconds.
    private static let patience = 100

    private let store: any DocumentStore
    private let committer: Committer
    private let indexes: IndexManager
    private let settings: ExpirySettings
    private let clock: ExpiryClock
    private let doubts: ExpiryGuard
    private let isReadOnly: Bool
    private let queue = DispatchQueue(label: "hearth.expiry", qos: .utility)
    /// Groups that the committer has.
    private let groups = DispatchGroup()
    private let state = Mutex(State())
    private let observer = Mutex<(@Sendable () -> Void)?>(nil)

    init(store: any DocumentStore, committer: Committer, indexes: IndexManager, configuration: EngineConfiguration) {
        (self.store, self.committer, self.indexes) = (store, committer, indexes)
        settings = configuration.expiry
        clock = configuration.expiry.clock ?? ExpiryClock(configuration.clock)
        doubts = ExpiryGuard(store: store, clock: clock)
        isReadOnly = configuration.isReadOnly
    }

    // MARK: Policies

    /// Makes the indexes those of the policies, which may have been stored without them. Call it before the indexes are built.
    func start() throws(FirestoreError) {
        guard !isReadOnly else { return }
        let (policies, catalog) = try store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
            (StoredPolicies.decode(try snapshot.fact(StoredPolicies.fact)), try snapshot.catalog())
        }
        let kept = catalog.indexes.filter(\.isForExpiry).map(\.definition)
        if Set(kept) != Set(policies.map(\.index)) {
            try store.write { (transaction: any StoreTransaction) throws(FirestoreError) in
                let policies = StoredPolicies.decode(try transaction.fact(StoredPolicies.fact))
                try ExpiryIndexes.keep(policies.map(\.index), in: transaction)
            }
        }
        if !policies.isEmpty || isShared { sleep(Self.shortestSleep) }
    }

    private var isShared: Bool { store.commitLog != nil }

    func policies() async throws(FirestoreError) -> [ExpiryPolicy] {
        try await store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
            StoredPolicies.decode(try snapshot.fact(StoredPolicies.fact))
        }
    }

    /// Replaces the policies. No document expires by the earlier ones after this returns.
    func change(
        _ body: @escaping @Sendable ([ExpiryPolicy]) throws(FirestoreError) -> [ExpiryPolicy]
    ) async throws(FirestoreError) {
        try await indexes.keepForExpiry { (transaction: any StoreTransaction) throws(FirestoreError) in
            let stored = try transaction.fact(StoredPolicies.fact)
            let policies = try body(StoredPolicies.decode(stored))
            let bytes = StoredPolicies.encode(policies)
            if bytes != stored { try transaction.setFact(StoredPolicies.fact, bytes) }
            return policies.map(\.index)
        }
        observer.withLock { $0 }?()
        if settings.isOn { wake() }
    }

    /// Calls `body` after every change of the policies by this process. One caller.
    func whenPoliciesChange(_ body: @escaping @Sendable () -> Void) { observer.withLock { $0 = body } }

    /// The state of the index of a policy; nil without one.
    func policyState(_ definition: IndexDefinition) async throws(FirestoreError) -> ExpiryState? {
        let index = try await store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
            try snapshot.catalog().indexes.first { $0.isForExpiry && $0.definition == definition }
        }
        guard let index else { return nil }
        if index.isReady { return .active }
        return indexes.isStuck(index.number) ? .needsRepair : .creating
    }

    // MARK: Figures

    var figures: ExpiryFigures { state.withLock { $0.figures } }

    /// For how many seconds the first document has been expired.
    var delay: Double {
        guard let first = figures.first else { return 0 }
        return max(0, Double(clock.now - first) / 1_000_000)
    }

    /// When the first document expires or has expired, in microseconds since 1970; now if that is not known yet, nil if none does.
    func firstExpiry() async throws(FirestoreError) -> Int64? {
        let now = clock.now
        return try await store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
            var look = ExpiryLook(at: now, limit: 0)
            try look.look(for: StoredPolicies.decode(try snapshot.fact(StoredPolicies.fact)), in: snapshot)
            return look.isBuilding ? now : look.first
        }
    }

    // MARK: Work

    /// Deletes everything that has expired. Waits for indexes that are being built.
    func deleteExpired(_ completion: @escaping Completion) {
        guard !isReadOnly else { return completion(.success(())) }
        wake(completion)
    }

    /// Looks now, or again if a look is being made: that one may have been too early for the caller.
    private func wake(_ completion: Completion? = nil) {
        let (isIdle, isClosed) = state.withLock { state in
            if state.isClosed { return (false, true) }
            if let completion { state.waiting.append(completion) }
            if state.isWorking { state.isAsked = true }
            defer { state.isWorking = true }
            return (!state.isWorking, false)
        }
        if isClosed { completion?(.failure(.isShutDown)) }
        if isIdle { queue.async { self.step() } }
    }

    /// Looks once. Deletes what has expired, or goes to sleep.
    private func step() {
        if state.withLock({ $0.isClosed }) { return finish(.failure(.isShutDown), sleep: nil) }
        let now: Int64
        switch clock.read() {
        case .suspended(let left):
            do throws(FirestoreError) { try doubts.doubt(for: left) } catch { return finish(.failure(error), sleep: settings.interval) }
            return finish(.success(()), sleep: min(left, settings.interval))
        case .now(let time): now = time
        }
        do throws(FirestoreError) {
            let (limit, turn) = state.withLock { ($0.pace.size, $0.groups) }
            let (look, isOff) = try store.read { (snapshot: any StoreSnapshot) throws(FirestoreError) in
                let policies = StoredPolicies.decode(try snapshot.fact(StoredPolicies.fact))
                var look = ExpiryLook(at: now, limit: limit)
                try look.look(for: policies, turn: turn, in: snapshot)
                return (look, policies.isEmpty)
            }
            state.withLock { $0.figures.first = look.due.isEmpty ? nil : look.first }
            if !isOff, let left = try doubts.suspension() { return finish(.success(()), sleep: min(left, settings.interval)) }
            if look.due.isEmpty { return settle(look, isOff: isOff, now: now) }
            guard try store.lease("expiry", for: Self.lease) else { return finish(.success(()), sleep: settings.interval) }
            submit(look.due, attempt: 0)
        } catch {
            finish(.failure(error), sleep: settings.interval)
        }
    }

    /// Nothing has expired.
    private func settle(_ look: ExpiryLook, isOff: Bool, now: Int64) {
        if isOff { return finish(.success(()), sleep: isShared ? settings.interval : nil) }
        guard look.isBuilding else {
            let left = look.next.map { max(Self.shortestSleep, $0.subtractingReportingOverflow(now).partialValue) }
            return finish(.success(()), sleep: min(left ?? settings.interval, settings.interval))
        }
        let waits = state.withLock { state in
            defer { state.hasWaited = !state.waiting.isEmpty }
            return !state.waiting.isEmpty && !state.hasWaited
        }
        guard waits else { return finish(.success(()), sleep: Self.shortestSleep) }
        indexes.whenSettled { self.queue.async { self.step() } }
    }

    private func submit(_ due: [ExpiryLook.Expired], attempt: Int) {
        guard attempt <= Self.patience, !state.withLock({ $0.isClosed }) else { return finish(.failure(.isShutDown), sleep: nil) }
        let begun = DispatchTime.now().uptimeNanoseconds
        let group = ExpiryGroup(due.count) { [self] outcome in
            let took = DispatchTime.now().uptimeNanoseconds - begun
            queue.async { self.deleted(outcome, of: due.count, took: took) }
            groups.leave()
        }
        groups.enter()
        if committer.submit(due.map { group.commit(deleting: $0) }, yields: attempt < Self.patience) != nil { return }
        groups.leave()
        queue.asyncAfter(deadline: .now() + .milliseconds(2)) { self.submit(due, attempt: attempt + 1) }
    }

    private func deleted(_ outcome: ExpiryGroup.Outcome, of count: Int, took: UInt64) {
        let accepted = committer.accepted
        let pause = state.withLock { state in
            state.figures.deleted += outcome.deleted
            state.groups += 1
            let isQuiet = accepted == state.accepted + UInt64(count)
            state.accepted = accepted
            return state.pace.pause(afterNanoseconds: took, isQuiet: isQuiet)
        }
        if let error = outcome.error { return finish(.failure(error), sleep: settings.interval) }
        if pause == 0 { return queue.async { self.step() } }
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: pause))) { self.step() }
    }

    /// Ends the work, until the timer rings if there is one.
    private func finish(_ result: Result<Void, FirestoreError>, sleep time: Int64?) {
        let (waiting, isAsked) = state.withLock { state in
            let isAsked = state.isAsked && !state.isClosed
            state.isAsked = false
            state.isWorking = isAsked
            // Who has asked during the work waits for the next look.
            guard !isAsked else { return ([] as [Completion], true) }
            state.hasWaited = false
            defer { state.waiting = [] }
            return (state.waiting, false)
        }
        for completion in waiting { completion(result) }
        if isAsked { return queue.async { self.step() } }
        if let time { sleep(time) }
    }

    private func sleep(_ microseconds: Int64) {
        guard settings.isOn else { return }
        let timer = state.withLock { state in
            state.timer += 1
            return state.timer
        }
        queue.asyncAfter(deadline: .now() + .microseconds(Int(clamping: microseconds))) { [weak self] in
            guard let self, state.withLock({ $0.timer == timer && !$0.isClosed }) else { return }
            wake()
        }
    }

    /// Returns when a running step is over and the committer has answered. Call it while the committer takes commits.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for completion in waiting { completion(.failure(.isShutDown)) }
        queue.sync {}
        groups.wait()
    }
}

/// What a database has deleted since it was opened.
package struct ExpiryFigures: Sendable, Equatable {
    package var deleted = 0
    /// When the first document that remains has expired, in microseconds since 1970; nil if none remains.
    package var first: Int64?
}
