// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSemantics
package import FirestoreWire

/// The sync engine: views, queue of writes, streams, online state (SY-16 … SY-19).
///
/// Not thread-safe: every method, every timer and every event of a stream is called on one queue, and each of them is atomic
/// for listeners. It performs nothing by itself beyond calls of its store, its transport and its timers; what decides is
/// made of values (`SyncView`, `LimboTracker`, `WatchAggregator`, `OnlineStateTracker`, `StreamState`).
package final class SyncEngine {
    package struct Settings: Sendable {
        /// How many lookups of documents in limbo run at once (SY-109).
        package var concurrentLimboResolutions = 100
        /// How long the first answer of a server may take before the client is offline (SY-113).
        ///
        /// Zero: one-shot reads are answered by the cache if it has something, and the client waits as long as usual.
        package var offlineAfter: Duration = .seconds(10)
        /// The delays between attempts to open a stream again (SY-115).
        package var backoff = Backoff()
        /// How long an unused stream stays open (SY-55, SY-116).
        package var idle: Duration = .seconds(60)
        /// The size from which the cache is collected, in bytes; nil: never (SY-152).
        package var collectionThreshold: Int64?
        /// What happens to writes that the authority rejects.
        package var failedWrites = FailedWritePolicy.keep
        /// Decides about conflicts of writes without a handler; nil: they become failed writes (SY-D24).
        package var conflictHandler: ConflictHandler?
        /// Reads documents from the authority, past the cache. It is called and answers on any thread. nil: conflicts are
        /// not told from other rejections.
        package var lookUp: (@Sendable ([DocumentKey], @escaping @Sendable (Result<LookupSnapshot, FirestoreError>) -> Void) -> Void)?
        /// The time since some moment. Injected, so that tests control it.
        package var now: @Sendable () -> Duration
        /// Called with a sentence about what went wrong and was survived.
        package var log: @Sendable (String) -> Void = { _ in }

        package init() {
            let start = ContinuousClock.now
            now = { ContinuousClock.now - start }
        }

        package var isCacheFirst: Bool { offlineAfter == .zero }
        var patience: Duration { isCacheFirst ? .seconds(10) : offlineAfter }
    }

    /// One query with its view.
    struct QueryView {
        let query: ClientTarget
        let targetID: TargetID
        var view: SyncView
    }

    typealias WriteCompletion = (Result<CommitResponse, FirestoreError>) -> Void

    package let store: LocalStore
    let database: DatabaseID
    let settings: Settings
    let timers: any SyncTimers
    private var madeStreams: RemoteStreams?
    /// nil if the cache belongs to this process alone.
    private(set) var sharing: CacheSharing?

    // Views, by a number that the routes use.
    var views: [Int: QueryView] = [:]
    var viewOfQuery: [ClientTarget: Int] = [:]
    var viewsOfTarget: [TargetID: [Int]] = [:]
    private var lastView = 0
    var routes = QueryRoutes()
    var limbo: LimboTracker

    // Listeners.
    var listeners = ListenerTable()
    var online = OnlineState.unknown
    private var inSyncObservers: [(number: Int, body: () -> Void)] = []
    private var lastObserver = 0

    /// The version of the last global snapshot.
    var readTime = DocumentVersion.none

    // Calls of users.
    var completions: [BatchID: WriteCompletion] = [:]
    var waiters: [(batch: BatchID, completion: (Result<Void, FirestoreError>) -> Void)] = []
    /// The user that the store is to be changed to; nil if that is done.
    private(set) var wantedUser: SyncUser?
    /// The writes that wait for a sign-in.
    var signInHold = SignInHold()
    /// The users whose waiting writes the log has mentioned.
    var notedQueues: Set<SyncUser> = []
    /// The handlers that decide about conflicts of the batches that this process has made.
    var handlers: [BatchID: ConflictHandler] = [:]
    /// The batch that has to be decided about.
    var conflict: OpenConflict?
    var lastConflict = 0
    /// What is being removed from the cache.
    var collection: CacheCollection?
    /// Whether the timer of reads that wait for confirmation runs.
    var isConfirmationTimed = false
    package private(set) var isShutDown = false
    /// Whether a failed write has to be decided about before others are sent.
    var holdsQueue = false
    /// Called when the client has become offline, or is no longer: after changes of the online state, and when writes cannot be sent
    /// while nothing is listened to.
    package var onOffline: ((Bool) -> Void)?
    private var wasOffline = false
    /// Called after each change of the queue or of the failed writes.
    package var onQueueChange: (() -> Void)?
    /// What is kept offline, by name, and what is called when it changes.
    var pinned: [String: PinState] = [:]
    package var onPinChange: (() -> Void)?

    /// Runs a closure on the engine's queue, after everything posted before.
    package typealias Post = @Sendable (@escaping @Sendable (SyncEngine) -> Void) -> Void

    /// Events of streams arrive through `post`, which may return when they are processed, so that a stream is read no faster.
    /// `postLater` returns at once.
    package init(
        store: LocalStore, transport: any SyncTransport, timers: any SyncTimers, database: DatabaseID,
        settings: Settings = Settings(), post: @escaping Post, postLater: Post? = nil
    ) {
        self.store = store
        self.database = database
        self.settings = settings
        self.timers = timers
        limbo = LimboTracker(most: settings.concurrentLimboResolutions)
        madeStreams = RemoteStreams(
            store: store, transport: transport, timers: timers, database: database, settings: settings, post: post,
            postLater: postLater ?? post, syncer: self)
        if let membership = store.membership { sharing = CacheSharing(membership, self, post) }
    }

    var streams: RemoteStreams {
        guard let madeStreams else { preconditionFailure("the streams are made with the engine") }
        return madeStreams
    }

    /// Begins to send the queue. The network is enabled.
    package func start() {
        sharing?.start()
        streams.start { [weak self] () throws(FirestoreError) in
            guard let self else { return }
            readTime = max(readTime, try store.lastSnapshotVersion())
            try loadHold()
            noteQueuesOfOthers()
        }
        startPins()
        if settings.collectionThreshold != nil { timers.start(.garbageCollection, after: .seconds(60)) }
    }

    /// Ends all streams, timers and listeners. The store stays open.
    package func shutdown() {
        isShutDown = true
        streams.shutDown()
        sharing?.stop()
        pinned = [:]
        _ = listeners.removeAll()
        inSyncObservers = []
    }

    /// Answers calls that this engine will not answer any more: their writes stay in the queue.
    package func abandonCalls() {
        let error = FirestoreError.abandonedWrite
        let (calls, waiting) = (completions, waiters)
        completions = [:]
        handlers = [:]
        waiters = []
        for (_, completion) in calls.sorted(by: { $0.key < $1.key }) { completion(.failure(error)) }
        for waiter in waiting { waiter.completion(.failure(error)) }
    }

    // MARK: The network

    package func setNetworkEnabled(_ isEnabled: Bool) {
        // A process without a network does not lead.
        if !isEnabled { sharing?.step(back: true) }
        streams.setNetworkEnabled(isEnabled)
        if isEnabled { sharing?.step(back: false) }
    }

    package var isNetworkEnabled: Bool { !streams.offlineCauses.contains(.disabledByUser) }

    /// Changes the user whose writes are queued and shown (SY-77). Tried again until the store has done it.
    package func changeUser(to user: SyncUser) {
        wantedUser = user
        streams.beginUserChange()
        streams.retry { [weak self] (streams) throws(FirestoreError) in
            // Of several changes that had to wait the last one counts.
            guard let self, let wantedUser else { return }
            try applyUser(wantedUser)
            try streams.loadResumption()
            self.wantedUser = nil
            signInHold.release()
            streams.endUserChange()
            sharing?.userChanged()
        }
    }

    /// The token of the same user has changed, perhaps what it says of the user, too: the streams show the server the new one.
    package func renewCredentials() { streams.restart() }

    private func applyUser(_ user: SyncUser) throws(FirestoreError) {
        // Tried again after a failure, it goes on where it was.
        guard user != store.user || user != store.ownUser else { return try loadHold() }
        let isSignIn = store.ownUser.uid == nil && user.uid != nil
        let (changes, oldestLeft) = try store.changeUser(to: user, moving: isSignIn ? signInHold.batches : [])
        // Calls that wait for nothing but what has moved go on waiting.
        let goesOn = { (batch: BatchID) in isSignIn && self.signInHold.first != nil && batch < oldestLeft ?? .max }
        let waiting = waiters.filter { !goesOn($0.batch) }
        waiters = waiters.filter { goesOn($0.batch) }
        for waiter in waiting {
            waiter.completion(
                .failure(FirestoreError(.cancelled, "the user changed while the call waited for pending writes; wait again")))
        }
        deliver(changes)
        try loadHold()
        noteQueuesOfOthers()
        refreshAllPins()
    }

    /// A failed write of an earlier process holds the queue as well.
    func loadHold() throws(FirestoreError) {
        guard settings.failedWrites == .hold else { return }
        holdsQueue = try !store.failedBatches().isEmpty
    }

    // MARK: Time

    package func fire(_ timer: SyncTimer) {
        switch timer {
        case .pinRefresh: refreshDuePins()
        case .conflictLookup: lookUpConflict()
        case .confirmation: endConfirmation()
        case .garbageCollection: collectGarbage()
        default: streams.fire(timer)
        }
    }

    // MARK: Snapshots in sync

    /// Calls `body` once now and after each step in which a listener was called (SY-145). Returns a number for removing it.
    package func addSnapshotsInSyncObserver(_ body: @escaping () -> Void) -> Int {
        lastObserver += 1
        inSyncObservers.append((lastObserver, body))
        body()
        return lastObserver
    }

    package func removeSnapshotsInSyncObserver(_ number: Int) { inSyncObservers.removeAll { $0.number == number } }

    func snapshotsAreInSync() { for observer in inSyncObservers { observer.body() } }

    // MARK: Views

    func addView(_ query: ClientTarget, _ id: TargetID, _ view: SyncView) {
        lastView += 1
        views[lastView] = QueryView(query: query, targetID: id, view: view)
        viewOfQuery[query] = lastView
        viewsOfTarget[id, default: []].append(lastView)
        switch query {
        case .document(let key): routes.insert(lastView, document: key)
        case .query(let query): routes.insert(lastView, query: query.query, database: database)
        }
    }

    func removeView(_ number: Int) {
        guard let view = views.removeValue(forKey: number) else { return }
        routes.remove(number)
        viewOfQuery[view.query] = nil
        viewsOfTarget[view.targetID]?.removeAll { $0 == number }
        if viewsOfTarget[view.targetID]?.isEmpty == true { viewsOfTarget[view.targetID] = nil }
    }

    // MARK: Inspection

    package var activeLimboResolutions: [DocumentKey: TargetID] { limbo.active }
    package var enqueuedLimboResolutions: [DocumentKey] { limbo.waiting }
    /// The batches in the write pipeline (SY-50).
    package var outstandingWriteCount: Int { streams.outgoing.batches.count }
    package var onlineState: OnlineState { online }
    package var isOffline: Bool { streams.isOffline }
    var cannotWrite: Bool { streams.writeReachability.isUnreachable }

    func tellWhetherOffline() {
        let isOffline = streams.isOffline
        guard isOffline != wasOffline else { return }
        wasOffline = isOffline
        onOffline?(isOffline)
    }
}

extension FirestoreError {
    static let abandonedWrite = FirestoreError(
        .cancelled,
        "the server had not answered when the client ended or the user changed; the write stays in the queue of the user who made it "
            + "and is sent when that user is signed in again")
}
