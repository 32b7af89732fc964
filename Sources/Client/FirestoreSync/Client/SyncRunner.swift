// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreClient
import FirestoreCore
import FirestoreWire

/// Runs an engine on a serial queue: calls, frames and timers enter here, one after the other (SY-19).
///
/// `@unchecked Sendable`: the variables are only read and assigned by closures on `queue`, which is serial, and so is everything that
/// they refer to.
final class SyncRunner: @unchecked Sendable {
    /// What an engine over a cache that is opened again takes over from the one before.
    private struct UserState {
        /// Also one that the cache could not be changed to any more.
        let user: SyncUser
        let hold: UserTransition.Hold
    }

    /// A call waiting to run on the queue.
    private enum Entry {
        case work(@Sendable () -> Void)
        /// Writes that follow each other become one transaction.
        case write(@Sendable () -> SyncEngine.WriteCall)
    }

    private struct Inbox {
        var entries: [Entry] = []
        /// How many closures run on the queue, or wait for it without an entry.
        var running = 0

        /// Takes the entries, to run them.
        mutating func take() -> [Entry] {
            defer { entries = [] }
            running += 1
            return entries
        }
    }

    /// How the parts of an engine are put together, on the queue.
    typealias Make = @Sendable (SyncRunner) throws(FirestoreError) -> SyncEngine

    private let queue = DispatchQueue(label: "hearth.sync", qos: .userInitiated)
    /// Set on `queue` only.
    private let isOnQueue = DispatchSpecificKey<Bool>()
    private let inbox = Mutex(Inbox())
    private var engine: SyncEngine?
    /// Counts the engines. What the parts of one report after it was replaced must not reach the next.
    private var engineNumber: UInt64 = 0
    /// How the engine was made.
    private var made: Make?
    /// What the engine is to be replaced with, since that has failed. Each call of the app tries it again.
    private var replacement: (make: Make, isNetworkEnabled: Bool, state: UserState?)?
    /// Whether a sign-in is in progress. Used on the queue.
    private var isSigningIn = false
    /// The listeners of the client. Used on the queue.
    var registrations: [ObjectIdentifier: (registration: SyncRegistration, listener: SyncListener)] = [:]
    /// The observers of snapshots in sync. Used on the queue.
    var inSyncWatches: [ObjectIdentifier: InSyncWatch] = [:]
    /// Stores in memory of users that are not signed in now: to close them would lose what they have queued. Used on the queue.
    private var storesOfOthers: [SyncUser: LocalStore] = [:]

    init() { queue.setSpecific(key: isOnQueue, value: true) }

    /// Makes the engine and starts it; the calling thread waits. Returns the id of the cache.
    func start(_ make: @escaping Make) throws(FirestoreError) -> UInt64 {
        let result: Result<UInt64, FirestoreError> = queue.sync {
            Result { () throws(FirestoreError) in try begin(make, isNetworkEnabled: true).store.cacheID }
        }
        return try result.get()
    }

    /// Runs `body` after everything that entered before. Without effect after `stop`.
    func async(_ body: @escaping @Sendable (SyncEngine) -> Void) {
        enter { if let engine = self.engine { body(engine) } }
    }

    /// Queues the writes of a call.
    func write(_ call: @escaping @Sendable () -> SyncEngine.WriteCall) { enter(.write(call)) }

    private func enter(_ body: @escaping @Sendable () -> Void) { enter(.work(body)) }

    private func enter(_ entry: Entry) { if add(entry) { wake() } }

    /// Adds an entry behind the others. Returns whether `wake` has to be called: after the caller has left its lock.
    private func add(_ entry: Entry) -> Bool {
        inbox.withLock { inbox in
            inbox.entries.append(entry)
            return inbox.entries.count == 1
        }
    }

    func wake() { queue.async { self.runEntries() } }

    private func runEntries() {
        let entries = inbox.withLock { $0.take() }
        defer { inbox.withLock { $0.running -= 1 } }
        var calls: [SyncEngine.WriteCall] = []
        for entry in entries {
            switch entry {
            case .write(let call): calls.append(call())
            case .work(let body):
                store(&calls)
                body()
            }
        }
        store(&calls)
    }

    /// Stores calls in one transaction.
    private func store(_ calls: inout [SyncEngine.WriteCall]) {
        guard !calls.isEmpty else { return }
        defer { calls = [] }
        switch present() {
        case .success(let engine): engine.write(calls)
        case .failure(let error): for call in calls { call.completion(.failure(error)) }
        }
    }

    /// Makes a small read on the calling thread if the queue is empty: a hop to another thread and back takes longer than the read. nil if
    /// it is not empty, or `body` finds the read to be larger.
    func now<R>(_ body: (SyncEngine) throws(FirestoreError) -> R?) throws(FirestoreError) -> R? {
        let isEmpty = inbox.withLock { inbox in
            guard inbox.entries.isEmpty, inbox.running == 0 else { return false }
            inbox.running = 1
            return true
        }
        guard isEmpty else { return nil }
        defer { inbox.withLock { $0.running -= 1 } }
        let result: Result<R?, FirestoreError> = queue.sync {
            Result { () throws(FirestoreError) in
                guard let engine else { return nil }
                return try body(engine)
            }
        }
        return try result.get()
    }

    /// Where the parts of the engine that is being made enter the queue. A call returns when its closure has run: frames of a network are
    /// read no faster than the engine takes them. A transport that reports from inside a call of the engine does not wait for itself.
    func entrance() -> SyncEngine.Post {
        let number = engineNumber
        return { [weak self] body in
            guard let self else { return }
            if DispatchQueue.getSpecific(key: isOnQueue) == true {
                enter { self.run(number, body) }
            } else {
                inbox.withLock { $0.running += 1 }
                defer { inbox.withLock { $0.running -= 1 } }
                queue.sync { self.run(number, body) }
            }
        }
    }

    /// An entrance to the queue of the engine that is being made. A call returns immediately.
    func laterEntrance() -> SyncEngine.Post {
        let number = engineNumber
        return { [weak self] body in
            guard let self else { return }
            enter { self.run(number, body) }
        }
    }

    /// An entrance to the queue that a closure enters after a time.
    fileprivate func delayedEntrance() -> (Duration, @escaping @Sendable (SyncEngine) -> Void) -> Void {
        let number = engineNumber
        return { [weak self] delay, body in
            guard let self else { return }
            queue.asyncAfter(deadline: .now() + delay.dispatchInterval) { self.enter { self.run(number, body) } }
        }
    }

    private func run(_ number: UInt64, _ body: (SyncEngine) -> Void) { if number == engineNumber, let engine { body(engine) } }

    /// Runs `body` after all earlier entries. `body` receives nil while no engine is running.
    func asyncAlways(_ body: @escaping @Sendable (SyncEngine?) -> Void) { enter { body(self.engine) } }

    /// Runs `body`; without an engine, calls `orElse` with the error that prevented it. For calls that must be answered.
    func async(_ body: @escaping @Sendable (SyncEngine) -> Void, orElse: @escaping @Sendable (FirestoreError) -> Void) {
        enter {
            switch self.present() {
            case .success(let engine): body(engine)
            case .failure(let error): orElse(error)
            }
        }
    }

    /// Runs `body` and returns its result.
    func call<R: Sendable>(
        _ body: @escaping @Sendable (SyncEngine) throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        let result: Result<R, FirestoreError> = await withCheckedContinuation { continuation in
            async(
                { engine in continuation.resume(returning: Result { () throws(FirestoreError) in try body(engine) }) },
                orElse: { continuation.resume(returning: .failure($0)) })
        }
        return try result.get()
    }

    /// The engine; if it could not be replaced, it is tried again.
    private func present() -> Result<SyncEngine, FirestoreError> {
        if let engine, engine.store.hasLostLog { reopen(engine) }
        if let engine { return .success(engine) }
        guard let replacement else { return .failure(.clientIsTerminated) }
        return Result { () throws(FirestoreError) in
            try begin(replacement.make, isNetworkEnabled: replacement.isNetworkEnabled, taking: replacement.state)
        }
    }

    private func begin(
        _ make: @escaping Make, isNetworkEnabled: Bool, taking state: UserState? = nil
    ) throws(FirestoreError) -> SyncEngine {
        engineNumber += 1
        let engine = try make(self)
        self.engine = engine
        made = make
        replacement = nil
        if !isNetworkEnabled { engine.setNetworkEnabled(false) }
        if let state {
            // Before the user changes, who takes the held writes.
            engine.users.hold = state.hold
            let isReleased = state.hold.batches.isEmpty || state.hold.isBegun
            if engine.store.ownUser != state.user || !isReleased { engine.changeUser(to: state.user) }
        }
        engine.setSigningIn(isSigningIn)
        engine.start()
        for watch in inSyncWatches.values { watch.attach(to: engine) }
        return engine
    }

    /// A sign-in has begun, or has ended. Returns whether `wake` has to be called.
    func addSignIn(_ isSigningIn: Bool) -> Bool {
        add(
            .work {
                self.isSigningIn = isSigningIn
                self.engine?.setSigningIn(isSigningIn)
            })
    }

    /// Another user has signed in, whose store is the same. Returns whether `wake` has to be called.
    func addChange(to user: SyncUser) -> Bool { add(.work { self.engine?.changeUser(to: user) }) }

    /// Puts another engine, over another store, in the place of this one; listeners continue with what the other store has. If it cannot be
    /// made, they fail, and so does every call until it can be made.
    /// Returns whether `wake` has to be called.
    func addReplacement(for user: SyncUser, _ make: @escaping Make) -> Bool {
        add(
            .work {
                if let replacement = self.replacement { self.replacement = (make, replacement.isNetworkEnabled, nil) }
                if let old = self.engine { self.exchange(old, for: make, of: user) }
            })
    }

    /// The held writes of a sign-in, and their callers.
    private func heldCalls(of engine: SyncEngine) -> [(id: BatchID, call: SyncEngine.WriteCall)] {
        do throws(FirestoreError) {
            return try engine.takeHeldCalls()
        } catch {
            engine.settings.log("the writes of a sign-in stay in the queue of the signed-out user: \(error)")
            return []
        }
    }

    /// `user`: whose the next cache is; nil: it is the same one again.
    private func exchange(_ old: SyncEngine, for make: @escaping Make, of user: SyncUser? = nil) {
        let state = user == nil ? UserState(user: old.users.wanted ?? old.store.ownUser, hold: old.users.hold) : nil
        let isEnabled = old.isNetworkEnabled
        let listening = registrations.values.map(\.registration)
        registrations = [:]
        engineNumber += 1
        let moving = user?.uid == nil ? [] : heldCalls(of: old)
        old.abandonCalls()
        old.shutdown()
        // What moves stays in the store before until it is in the next one.
        if moving.isEmpty { retainOrClose(old.store) }
        defer { if !moving.isEmpty { retainOrClose(old.store) } }
        engine = nil
        do throws(FirestoreError) {
            let engine = try begin(make, isNetworkEnabled: isEnabled, taking: state)
            engine.write(
                moving.map { id, call in
                    var call = call
                    call.saved = { _ in _ = try? old.store.cancel(id) }
                    return call
                })
            for registration in listening.sorted(by: { $0.number < $1.number }) { registration.attach(to: engine) }
        } catch {
            replacement = (make, isEnabled, state)
            for (_, call) in moving { call.completion(.failure(.abandonedWrite)) }
            for registration in listening { registration.fail(error) }
        }
    }

    /// Reopens the cache for the current user. Data that the disk has lost is requested from the server again.
    private func reopen(_ old: SyncEngine) {
        if let made { exchange(old, for: made) }
    }

    private func retainOrClose(_ store: LocalStore) {
        guard store.isInMemory else {
            // Everything in it is stored; what remains open is closed with the process.
            try? store.close()
            return
        }
        store.releaseAll()
        storesOfOthers[store.user] = store
    }

    /// The store in memory that a user had when another one signed in. On the queue, for the engine that is being made.
    func takeStore(of user: SyncUser) -> LocalStore? { storesOfOthers.removeValue(forKey: user) }

    /// Ends the engine and closes its store. Returns its error, if it could not be closed.
    func stop(_ last: @escaping @Sendable (SyncEngine) -> Void = { _ in }) async -> FirestoreError? {
        await withCheckedContinuation { (continuation: CheckedContinuation<FirestoreError?, Never>) in
            enter {
                self.replacement = nil
                // They refer to the runner.
                self.registrations = [:]
                self.inSyncWatches = [:]
                for store in self.storesOfOthers.values { try? store.close() }
                self.storesOfOthers = [:]
                guard let engine = self.engine else { return continuation.resume(returning: nil) }
                last(engine)
                engine.shutdown()
                self.engine = nil
                do throws(FirestoreError) {
                    try engine.store.close()
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
        }
    }
}

/// The timers of an engine, on its queue.
final class SyncRunnerTimers: SyncTimers {
    private let enter: (Duration, @escaping @Sendable (SyncEngine) -> Void) -> Void
    /// The number of each running timer: a timer that was replaced finds another one.
    private var running: [SyncTimer: UInt64] = [:]
    private var last: UInt64 = 0

    /// For the engine that is being made.
    init(_ runner: SyncRunner) { enter = runner.delayedEntrance() }

    func start(_ timer: SyncTimer, after delay: Duration) {
        last += 1
        running[timer] = last
        let number = last
        enter(delay) { engine in
            guard let timers = engine.timers as? SyncRunnerTimers, timers.running[timer] == number else { return }
            timers.running[timer] = nil
            engine.fire(timer)
        }
    }

    func cancel(_ timer: SyncTimer) { running[timer] = nil }

    func cancelAll() { running = [:] }
}

extension Duration {
    fileprivate var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        // Longer than any timer of the engine, and far from an overflow.
        let whole = min(max(seconds, 0), 1_000_000_000)
        return .nanoseconds(Int(whole * 1_000_000_000 + attoseconds / 1_000_000_000))
    }
}
