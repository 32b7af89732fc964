// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// A client among several processes on one cache: one of them leads and has the streams, the others follow (SY-D14 … SY-D16).
///
/// Used on the engine's queue.
final class CacheSharing {
    let membership: CacheMembership
    unowned let engine: SyncEngine
    private let watcher: BellWatcher
    /// The lock of the leader, and the pipe whose end the others notice.
    private var leadership: (lock: LockedFile, pipe: CachePipe)?
    /// Whether another process may have sent something that the streams of this one do not know of.
    var otherHasLed = false
    /// Whether another process has asked for something that is not done yet.
    var hasRequests = false
    /// Calls that wait for what the leader says of a batch.
    var cancellations: [(id: BatchID, completion: (Result<Void, FirestoreError>) -> Void)] = []
    /// Whether this process does not want to lead.
    private var stepsBack = false
    private(set) var isStarted = false
    /// The leader listens for the others.
    private var listening: [TargetID: (listener: SyncListener, isRemote: Bool)] = [:]

    var leads: Bool { leadership != nil }

    init(
        _ membership: CacheMembership, _ engine: SyncEngine,
        _ post: @escaping @Sendable (@escaping @Sendable (SyncEngine) -> Void) -> Void
    ) {
        self.membership = membership
        self.engine = engine
        // Another process leads until the lock says otherwise.
        membership.isFollower = true
        watcher = BellWatcher(membership.bell, leaderPipe: membership.folder.leaderPipe) { event in
            post { engine in engine.sharing?.handle(event) }
        }
    }

    deinit { watcher.close() }

    // MARK: Lifecycle

    /// Before the streams start.
    func start() {
        isStarted = true
        engine.streams.offlineCauses.insert(.follower)
        for other in membership.others { _ = membership.folder.ring(other) }
        tryToLead()
        if leadership == nil {
            otherHasLed = membership.folder.lead() == nil
            follow()
        }
        // The leader may end before it has rung once.
        watch()
        watcher.start()
    }

    func stop() {
        watcher.close()
        stepsBack = true
        isStarted = false
        listening = [:]
        abandonCancellations()
        engine.store.leave()
        giveUp()
    }

    /// The lock first: when the others find the pipe without a writer, they try to lead.
    private func giveUp() {
        let pipe = leadership?.pipe
        leadership = nil
        withExtendedLifetime(pipe) {}
    }

    private func watch() { watcher.set(watchesLeader: leadership == nil, hasOthers: !membership.others.isEmpty) }

    // MARK: Events

    func handle(_ event: BellWatcher.Event) {
        guard isStarted else { return }
        switch event {
        case .bell: catchUp()
        case .leaderEnded: tryToLead()
        case .tick:
            catchUp()
            tryToLead()
            guard leadership != nil else { break }
            recoverably { (sharing) throws(FirestoreError) in
                try sharing.engine.store.sweep()
                try sharing.listenForOthers()
                try sharing.answerRequests()
            }
        }
        cancelAlone()
        watch()
    }

    /// What fails here is tried again with the next bell, at the latest after a second.
    private func recoverably(_ work: (CacheSharing) throws(FirestoreError) -> Void) {
        do throws(FirestoreError) { try work(self) } catch {
            engine.settings.log("the changes of other processes could not be exchanged: \(error)")
        }
    }

    private func catchUp() { recoverably { (sharing) throws(FirestoreError) in try sharing.takeChanges() } }

    func takeChanges() throws(FirestoreError) {
        let othersBefore = membership.others
        let onlineBefore = engine.store.leaderOnlineState
        let userBefore = engine.store.user
        guard let changes = try engine.store.catchUp() else { return }
        engine.readTime = max(engine.readTime, try engine.store.lastSnapshotVersion())
        try engine.finish(changes)
        if leadership == nil, engine.isNetworkEnabled, onlineBefore != engine.store.leaderOnlineState {
            engine.onlineStateChanged(to: engine.store.leaderOnlineState)
        }
        try engine.deliver(changes, isFollower: leadership == nil)
        engine.onQueueChange?()
        if userBefore != engine.store.user { userChanged() }
        if changes.otherHasLed || !changes.isComplete { otherHasLed = true }
        if changes.hasRequests || !changes.isComplete { hasRequests = true }
        try settleCancellations(changes)
        guard leadership != nil else { return }
        if !Set(membership.others).isSubset(of: othersBefore) { try publish() }
        try listenForOthers()
        try engine.loadHold()
        try answerRequests()
        engine.streams.fillPipeline()
    }

    // MARK: Leading

    private var mayLead: Bool { isStarted && !stepsBack && engine.store.user == engine.store.ownUser }

    func tryToLead() {
        guard leadership == nil, mayLead, let lock = membership.folder.lead() else { return }
        recoverably { (sharing) throws(FirestoreError) in
            // What the leader before has done is done.
            try sharing.takeChanges()
            let engine = sharing.engine
            try engine.store.beginToLead(online: .unknown, current: engine.currentTargets)
            sharing.leadership = (lock, try CachePipe(creating: sharing.membership.folder.leaderPipe))
            sharing.otherHasLed = false
            sharing.hasRequests = true
            engine.streams.lead()
            try sharing.listenForOthers()
            try sharing.answerRequests()
        }
        if leadership == nil { membership.isFollower = true }
        watch()
    }

    /// Ends or begins to stand aside.
    func step(back stepsBack: Bool) {
        self.stepsBack = stepsBack
        guard isStarted else { return }
        if stepsBack { resign() } else { standAgain() }
    }

    /// The user of this process or of the cache has changed.
    func userChanged() {
        guard isStarted else { return }
        if mayLead { standAgain() } else { resign() }
    }

    private func standAgain() {
        tryToLead()
        if leadership == nil { follow() }
    }

    private func resign() {
        guard let held = leadership else { return }
        // From here on it tells the others nothing.
        leadership = nil
        let remote = engine.targetsOfListeners(except: listening.values.map(\.listener))
        engine.streams.follow()
        for (_, entry) in listening { engine.unlisten(entry.listener) }
        listening = [:]
        recoverably { (sharing) throws(FirestoreError) in try sharing.engine.store.endLeading(remote: remote) }
        membership.isFollower = true
        leadership = held
        giveUp()
        watch()
    }

    /// Shows what the leader knows.
    private func follow() {
        guard leadership == nil else { return }
        engine.streams.follow()
        if engine.isNetworkEnabled, engine.online != engine.store.leaderOnlineState {
            engine.onlineStateChanged(to: engine.store.leaderOnlineState)
        }
        recoverably { (sharing) throws(FirestoreError) in try sharing.engine.takeLeaderStates() }
    }

    /// Tells a process that has come what this one knows.
    private func publish() throws(FirestoreError) {
        try engine.store.setTargetStates(
            engine.currentTargets.mapValues { TargetState(isCurrent: $0) }, online: engine.online)
    }

    /// Listens to what the others want, so that their targets have views here: key sets, limbo and garbage are the leader's work.
    private func listenForOthers() throws(FirestoreError) {
        let wanted = membership.others.isEmpty ? [:] : try engine.store.wantedTargets()
        for (id, entry) in listening where wanted[id]?.isRemote != entry.isRemote {
            listening[id] = nil
            // The other listener comes first, so that the target does not end in between.
            if let target = wanted[id] { listen(id, target.target, target.isRemote) }
            engine.unlisten(entry.listener)
        }
        for (id, target) in wanted.sorted(by: { $0.key < $1.key }) where listening[id] == nil { listen(id, target.target, target.isRemote) }
    }

    private func listen(_ id: TargetID, _ target: SyncTarget, _ isRemote: Bool) {
        guard let query = ClientTarget(target) else { return }
        let listener = SyncListener(to: query, options: SyncListener.Options(source: isRemote ? .default : .cache)) { [weak self] result in
            if case .failure = result { self?.listening[id] = nil }
        }
        listening[id] = (listener, isRemote)
        engine.listen(listener)
    }

    // MARK: What the leader tells

    func onlineStateChanged(to state: OnlineState) {
        guard leadership != nil, isStarted else { return }
        recoverably { (sharing) throws(FirestoreError) in try sharing.engine.store.setOnlineState(state) }
    }

    func rejected(_ id: TargetID, because error: FirestoreError) {
        guard leadership != nil, isStarted else { return }
        recoverably { (sharing) throws(FirestoreError) in
            try sharing.engine.store.setTargetStates([id: TargetState(isCurrent: false, error: error)], online: sharing.engine.online)
        }
    }

    /// No listener uses a target any more.
    func unlistened(_ id: TargetID) {
        guard leadership != nil, isStarted, membership.others.isEmpty == false else { return }
        recoverably { (sharing) throws(FirestoreError) in
            try sharing.engine.store.setTargetStates([id: TargetState(isCurrent: false)], online: sharing.engine.online)
        }
    }
}

extension ClientTarget {
    /// The query with which a target is listened to; nil for targets that no listener has.
    fileprivate init?(_ target: SyncTarget) {
        switch target {
        case .documents(let keys):
            guard keys.count == 1, let key = keys.first else { return nil }
            self = .document(key)
        case .query(let query): self = .query(ClientQuery(query))
        }
    }
}

extension RemoteStreams {
    /// Another process has the streams.
    func follow() {
        offlineCauses.insert(.follower)
        suspend()
        onlineState = OnlineStateTracker()
    }

    /// This process has the streams from now on, and goes on where the file says that the last one was.
    func lead() {
        for (id, _) in listenTargets { if let newest = store.targetData(of: id) { listenTargets[id] = newest } }
        onlineState = OnlineStateTracker()
        if syncer.viewsAreOffline, !offlineCauses.contains(.disabledByUser) { syncer.onlineStateChanged(to: .unknown) }
        guard offlineCauses.remove(.follower) != nil, !offlineCauses.contains(.notStarted) else { return }
        recoverably(.essential) { (streams) throws(FirestoreError) in try streams.loadResumption() }
        resume()
    }
}
