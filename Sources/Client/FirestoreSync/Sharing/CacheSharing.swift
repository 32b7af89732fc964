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
    /// The user that the engine was told of. The store's may be another as soon as a transaction has begun.
    private var toldUser: SyncUser
    /// The processes that know what this one, as the leader, knew when they came.
    private var publishedTo: Set<Int64> = []
    /// What this process wants of the leader could not be stored yet.
    private var owesWants = false
    /// The leader listens for the others.
    private var listening: [TargetID: (listener: SyncListener, isRemote: Bool)] = [:]

    var leads: Bool { leadership != nil }

    init(
        _ membership: CacheMembership, _ engine: SyncEngine, _ post: @escaping SyncEngine.Post
    ) {
        self.membership = membership
        self.engine = engine
        toldUser = engine.store.user
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
        case .bell:
            catchUp()
            storeWants()
        case .leaderEnded: tryToLead()
        case .tick:
            catchUp()
            tryToLead()
            storeWants()
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
        // What follows compares with what the engine was told, and not with what the store knew before: each of its transactions looks
        // at the file, and may have been faster.
        let hasChanges = try engine.store.catchUp { (changes) throws(FirestoreError) in try take(changes) }
        if leadership == nil { takeLeaderOnlineState() }
        if toldUser != engine.store.user { userChanged() }
        guard leadership != nil else { return }
        try publish()
        guard hasChanges else { return }
        try listenForOthers()
        try engine.loadHold()
        try answerRequests()
        engine.streams.fillPipeline()
    }

    private func take(_ changes: ForeignChanges) throws(FirestoreError) {
        engine.readTime = max(engine.readTime, try engine.store.lastSnapshotVersion())
        try engine.finish(changes)
        if leadership == nil { takeLeaderOnlineState() }
        try engine.deliver(changes, isFollower: leadership == nil)
        try engine.takePins()
        engine.onQueueChange?()
        if changes.otherHasLed || !changes.isComplete { otherHasLed = true }
        if changes.hasRequests || !changes.isComplete { hasRequests = true }
        try settleCancellations(changes)
    }

    // MARK: Leading

    private var mayLead: Bool { isStarted && !stepsBack && engine.store.user == engine.store.ownUser }

    func tryToLead() {
        guard leadership == nil, mayLead, let lock = membership.folder.lead() else { return }
        recoverably { (sharing) throws(FirestoreError) in
            // What the leader before has done is done.
            try sharing.takeChanges()
            // Everything that can fail comes before the transaction, which forgets what this process wants.
            let pipe = try CachePipe(creating: sharing.membership.folder.leaderPipe)
            let engine = sharing.engine
            guard sharing.mayLead, try engine.store.beginToLead(online: .unknown, current: engine.currentTargets) else { return }
            sharing.leadership = (lock, pipe)
            sharing.owesWants = false
            sharing.publishedTo = Set(sharing.membership.others)
            sharing.otherHasLed = false
            sharing.hasRequests = true
            engine.streams.lead()
            try sharing.listenForOthers()
            try sharing.answerRequests()
        }
        if leadership == nil { membership.isFollower = true }
        engine.tellWhetherOffline()
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
        toldUser = engine.store.user
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
        engine.streams.follow()
        for (_, entry) in listening { engine.unlisten(entry.listener) }
        listening = [:]
        membership.isFollower = true
        owesWants = true
        storeWants()
        leadership = held
        giveUp()
        watch()
    }

    /// Tells the next leader what this process wants.
    private func storeWants() {
        guard owesWants, leadership == nil else { return }
        recoverably { (sharing) throws(FirestoreError) in
            try sharing.engine.store.endLeading(remote: sharing.engine.targetsOfListeners(except: []))
            sharing.owesWants = false
        }
    }

    private func takeLeaderOnlineState() {
        if engine.isNetworkEnabled, engine.online != engine.store.leaderOnlineState {
            engine.onlineStateChanged(to: engine.store.leaderOnlineState)
        }
        engine.tellWhetherOffline()
    }

    /// Shows what the leader knows.
    private func follow() {
        guard leadership == nil else { return }
        engine.streams.follow()
        takeLeaderOnlineState()
        recoverably { (sharing) throws(FirestoreError) in try sharing.engine.takeLeaderStates() }
    }

    /// Tells processes that have come what this one knows.
    private func publish() throws(FirestoreError) {
        let others = Set(membership.others)
        guard leadership != nil, !others.isSubset(of: publishedTo) else { return }
        try engine.store.setTargetStates(
            engine.currentTargets.mapValues { TargetState(isCurrent: $0) }, online: engine.online)
        publishedTo = others
        try engine.store.setOnlineState(engine.online, cannotWrite: engine.cannotWrite)
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
        recoverably { (sharing) throws(FirestoreError) in
            try sharing.engine.store.setOnlineState(state, cannotWrite: sharing.engine.cannotWrite)
        }
    }

    func rejected(_ id: TargetID, because error: FirestoreError) {
        guard leadership != nil, isStarted else { return }
        recoverably { (sharing) throws(FirestoreError) in
            try sharing.engine.store.setTargetStates([id: TargetState(isCurrent: false, error: error)], online: sharing.engine.online)
        }
    }

    /// No listener wants the authority's result for a target any more.
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
