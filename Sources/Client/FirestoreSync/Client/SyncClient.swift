// SPDX-License-Identifier: Apache-2.0
import FirestoreClient
package import FirestoreCore
import FirestoreSemantics
package import FirestoreWire

/// A client with a cache in front of a server: it reads, listens and writes while offline, and catches up by itself.
///
/// Every call enters the queue of its engine in the order of the calls, so a read sees the writes before it.
package final class SyncClient: ClientBackend {
    /// What a client is made of.
    package struct Parts: Sendable {
        /// The cache of a user.
        package var cache: @Sendable (SyncUser) throws(FirestoreError) -> LocalStore.Configuration
        /// Whether each user has another cache.
        package var cacheIsPerUser: Bool
        package var user: SyncUser
        package var database: DatabaseID
        package var transport: any SyncTransport
        /// The server itself, for what has no stream: transactions, aggregates, vector searches, reads at a moment.
        package var service: any DocumentService
        package var settings: SyncEngine.Settings

        package init(
            database: DatabaseID, user: SyncUser = .unauthenticated, cacheIsPerUser: Bool = false, transport: any SyncTransport,
            service: any DocumentService, settings: SyncEngine.Settings = SyncEngine.Settings(),
            cache: @escaping @Sendable (SyncUser) throws(FirestoreError) -> LocalStore.Configuration
        ) {
            self.database = database
            self.user = user
            self.cacheIsPerUser = cacheIsPerUser
            self.cache = cache
            self.transport = transport
            self.service = service
            self.settings = settings
        }
    }

    private struct State {
        var isNetworkEnabled = true
        var user = Newest(SyncUser.unauthenticated)
        var isSigningIn = Newest(false)
        var cacheID: UInt64 = 0
        /// The reads that wait for an answer.
        var reads: [ObjectIdentifier: OneAnswer] = [:]
    }

    /// A value that several threads read at a time after each change of it: the newest reading is retained.
    private struct Newest<Value: Equatable> {
        private(set) var value: Value
        /// The readings that were begun, and the newest of those that have ended.
        private var begun: UInt64 = 0
        private var ended: UInt64 = 0

        init(_ value: Value) { self.value = value }

        /// A reading begins. Returns its number.
        mutating func begin() -> UInt64 {
            begun += 1
            return begun
        }

        /// A reading has ended. Returns whether the value is another one than before.
        mutating func end(_ number: UInt64, _ new: Value) -> Bool {
            // A reading that was begun later has returned a newer value.
            guard number > ended else { return false }
            ended = number
            defer { value = new }
            return value != new
        }
    }

    let runner = SyncRunner()
    let observers = SyncObservers()
    let followed = FollowedReads()
    let isCacheFirst: Bool
    private let parts: Parts
    /// What lives as long as the client.
    private let retained = Mutex<[any Sendable]>([])
    let service: any DocumentService
    let database: DatabaseID
    let context: RequestContext
    private let state = Mutex(State())
    private let listeners = ListenerSet<SnapshotFold>()

    /// Opens the cache, creating it if it does not exist, and begins to send what it still holds.
    package init(_ parts: Parts, context: RequestContext = .embedded) throws(FirestoreError) {
        self.parts = parts
        service = parts.service
        isCacheFirst = parts.settings.isCacheFirst
        database = parts.database
        self.context = context
        let id = try runner.start(Self.engine(parts, parts.user, observers, context))
        state.withLock { state in
            state.user = Newest(parts.user)
            state.cacheID = id
        }
    }

    private static func engine(
        _ parts: Parts, _ user: SyncUser, _ observers: SyncObservers, _ context: RequestContext
    ) -> SyncRunner.Make {
        { runner throws(FirestoreError) in
            let store: LocalStore
            if let earlier = runner.takeStore(of: user) {
                store = earlier
            } else {
                var configuration = try parts.cache(user)
                configuration.isShared = true
                store = try LocalStore.open(configuration)
            }
            if store.isFromOtherMachine {
                parts.settings.log(
                    "the cache was made on another machine, and writes wait in it; if a copy is in use there, both send them")
            }
            var settings = parts.settings
            let service = parts.service
            settings.lookUp = { keys, completion in
                Task { completion(await Self.lookUp(keys, service, context)) }
            }
            return SyncEngine(
                store: store, transport: parts.transport, timers: SyncRunnerTimers(runner), settings: settings, observers: observers,
                post: runner.entrance(), postLater: runner.laterEntrance())
        }
    }

    private static func lookUp(
        _ keys: [DocumentKey], _ service: any DocumentService, _ context: RequestContext
    ) async -> Result<LookupSnapshot, FirestoreError> {
        do throws(FirestoreError) {
            let response = try await service.documents(keys, options: .latest, context: context)
            return .success(LookupSnapshot(readTime: response.readTime, documents: response.documents))
        } catch {
            return .failure(error)
        }
    }

    /// Identifies the cache, as long as its file lasts.
    var cacheID: UInt64 { state.withLock { $0.cacheID } }

    /// Retains an object as long as the client: what notifies it of users.
    package func keep(_ object: any Sendable) { retained.withLock { $0.append(object) } }

    // MARK: Users

    /// Another user has signed in, or the user has signed out: the writes of the one leave every snapshot, those of the other enter
    /// (SY-77). Without effect if it is the same user.
    package func changeUser(to user: SyncUser) { _ = changeUser { user } }

    /// Changes to the user that `read` returns. May be called from several threads at a time after changes of the user: the most recent
    /// user wins.
    ///
    /// Returns whether the user is another one than before.
    @discardableResult
    package func changeUser(reading read: () -> SyncUser) -> Bool {
        let number = state.withLock { $0.user.begin() }
        // Without a lock: it may take one that announces changes.
        let user = read()
        // Changes take their turns in the order of their numbers.
        let (isOther, wakes) = state.withLock { state in
            guard !listeners.isTerminated, state.user.end(number, user) else { return (false, false) }
            return (true, parts.cacheIsPerUser ? addReplacement(for: user) : runner.addChange(to: user))
        }
        if wakes { runner.wake() }
        if isOther, parts.cacheIsPerUser { observers.allChanged() }
        return isOther
    }

    private func addReplacement(for user: SyncUser) -> Bool {
        let make = Self.engine(parts, user, observers, context)
        return runner.addReplacement(for: user) { [weak self] (runner) throws(FirestoreError) in
            let engine = try make(runner)
            self?.state.withLock { $0.cacheID = engine.store.cacheID }
            return engine
        }
    }

    /// The user or the token has changed. The streams open again in both cases.
    package func changeCredentials(reading read: () -> SyncUser) {
        if !changeUser(reading: read) { runner.async { $0.renewCredentials() } }
    }

    /// A sign-in has begun or ended: `read` returns whether one is in progress. Until it has ended, what is written without a user waits,
    /// and moves to the queue of the user who signs in. May be called from several threads at a time.
    package func changeSignIn(reading read: () -> Bool) {
        let number = state.withLock { $0.isSigningIn.begin() }
        let isSigningIn = read()
        let wakes = state.withLock { state in
            !listeners.isTerminated && state.isSigningIn.end(number, isSigningIn) && runner.addSignIn(isSigningIn)
        }
        if wakes { runner.wake() }
    }

    // MARK: Capabilities

    package var indexAdministration: (any IndexAdministration)? { nil }
    package var expiryAdministration: (any ExpiryAdministration)? { nil }

    package var isShared: Bool { true }

    package func authority(for operation: String) throws(FirestoreError) -> ClientAuthority? {
        try admitToServer(operation)
        return ClientAuthority(service: service, context: context)
    }

    // MARK: Writing

    package func write(
        _ writes: [Write], saved: @escaping @Sendable (_ id: Int64) -> Void,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        write(writes, option: nil, saved: saved, completion: completion)
    }

    func write(
        _ writes: [Write], option: (any WriteOption)?, saved: @escaping @Sendable (_ id: Int64) -> Void,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        if let error = terminationError() { return completion(.failure(error)) }
        runner.write { SyncEngine.WriteCall(writes: writes, option: option, saved: saved, completion: completion) }
    }

    package func waitForPendingWrites() async throws(FirestoreError) {
        if let error = terminationError() { throw error }
        try await onEngine { engine, completion in engine.waitForPendingWrites(completion) }
    }

    /// Runs `body` on the engine's queue, and returns when it calls its completion.
    func onEngine(
        _ body: @escaping @Sendable (SyncEngine, @escaping @Sendable (Result<Void, FirestoreError>) -> Void) -> Void
    ) async throws(FirestoreError) {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, FirestoreError>, Never>) in
            runner.async(
                { engine in body(engine) { continuation.resume(returning: $0) } },
                orElse: { continuation.resume(returning: .failure($0)) })
        }
        try result.get()
    }

    // MARK: Transactions

    package func beginTransaction(_ mode: TransactionMode) async throws(FirestoreError) -> TransactionID {
        try admitToServer("a transaction")
        return try await service.beginTransaction(mode, context: context)
    }

    // SY-137
    package func commit(
        _ writes: [Write], in transaction: TransactionID?,
        completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        do throws(FirestoreError) {
            try admitToServer("a transaction")
        } catch {
            return completion(.failure(error))
        }
        service.submit(writes, in: transaction, context: context, completion: completion)
    }

    package func rollback(_ transaction: TransactionID) async {
        // A transaction that cannot be rolled back has ended, or will expire.
        try? await service.rollback(transaction, context: context)
    }

    // MARK: Listening

    package func listen(
        to target: ClientTarget, options: ListenOptions,
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        onEvent: @escaping @Sendable (Result<ViewSnapshot, FirestoreError>) -> Void
    ) -> any ListenHandle {
        let registration = SyncRegistration(runner)
        let listener = PushedListener(
            includesMetadataChanges: options.includeMetadataChanges, inSync: listeners.inSync(for: options), schedule: schedule,
            onEvent: onEvent,
            onEnd: { [weak self] listener in
                registration.end()
                self?.listeners.remove(listener)
            })
        guard listeners.insert(listener, options) else { return listener }
        registration.begin(target, SyncListener.Options(source: options.source, includeMetadataChanges: options.includeMetadataChanges)) {
            switch $0 {
            case .snapshot(let snapshot): listener.push(snapshot)
            case .replacement(let snapshot): listener.pushReplacement(snapshot)
            case .failure(let error): listener.fail(error)
            }
        }
        return listener
    }

    package func listenForSnapshotsInSync(
        schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void, _ body: @escaping @Sendable () -> Void
    ) -> any ListenHandle {
        listeners.observeInSync(schedule: schedule, body: body) { InSyncWatch(runner, listeners.inSync) }
    }

    // MARK: Lifecycle

    package func setNetworkEnabled(_ isEnabled: Bool) async throws(FirestoreError) {
        if let error = terminationError() { throw error }
        state.withLock { $0.isNetworkEnabled = isEnabled }
        try await runner.call { $0.setNetworkEnabled(isEnabled) }
    }

    package var isNetworkDisabled: Bool { state.withLock { !$0.isNetworkEnabled } }

    package func endListeners() { listeners.endAll() }

    /// Ends streams and listeners and closes the cache. Pending writes stay in it (SY-157).
    package func terminate() async {
        guard listeners.terminate() else { return }
        endListeners()
        let reads = state.withLock { state in
            defer { state.reads = [:] }
            return state.reads.values
        }
        for read in reads { read.give(.failure(.clientIsTerminated)) }
        followed.endAll()
        _ = await runner.stop { engine in engine.abandonCalls() }
        observers.allChanged()
        await service.shutdown()
    }

    func terminationError() -> FirestoreError? { listeners.terminationError }

    /// A read waits for an answer; termination gives it one.
    func readStarted(_ answer: OneAnswer) {
        let isTerminated = state.withLock { state in
            if !listeners.isTerminated { state.reads[ObjectIdentifier(answer)] = answer }
            return listeners.isTerminated
        }
        if isTerminated { answer.give(.failure(.clientIsTerminated)) }
    }

    func readEnded(_ answer: OneAnswer) { state.withLock { _ = $0.reads.removeValue(forKey: ObjectIdentifier(answer)) } }

    /// For operations that only the server can answer.
    func admitToServer(_ operation: String) throws(FirestoreError) {
        if let error = terminationError() { throw error }
        guard !isNetworkDisabled else {
            throw FirestoreError(
                .unavailable, "Failed to get result from server: the network is disabled, and \(operation) needs it; call enableNetwork()")
        }
    }
}
