// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// What the streams report to the engine. A method that throws has changed nothing, and is called again later.
protocol RemoteSyncer: TargetKnowledge {
    func applyRemoteEvent(_ event: RemoteEvent) throws(FirestoreError)
    /// All targets are about to be requested anew.
    func listenStreamOpened()
    func rejectListen(_ id: TargetID, because error: FirestoreError) throws(FirestoreError)
    /// `stream`: what resumes the Write stream after this batch, to be stored with its removal; nil if the stream cannot be resumed.
    /// `waitsForDisk`: whether the server may forget its answers now.
    func acknowledge(_ answers: [AnsweredBatch], waitsForDisk: Bool) throws(FirestoreError)
    func reject(_ batch: PendingBatch, because error: FirestoreError, stream: ByteSlice?) throws(FirestoreError)
    /// The Write stream cannot be resumed. Of the batches up to `last`, which may have been applied, those fail that must not be sent
    /// again.
    func rejectDoubtful(upTo last: BatchID, because error: FirestoreError) throws(FirestoreError)
    /// Whether a failed write has to be decided about before others are sent.
    var holdsQueue: Bool { get }
    /// The first batch that waits for a sign-in; neither it nor later ones are sent.
    var firstHeldBatch: BatchID? { get }
    /// Whether a refused batch may have been refused because of what others have changed.
    func mayConflict(_ batch: PendingBatch, _ error: FirestoreError) -> Bool
    /// Nothing is sent until it is decided what becomes of a refused batch.
    func beginConflict(_ batch: PendingBatch, because error: FirestoreError, stream: ByteSlice?) throws(FirestoreError)
    var awaitsDecision: Bool { get }
    /// What was asked of others before the streams ended has no effect.
    func forgetConflict()
    /// The oldest batch could not be sent, or was not answered, and is sent again.
    func noteAttempt(_ batch: PendingBatch, _ error: FirestoreError)
    func onlineStateChanged(to state: OnlineState)
    var viewsAreOffline: Bool { get }
    /// Whether writes reach the authority has changed; nothing that views show.
    func writeReachabilityChanged()
    func noteAnomaly(_ text: String)
}

/// The two streams to the authority: which targets are requested, which batches are under way, whether the client is online
/// (SY-50 … SY-55, SY-65 … SY-69, SY-113 … SY-117).
///
/// Used on the engine's queue. `RemoteStreams+Listen`, `+Write` and `+Recovery` have the parts.
final class RemoteStreams {
    /// Why the network must not be used.
    enum OfflineCause: Hashable {
        case notStarted
        case disabledByUser
        /// The store failed; nothing can be received before it works again.
        case storeFailure
        /// The user is being changed.
        case userChange
        /// Another process that shares the cache has the streams.
        case follower
        case shutDown
    }

    let store: LocalStore
    let transport: any SyncTransport
    let timers: any SyncTimers
    let database: DatabaseID
    let settings: SyncEngine.Settings
    let post: SyncEngine.Post
    let postLater: SyncEngine.Post
    unowned let syncer: any RemoteSyncer

    var offlineCauses: Set<OfflineCause> = [.notStarted]

    // The Listen stream.
    var listenTargets: [TargetID: TargetData] = [:]
    var listenStream: StreamState<any ListenLink>
    var aggregator: WatchAggregator?
    var onlineState = OnlineStateTracker()

    // The Write stream.
    var outgoing = OutgoingWrites()
    var writeStream: StreamState<any WriteLink>
    var writeReachability = WriteReachability()

    // Work that failed because of the store, oldest first.
    var recoveries: [Recovery] = []
    var recoveryFailures = 0
    /// Whether they wait for their timer.
    var waitsForStore = false
    /// How often in a row each use of the store has failed.
    var storeFailures: [StoreUse: Int] = [:]

    init(
        store: LocalStore, transport: any SyncTransport, timers: any SyncTimers, database: DatabaseID, settings: SyncEngine.Settings,
        post: @escaping SyncEngine.Post, postLater: @escaping SyncEngine.Post, syncer: any RemoteSyncer
    ) {
        self.store = store
        self.transport = transport
        self.timers = timers
        self.database = database
        self.settings = settings
        self.post = post
        self.postLater = postLater
        self.syncer = syncer
        listenStream = StreamState(backoff: settings.backoff)
        writeStream = StreamState(backoff: settings.backoff)
    }

    var canUseNetwork: Bool { offlineCauses.isEmpty }

    // MARK: The network

    /// `prepare` reads what has to be known before anything is sent.
    func start(_ prepare: @escaping () throws(FirestoreError) -> Void) {
        offlineCauses.remove(.notStarted)
        // On another stream than before, batches that were sent before the start would be applied again.
        recoverably(.essential) { (streams) throws(FirestoreError) in
            try prepare()
            try streams.loadResumption()
        }
        resume()
    }

    func setNetworkEnabled(_ isEnabled: Bool) {
        if isEnabled {
            offlineCauses.remove(.disabledByUser)
            resume()
        } else {
            offlineCauses.insert(.disabledByUser)
            suspend()
            perform(onlineState.set(.offline))
        }
    }

    /// Uses the network again, if nothing forbids it.
    func resume() {
        guard canUseNetwork else { return }
        if listenStream.isWaiting {
            timers.cancel(.listenBackoff)
            openListenStream()
        } else if needsListenStream {
            startListenStream()
        } else if !listenStream.isStarted {
            perform(onlineState.set(.unknown))
        }
        if writeStream.isWaiting {
            timers.cancel(.writeBackoff)
            openWriteStream()
        }
        fillPipeline()
    }

    /// Both streams open again, with the credentials of now; one whose last credentials were refused, after its wait. Batches under way
    /// are sent again.
    func restart() {
        guard canUseNetwork, listenStream.isStarted || writeStream.isStarted else { return }
        suspend(keepingRefusal: true)
        resume()
    }

    /// Ends the waits of both streams.
    func retryNow() { resume() }

    /// Ends both streams. Batches under way stay in the queue.
    func suspend(keepingRefusal: Bool = false) {
        stopWriteStream(keepingRefusal: keepingRefusal)
        stopListenStream(keepingRefusal: keepingRefusal)
        outgoing.removeAll()
        syncer.forgetConflict()
    }

    /// Both streams end until the user of the store has changed (SY-77): from now on they would have the credentials of another user.
    func beginUserChange() {
        offlineCauses.insert(.userChange)
        suspend()
        let mustBeOffline = offlineCauses.contains(.disabledByUser) || offlineCauses.contains(.storeFailure)
        perform(onlineState.set(mustBeOffline ? .offline : .unknown))
    }

    /// The store has changed. Both streams open again.
    func endUserChange() {
        offlineCauses.remove(.userChange)
        resume()
    }

    func shutDown() {
        offlineCauses.insert(.shutDown)
        suspend()
        for timer in SyncTimer.allCases { timers.cancel(timer) }
        perform(onlineState.set(.unknown))
    }

    func perform(_ effects: [OnlineStateTracker.Effect]) {
        for effect in effects {
            switch effect {
            case .startTimer: timers.start(.onlineState, after: settings.patience)
            case .stopTimer: timers.cancel(.onlineState)
            case .changed(let state): syncer.onlineStateChanged(to: state)
            }
        }
    }

    func perform(_ effects: [WriteReachability.Effect]) {
        for effect in effects {
            switch effect {
            case .startTimer: timers.start(.writeState, after: settings.patience)
            case .stopTimer: timers.cancel(.writeState)
            case .changed: syncer.writeReachabilityChanged()
            }
        }
    }

    /// Whether neither reads nor writes reach the authority, as far as is known. The Listen stream decides, if there is one; where another
    /// process has the streams, theirs do.
    var isOffline: Bool {
        if offlineCauses.contains(.follower), !offlineCauses.contains(.disabledByUser) { return store.leaderIsOffline }
        return switch onlineState.state {
        case .online: false
        case .offline: true
        case .unknown: writeReachability.isUnreachable
        }
    }

    /// Why reads are not answered by the authority, as a sentence; nil if they may be, or if it is not known.
    var offlineReason: String? {
        if offlineCauses.contains(.disabledByUser) { return "The network is disabled; call enableNetwork()." }
        if offlineCauses.contains(.follower) { return "Another process that shares the cache has the connection; see its log." }
        if let error = listenStream.lastError { return "The last attempt to reach the server ended with \(error.code): \(error)" }
        guard onlineState.state == .offline else { return nil }
        return listenStream.link == nil ? "The server has ended the connection." : "The server has not answered yet."
    }

    // MARK: Time

    func fire(_ timer: SyncTimer) {
        switch timer {
        case .onlineState: perform(onlineState.timerFired())
        case .writeState: perform(writeReachability.timerFired())
        case .listenBackoff: if listenStream.isWaiting { openListenStream() }
        case .writeBackoff: if writeStream.isWaiting { openWriteStream() }
        case .listenIdle: if listenStream.isIdle { closeIdleListenStream() }
        case .writeIdle: if writeStream.isIdle { closeIdleWriteStream() }
        case .storeRetry: storeRetryFired()
        case .garbageCollection, .pinRefresh, .conflictLookup, .confirmation: break
        }
    }
}
