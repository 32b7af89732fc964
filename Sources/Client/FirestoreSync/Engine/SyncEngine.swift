// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreWire

/// The sync engine: views, queue of writes, streams, online state (SY-16 … SY-19).
///
/// Not thread-safe: every method, every timer and every event of a stream is called on one queue, and each of them is atomic
/// for listeners. It performs nothing by itself beyond calls of its store, its transport and its timers; what decides is
/// made of values (`SyncView`, `LimboTracker`, `WatchAggregator`, `OnlineStateTracker`, `StreamState`). What not every app needs
/// is in features (`SyncFeature`).
package final class SyncEngine {
    package typealias Settings = SyncSettings
    /// Runs a closure on the engine's queue, after everything posted before.
    package typealias Post = @Sendable (@escaping @Sendable (SyncEngine) -> Void) -> Void

    package let store: LocalStore
    let settings: SyncSettings
    let timers: any SyncTimers
    let post: Post
    let features: [any SyncFeature]
    /// Notified when the queue changes, and when the client goes offline or comes back.
    package let observers: SyncObservers
    private var madeStreams: RemoteStreams?

    var views: ViewTable
    var limbo: LimboTracker
    var listeners = ListenerTable()
    /// The online state that listeners know of.
    var online = OnlineState.unknown
    /// The version of the last global snapshot.
    var readTime = DocumentVersion.none
    var calls = OpenCalls()
    var users = UserTransition()

    /// Events of streams arrive through `post`, which may return when they are processed, so that a stream is read no faster.
    /// `postLater` returns immediately.
    package init(
        store: LocalStore, transport: any SyncTransport, timers: any SyncTimers, settings: SyncSettings = SyncSettings(),
        observers: SyncObservers = SyncObservers(), post: @escaping Post, postLater: Post? = nil
    ) {
        self.store = store
        self.settings = settings
        self.timers = timers
        self.observers = observers
        self.post = post
        features = store.features.compactMap { $0 as? any SyncFeature }
        views = ViewTable(database: store.databaseID)
        limbo = LimboTracker(most: settings.concurrentLimboResolutions)
        let later = postLater ?? post
        let entrance = StreamEntrance(
            transport, post: { body in post { body($0.streams) } }, postLater: { body in later { body($0.streams) } })
        madeStreams = RemoteStreams(store: store, entrance: entrance, timers: timers, settings: settings, syncer: self)
        for feature in features { feature.attach(to: self) }
    }

    var streams: RemoteStreams {
        guard let madeStreams else { preconditionFailure("the streams are made with the engine") }
        return madeStreams
    }

    // MARK: Lifecycle

    /// Begins to send the queue. The network is enabled.
    package func start() {
        notify(.starting)
        streams.start { [weak self] () throws(FirestoreError) in
            guard let self else { return }
            readTime = max(readTime, try store.lastSnapshotVersion())
            for feature in features { try feature.load() }
            noteQueuesOfOthers()
        }
        notify(.started)
    }

    /// Ends all streams, timers and listeners. The store stays open.
    package func shutdown() {
        streams.shutDown()
        notify(.stopped)
        listeners.removeAll()
    }

    /// Answers calls that this engine will not answer any more: their writes stay in the queue.
    package func abandonCalls() {
        let ids = calls.batches
        let endings = calls.takeAll(.abandonedWrite)
        for id in ids { notify(.ended(id)) }
        for end in endings { end() }
    }

    // MARK: Features

    func notify(_ event: SyncEvent) { for feature in features { feature.handle(event) } }

    /// The feature of a type; nil if it is not registered in `SyncFeatures`.
    func feature<Feature>(_ type: Feature.Type = Feature.self) -> Feature? { store.feature(type) }

    /// Decides which process has the streams; nil if no other one may have them.
    var arbiter: (any StreamArbiter)? { features.lazy.compactMap(\.arbiter).first }

    /// Does something for which no other process may send or listen. Returns false if another one may.
    func exclusively(_ body: () throws(FirestoreError) -> Void) throws(FirestoreError) -> Bool {
        if let arbiter { return try arbiter.exclusively(body) }
        try body()
        return true
    }

    // MARK: The network

    package func setNetworkEnabled(_ isEnabled: Bool) {
        notify(.networkChanges(isEnabled: isEnabled))
        streams.setNetworkEnabled(isEnabled)
        notify(.networkChanged(isEnabled: isEnabled))
    }

    package var isNetworkEnabled: Bool { !streams.offlineCauses.contains(.disabledByUser) }

    /// The token of the same user has changed, and perhaps its claims: the streams open again with the new one.
    package func renewCredentials() { streams.restart() }

    /// Sends now, without waiting for the next attempt.
    package func retryNow() { streams.retryNow() }

    package func fire(_ timer: SyncTimer) {
        streams.fire(timer)
        notify(.fired(timer))
    }

    /// Whether neither reads nor writes reach the authority, as far as is known.
    package var isOffline: Bool {
        let elsewhere = isNetworkEnabled ? arbiter?.isOffline : nil
        return elsewhere ?? streams.isOffline
    }

    func noteReachability() { observers.offlineChanged(isOffline) }

    // MARK: Snapshots in sync

    /// Calls `body` once now and after each step in which a listener was called (SY-145). Returns a number for removing it.
    package func addSnapshotsInSyncObserver(_ body: @escaping () -> Void) -> Int {
        let number = listeners.addInSyncObserver(body)
        body()
        return number
    }

    package func removeSnapshotsInSyncObserver(_ number: Int) { listeners.removeInSyncObserver(number) }

    func snapshotsAreInSync() { for body in listeners.bodiesOfInSyncObservers { body() } }

    // MARK: Inspection

    package var activeLimboResolutions: [DocumentKey: TargetID] { limbo.active }
    package var enqueuedLimboResolutions: [DocumentKey] { limbo.waiting }
    /// The batches in the write pipeline (SY-50).
    package var outstandingWriteCount: Int { streams.outgoing.batches.count }
    package var onlineState: OnlineState { online }
}

extension FirestoreError {
    static let abandonedWrite = FirestoreError(
        .cancelled,
        "the server had not answered when the client ended or the user changed; the write stays in the queue of the user who made it "
            + "and is sent when that user is signed in again")
}
