// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// The engine of a process among several on one cache: does what `SharingMachine` decides. Used on the engine's queue.
final class CacheSharing: StreamArbiter {
    let membership: CacheMembership
    unowned let engine: SyncEngine
    private let watcher: WakeUpWatcher
    private var machine = SharingMachine()
    /// The lock of the leader, and the pipe whose end the others notice.
    private var leadership: (lock: LockedFile, pipe: CachePipe)?
    /// Whether another process may have sent something that the streams of this one do not know of.
    var otherHasLed = false
    /// Whether another process has asked for something that is not done yet.
    var hasRequests = false
    /// Calls that wait for what the leader decides about a batch.
    var cancellations: [(id: BatchID, completion: (Result<Void, FirestoreError>) -> Void)] = []
    /// The user that the engine was notified of. The store's may be another as soon as a transaction has begun.
    private var knownUser: SyncUser
    /// The processes that know what this one, as the leader, knew when they came.
    private var publishedTo: Set<Int64> = []
    /// The leader listens for the others.
    private var listening: [TargetID: (listener: SyncListener, isRemote: Bool)] = [:]

    var leads: Bool { machine.leads }

    var isStarted: Bool { machine.isStarted }

    var isOfThisUser: Bool { engine.store.user == engine.store.ownUser }

    init(_ membership: CacheMembership, _ engine: SyncEngine) {
        self.membership = membership
        self.engine = engine
        knownUser = engine.store.user
        // Another process leads until the lock says otherwise.
        membership.isFollower = true
        watcher = WakeUpWatcher(membership.wakeUp, leaderPipe: membership.folder.leaderPipe) { [post = engine.post] event in
            post { engine in engine.sharing?.handle(event) }
        }
    }

    deinit { watcher.close() }

    // MARK: Events

    func handle(_ event: SharingMachine.Event) {
        if case .userChanged = event { knownUser = engine.store.user }
        for action in machine.handle(event, isOwnUser: isOfThisUser) { perform(action) }
    }

    private func perform(_ action: SharingMachine.Action) {
        switch action {
        case .wakeOthers:
            engine.streams.offlineCauses.insert(.follower)
            for other in membership.others { _ = membership.folder.wake(other) }
        case .catchUp: recoverably { (sharing) throws(FirestoreError) in try sharing.takeChanges() }
        case .tryToLead: tryToLead()
        case .follow: follow()
        case .resign: resign()
        case .storeWants: storeWants()
        case .serveOthers: serveOthers()
        case .answerOwnRequests: cancelAlone()
        case .watch: watcher.set(watchesLeader: !leads, hasOthers: !membership.others.isEmpty)
        case .startWatching: watcher.start()
        case .end: end()
        }
    }

    private func end() {
        watcher.close()
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

    /// Failed work is retried when the process is woken, after a second at the latest.
    private func recoverably(_ work: (CacheSharing) throws(FirestoreError) -> Void) {
        do throws(FirestoreError) { try work(self) } catch {
            engine.settings.log("the changes of other processes could not be exchanged: \(error)")
        }
    }

    // MARK: Changes of others

    func takeChanges() throws(FirestoreError) {
        // What follows compares with what the engine knew, and not with what the store knew before: each of its transactions looks
        // at the file, and may have been faster.
        let hasChanges = try engine.store.catchUp { (changes) throws(FirestoreError) in try take(changes) }
        if !leads { takeLeaderOnlineState() }
        if knownUser != engine.store.user { handle(.userChanged) }
        guard leads else { return }
        try publish()
        guard hasChanges else { return }
        try listenForOthers()
        try answerRequests()
        engine.streams.fillPipeline()
    }

    private func take(_ changes: ForeignChanges) throws(FirestoreError) {
        engine.readTime = max(engine.readTime, try engine.store.lastSnapshotVersion())
        try engine.finish(changes)
        if !leads { takeLeaderOnlineState() }
        try engine.deliver(changes, isFollower: !leads)
        for feature in engine.features { try feature.reload() }
        engine.observers.changed(.queue)
        if changes.otherHasLed || !changes.isComplete { otherHasLed = true }
        if changes.hasRequests || !changes.isComplete { hasRequests = true }
        try finishCancellations(changes)
    }

    // MARK: Leading

    func tryToLead() {
        guard !leads, machine.mayLead(isOfThisUser), let lock = membership.folder.lead() else { return }
        recoverably { (sharing) throws(FirestoreError) in
            // What the leader before has done is done.
            try sharing.takeChanges()
            // Everything that can fail comes before the transaction, which forgets what this process wants.
            let pipe = try CachePipe(creating: sharing.membership.folder.leaderPipe)
            let engine = sharing.engine
            guard sharing.machine.mayLead(sharing.isOfThisUser),
                try engine.store.beginToLead(online: .unknown, current: engine.currentTargets)
            else { return }
            sharing.leadership = (lock, pipe)
            sharing.handle(.led)
            sharing.publishedTo = Set(sharing.membership.others)
            (sharing.otherHasLed, sharing.hasRequests) = (false, true)
            engine.streams.lead()
            try sharing.listenForOthers()
            try sharing.answerRequests()
        }
        if !leads { membership.isFollower = true }
        engine.noteReachability()
        perform(.watch)
    }

    private func resign() {
        guard leads else { return }
        handle(.resigned)
        engine.streams.follow()
        for (_, entry) in listening { engine.unlisten(entry.listener) }
        listening = [:]
        membership.isFollower = true
        storeWants()
        giveUp()
        perform(.watch)
    }

    /// Stores for the next leader what this process wants.
    private func storeWants() {
        guard case .following(owesWants: true) = machine.role else { return }
        recoverably { (sharing) throws(FirestoreError) in
            try sharing.engine.store.endLeading(remote: sharing.engine.targetsOfListeners)
            sharing.handle(.wantsStored)
        }
    }

    private func takeLeaderOnlineState() {
        if engine.isNetworkEnabled, engine.online != engine.store.leaderOnlineState {
            engine.onlineStateChanged(to: engine.store.leaderOnlineState)
        }
        engine.noteReachability()
    }

    /// Shows what the leader knows.
    private func follow() {
        guard !leads else { return }
        // Whether there is a leader at this moment.
        if !otherHasLed { otherHasLed = membership.folder.lead() == nil }
        engine.streams.follow()
        takeLeaderOnlineState()
        takeLeaderStates()
    }

    /// Shows the targets of which the leader has the authority's result.
    func takeLeaderStates() {
        guard !leads else { return }
        recoverably { (sharing) throws(FirestoreError) in try sharing.engine.takeLeaderStates() }
    }

    // MARK: The work of the leader

    private func serveOthers() {
        guard leads else { return }
        recoverably { (sharing) throws(FirestoreError) in
            try sharing.engine.store.sweep()
            try sharing.listenForOthers()
            try sharing.answerRequests()
        }
    }

    /// Publishes what this process knows for processes that have come.
    private func publish() throws(FirestoreError) {
        let others = Set(membership.others)
        guard leads, !others.isSubset(of: publishedTo) else { return }
        try engine.store.setTargetStates(
            engine.currentTargets.mapValues { TargetState(isCurrent: $0) }, online: engine.online)
        publishedTo = others
        try storeReachability()
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

    func publishReachability() {
        if leads { recoverably { (sharing) throws(FirestoreError) in try sharing.storeReachability() } }
    }

    private func storeReachability() throws(FirestoreError) {
        try engine.store.setOnlineState(engine.online, cannotWrite: engine.streams.writeReachability.isUnreachable)
    }

    /// Publishes what the leader knows of a target apart from remote events.
    func publish(_ state: TargetState, of id: TargetID) {
        guard leads else { return }
        recoverably { (sharing) throws(FirestoreError) in
            try sharing.engine.store.setTargetStates([id: state], online: sharing.engine.online)
        }
    }

    // MARK: What is known elsewhere

    func isCurrent(_ id: TargetID) throws(FirestoreError) -> Bool { try engine.store.isCurrentAtLeader(id) }

    var isOffline: Bool? { engine.streams.offlineCauses.contains(.follower) ? engine.store.leaderIsOffline : nil }
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

    /// Becomes the process that has the streams, and resumes them from the stored position.
    func lead() {
        for (id, _) in listenTargets { if let newest = store.targetData(of: id) { listenTargets[id] = newest } }
        onlineState = OnlineStateTracker()
        if syncer.viewsAreOffline, !offlineCauses.contains(.disabledByUser) { syncer.onlineStateChanged(to: .unknown) }
        guard offlineCauses.remove(.follower) != nil, !offlineCauses.contains(.notStarted) else { return }
        recoverably(.essential) { (streams) throws(FirestoreError) in try streams.loadResumption() }
        resume()
    }
}
