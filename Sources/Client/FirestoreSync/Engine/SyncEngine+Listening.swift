// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSemantics
import FirestoreWire

extension SyncEngine {
    /// Starts a listener: its first event may arrive before this returns.
    package func listen(_ listener: SyncListener) {
        let query = listener.target
        do throws(FirestoreError) {
            if let number = viewOfQuery[query] {
                try join(number, listener)
            } else {
                try begin(query, listener)
            }
        } catch {
            var error = error
            error.message = "the listener could not be started: " + error.message
            listener.onEvent(.failure(error))
        }
    }

    /// The first listener of a query (SY-90).
    private func begin(_ query: ClientTarget, _ listener: SyncListener) throws(FirestoreError) {
        let target = try store.allocate(query.syncTarget, isRemote: listener.isRemote)
        if listener.isRemote { expectState(of: target.targetID) }
        let snapshot: SyncSnapshot
        do throws(FirestoreError) {
            snapshot = try makeView(query, target)
        } catch {
            if viewsOfTarget[target.targetID] == nil { release(target.targetID) }
            throw error
        }
        if listener.isRemote { streams.listen(to: target) }
        listeners.insert(listener)
        guard let number = viewOfQuery[query] else { return }
        if tell(listener, snapshot, of: number) { snapshotsAreInSync() }
    }

    private func makeView(_ query: ClientTarget, _ target: TargetData) throws(FirestoreError) -> SyncSnapshot {
        // Before the keys and the documents, so that these are as new as what the leader says of them.
        let isCurrentAtLeader = try store.isCurrentAtLeader(target.targetID)
        let keys = try store.remoteKeys(of: target.targetID)
        var view = SyncView(query, database: database, syncedDocuments: keys)
        let result = try localResult(of: query)
        store.pin(result.lazy.filter { $0.document != nil }.map(\.key), of: target.targetID)
        view.fill(result)
        // A query that shares its target with one that is synced is synced, too, if the authority still reports the target.
        let sibling = streams.listenTargets[target.targetID] == nil ? nil : viewsOfTarget[target.targetID]?.first
        let isCurrent = sibling.flatMap { views[$0]?.view.isSynced } ?? isCurrentAtLeader
        let delta = TargetDelta(resumeToken: target.resumeToken, isCurrent: isCurrent && online != .offline)
        let step = view.finish(delta, readTime: readTime)
        addView(query, target.targetID, view)
        track(step, of: target.targetID)
        return step.snapshot ?? view.snapshot(hasCachedResults: !target.resumeToken.isEmpty, readTime: readTime)
    }

    /// One more listener of a query that has a view (SY-91, SY-141).
    private func join(_ number: Int, _ listener: SyncListener) throws(FirestoreError) {
        guard let id = views[number]?.targetID else { return }
        var target: TargetData?
        if listener.isRemote, !listeners.hasRemoteListeners(listener.target) {
            target = try store.allocate(listener.target.syncTarget)
            expectState(of: id)
        }
        // A listener that was told may have ended the view.
        guard let view = views[number] else { return try begin(listener.target, listener) }
        if let target { streams.listen(to: target) }
        let token = store.targetData(of: view.targetID)?.resumeToken ?? .empty
        let snapshot = view.view.snapshot(hasCachedResults: !token.isEmpty, readTime: readTime)
        listeners.insert(listener)
        if tell(listener, snapshot, of: number) { snapshotsAreInSync() }
        guard store.isFollower else { return }
        do throws(FirestoreError) {
            try takeLeaderStates()
        } catch {
            // It is told again when the leader tells something new.
            settings.log("what the leader knows of a target could not be read: \(error)")
        }
    }

    /// A target is about to be requested that nothing has reported since its last listener of the authority's result ended: its views
    /// show what the cache has until the authority has told its state (SY-135).
    private func expectState(of id: TargetID) {
        guard streams.listenTargets[id] == nil else { return }
        var snapshots: [(number: Int, snapshot: SyncSnapshot)] = []
        for number in viewsOfTarget[id] ?? [] {
            if let snapshot = views[number]?.view.requestedAnew(readTime: readTime) { snapshots.append((number, snapshot)) }
        }
        tell(snapshots)
    }

    private func tell(_ listener: SyncListener, _ snapshot: SyncSnapshot, of number: Int) -> Bool {
        defer { if listener.awaitsConfirmation { awaitConfirmation() } }
        return listener.take(snapshot, online) { views[number]?.view.allAsAdded ?? [] }
    }

    package func unlisten(_ listener: SyncListener) {
        listener.hasEnded = true
        let query = listener.target
        let hadRemote = listeners.hasRemoteListeners(query)
        guard listeners.remove(listener), let number = viewOfQuery[query], let id = views[number]?.targetID else { return }
        let isLast = listeners.listeners(of: query).isEmpty
        let isTargetShared = (viewsOfTarget[id]?.count ?? 0) > 1
        if isLast {
            if isTargetShared {
                // The other query of the target may be listened to in the cache only.
                removeView(number)
                if hadRemote { withdrawUnwanted(id) }
            } else {
                release(id)
                if hadRemote { streams.unlisten(id) }
                endTarget(id, because: nil)
                sharing?.unlistened(id)
            }
        } else if hadRemote {
            withdrawUnwanted(id)
        }
    }

    /// Those who go on listening to the target look at the cache only.
    private func withdrawUnwanted(_ id: TargetID) {
        guard !hasRemoteListeners(id) else { return }
        streams.unlisten(id)
        sharing?.unlistened(id)
    }

    private func hasRemoteListeners(_ id: TargetID) -> Bool {
        viewsOfTarget[id]?.contains { views[$0].map { listeners.hasRemoteListeners($0.query) } ?? false } ?? false
    }

    /// The id of the target that the listener's query uses; nil if it does not listen.
    package func targetID(of listener: SyncListener) -> TargetID? { viewOfQuery[listener.target].flatMap { views[$0]?.targetID } }

    /// Whether the view of a listener's query is the authority's result.
    package func isSynced(_ query: ClientTarget) -> Bool { viewOfQuery[query].flatMap { views[$0]?.view.isSynced } ?? false }

    /// Records that a target is not used. If that cannot be stored, what it contains is not collected until it was used once more.
    func release(_ id: TargetID) {
        do throws(FirestoreError) { try store.release(id) } catch { settings.log("target \(id) could not be released: \(error)") }
    }

    /// The views of a target end, with an error or without.
    func endTarget(_ id: TargetID, because error: FirestoreError?) {
        for number in viewsOfTarget[id] ?? [] {
            guard let query = views[number]?.query else { continue }
            removeView(number)
            guard let error else { continue }
            for listener in listeners.removeAll(of: query) { listener.onEvent(.failure(error)) }
        }
        perform(limbo.remove(id))
    }

    // MARK: Results of the cache

    /// The local result of a query, in the order of its view.
    func localResult(of query: ClientTarget) throws(FirestoreError) -> [LocalDocument] {
        switch query {
        case .document(let key):
            return try store.documents([key])
        case .query(let query):
            let result = try store.run(query.serviceQuery)
            return query.limitsToLast ? result.reversed() : result
        }
    }

    /// The same, if the plan guarantees that at most `count` documents are read; nil otherwise.
    func localResult(of query: ClientQuery, ifAtMost count: Int) throws(FirestoreError) -> [LocalDocument]? {
        let result = try store.run(query.serviceQuery, ifAtMost: count)
        return query.limitsToLast ? result?.reversed() : result
    }

    // MARK: Changes

    /// Takes changed documents to the views that they concern, and what those show to the listeners (SY-100 … SY-102).
    ///
    /// Costs time in proportion to the changes and to the views that may show them, whatever the number of views.
    func deliver(_ changes: [LocalChange], _ event: RemoteEvent? = nil) {
        var concerned: Set<Int> = []
        var states: [Int: [LocalDocument]] = [:]
        for change in changes {
            var found: Set<Int> = []
            routes.collect(change.key, change.old.document?.fields, change.new.document?.fields, into: &found)
            // Without fields, it may belong to every result of its collection.
            if change.new.content == .unknown, change.new.hasCommittedMutations { found.formUnion(views(over: change.key)) }
            for number in found { states[number, default: []].append(change.new) }
            concerned.formUnion(found)
        }
        if let event {
            for id in event.targetChanges.keys { concerned.formUnion(viewsOfTarget[id] ?? []) }
            for id in event.mismatchedTargets.keys { concerned.formUnion(viewsOfTarget[id] ?? []) }
        }
        guard !concerned.isEmpty else { return }
        let version = readTime
        var snapshots: [(number: Int, snapshot: SyncSnapshot)] = []
        for number in concerned.sorted() {
            if let snapshot = update(number, states[number] ?? [], event, version) { snapshots.append((number, snapshot)) }
        }
        tell(snapshots)
        noteViews(snapshots)
    }

    private func views(over key: DocumentKey) -> [Int] {
        views.compactMap { number, view in
            guard case .query(let query) = view.query, query.query.scope.contains(key) else { return nil }
            return number
        }
    }

    func update(
        _ number: Int, _ states: [LocalDocument], _ event: RemoteEvent?, _ version: DocumentVersion
    ) -> SyncSnapshot? {
        guard let query = views[number]?.query, let id = views[number]?.targetID else { return nil }
        views[number]?.view.apply(states)
        if views[number]?.view.needsRefill == true {
            do throws(FirestoreError) {
                views[number]?.view.refilled(try localResult(of: query))
            } catch {
                settings.log("a limited query could not be read again: \(error)")
                refillLater(number)
            }
        }
        let step = views[number]?.view.finish(
            event?.targetChanges[id], isPendingReset: event?.mismatchedTargets[id] != nil, readTime: version)
        guard let step else { return nil }
        track(step, of: id)
        return step.snapshot
    }

    /// A view with a limit shows too little until the store can be read again.
    private func refillLater(_ number: Int) {
        let work: RemoteStreams.Work = { [weak self] (_) throws(FirestoreError) in
            guard let self, let query = views[number]?.query else { return }
            views[number]?.view.refilled(try localResult(of: query))
            guard let snapshot = update(number, [], nil, readTime) else { return }
            tell([(number, snapshot)])
            noteViews([(number, snapshot)])
        }
        streams.retryLater(work)
    }

    private func track(_ step: SyncView.Step, of id: TargetID) {
        guard !step.addedLimboDocuments.isEmpty || !step.removedLimboDocuments.isEmpty else { return }
        perform(limbo.update(id, added: step.addedLimboDocuments, removed: step.removedLimboDocuments))
    }

    func perform(_ effects: [LimboTracker.Effect]) {
        for effect in effects {
            switch effect {
            case .listen(let key, let id):
                streams.listen(to: TargetData(target: .documents([key]), targetID: id, purpose: .limboResolution))
            case .unlisten(let id): streams.unlisten(id)
            }
        }
    }

    /// Tells the listeners, and then that they are in sync.
    func tell(_ snapshots: [(number: Int, snapshot: SyncSnapshot)]) {
        var hasRaised = false
        for (number, snapshot) in snapshots {
            guard let query = views[number]?.query else { continue }
            for listener in listeners.listeners(of: query) where tell(listener, snapshot, of: number) { hasRaised = true }
        }
        if hasRaised { snapshotsAreInSync() }
    }

    /// Tells the store what entered and left the views.
    func noteViews(_ snapshots: [(number: Int, snapshot: SyncSnapshot)]) {
        let pins = snapshots.compactMap { number, snapshot -> ViewPins? in
            guard let id = views[number]?.targetID else { return nil }
            var pins = ViewPins(targetID: id, isFromCache: snapshot.isFromCache, added: [], removed: [])
            for change in snapshot.changes {
                switch change.kind {
                case .added: pins.added.insert(change.document.key)
                case .removed: pins.removed.insert(change.document.key)
                case .modified, .metadata: break
                }
            }
            return pins
        }
        guard !pins.isEmpty else { return }
        do throws(FirestoreError) {
            try store.noteViewChanges(pins)
        } catch {
            settings.log("uses of documents could not be stored: \(error)")
        }
    }
}

extension ClientTarget {
    /// What is requested from the authority (SY-4). All orders are explicit, so that a query and its mirror are one target.
    var syncTarget: SyncTarget {
        switch self {
        case .document(let key): return .documents([key])
        case .query(let query):
            var target = query.serviceQuery
            target.orders = target.effectiveOrders
            return .query(target)
        }
    }
}
