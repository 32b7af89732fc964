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
    /// The first batch that must not be sent yet; 0 for the whole queue, nil for none.
    var firstHeldBatch: BatchID? { get }
    /// Whether a batch with an attachment may be sent while others are in flight.
    func maySend(_ batch: PendingBatch, behind inFlight: [PendingBatch]) -> Bool
    /// The writes as they are sent of a batch with an attachment.
    func request(of batch: PendingBatch) throws(FirestoreError) -> [Write]
    /// The streams were closed. What is in flight will be sent again.
    func streamsEnded()
    /// The oldest batch could not be sent, or was not answered, and is sent again.
    func noteAttempt(_ batch: PendingBatch, _ error: FirestoreError)
    func onlineStateChanged(to state: OnlineState)
    var viewsAreOffline: Bool { get }
    /// Whether writes reach the authority has changed; nothing that views show.
    func reachabilityChanged()
    func noteAnomaly(_ text: String)
}

/// The two streams to the authority: which targets are requested, which batches are in flight, whether the client is online
/// (SY-50 … SY-55, SY-65 … SY-69, SY-113 … SY-117).
///
/// Used on the engine's queue. `RemoteStreams+Listen`, `+Write` and `+Recovery` have the parts.
final class RemoteStreams {
    let store: LocalStore
    let entrance: StreamEntrance
    let timers: any SyncTimers
    let settings: SyncSettings
    unowned let syncer: any RemoteSyncer

    var offlineCauses: Set<OfflineCause> = [.notStarted]

    // The Listen stream.
    var listenTargets: [TargetID: TargetData] = [:]
    var listenStream: StreamState<any ListenLink>
    var aggregator: WatchAggregator?
    /// Of the present stream.
    var evidence = ContinuationEvidence()
    var onlineState = OnlineStateTracker()

    // The Write stream.
    var outgoing = OutgoingWrites()
    var writeStream: StreamState<any WriteLink>
    var writeReachability = WriteReachability()

    var recovery = StoreRecovery()

    init(
        store: LocalStore, entrance: StreamEntrance, timers: any SyncTimers, settings: SyncSettings, syncer: any RemoteSyncer
    ) {
        self.store = store
        self.entrance = entrance
        self.timers = timers
        self.settings = settings
        self.syncer = syncer
        listenStream = StreamState(backoff: settings.backoff)
        writeStream = StreamState(backoff: settings.backoff)
    }

    var transport: any SyncTransport { entrance.transport }

    var database: DatabaseID { store.databaseID }

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

    /// Both streams open again, with the current credentials; one whose last credentials were rejected, after its wait. Batches in
    /// flight are sent again.
    func restart() {
        guard canUseNetwork, listenStream.isStarted || writeStream.isStarted else { return }
        suspend(keepingRejection: true)
        resume()
    }

    /// Ends the waits of both streams.
    func retryNow() { resume() }

    /// Ends both streams. Batches in flight stay in the queue.
    func suspend(keepingRejection: Bool = false) {
        stopWriteStream(keepingRejection: keepingRejection)
        stopListenStream(keepingRejection: keepingRejection)
        outgoing.removeAll()
        syncer.streamsEnded()
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
        timers.cancelAll()
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
            case .changed: syncer.reachabilityChanged()
            }
        }
    }

    /// Whether neither reads nor writes reach the authority, as far as is known. The Listen stream decides, if there is one.
    var isOffline: Bool {
        switch onlineState.state {
        case .online: false
        case .offline: true
        case .unknown: writeReachability.isUnreachable
        }
    }

    /// Why reads are not answered by the authority, as a sentence; nil if they may be, or if it is not known.
    var offlineReason: String? {
        if offlineCauses.contains(.disabledByUser) { return OfflineCause.disabledByUser.explanation }
        if let explanation = offlineCauses.lazy.compactMap(\.explanation).first { return explanation }
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
        default: break
        }
    }
}
