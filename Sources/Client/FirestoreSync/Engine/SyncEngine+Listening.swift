// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSemantics
import FirestoreWire

extension SyncEngine {
    /// Starts a listener: its first event may arrive before this returns.
    package func listen(_ listener: SyncListener) {
        let query = listener.target
        do throws(FirestoreError) {
            if let number = views.number(of: query) {
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
            if views.numbers(of: target.targetID).isEmpty { release(target.targetID) }
            throw error
        }
        if listener.isRemote { streams.listen(to: target) }
        listeners.insert(listener)
        listenersChanged(of: target.targetID)
        guard let number = views.number(of: query) else { return }
        if show(listener, snapshot, of: number) { snapshotsAreInSync() }
    }

    private func makeView(_ query: ClientTarget, _ target: TargetData) throws(FirestoreError) -> SyncSnapshot {
        // Before the keys and the documents, so that these are as new as what another process says of them.
        let isCurrentElsewhere = try arbiter?.isCurrent(target.targetID) ?? false
        let keys = try store.remoteKeys(of: target.targetID)
        var view = SyncView(query, database: store.databaseID, syncedDocuments: keys)
        let result = try localResult(of: query)
        store.noteViewed(result.lazy.filter { $0.document != nil }.map(\.key), by: target.targetID)
        view.fill(result)
        // A query that shares its target with one that is synced is synced, too, if the authority still reports the target.
        let sibling = streams.listenTargets[target.targetID] == nil ? nil : views.numbers(of: target.targetID).first
        let isCurrent = sibling.flatMap { views[$0]?.view.isSynced } ?? isCurrentElsewhere
        let delta = TargetDelta(resumeToken: target.resumeToken, isCurrent: isCurrent && online != .offline)
        let step = view.finish(delta, readTime: readTime)
        views.insert(query, target.targetID, view)
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
        // A listener that was called may have ended the view.
        guard let view = views[number] else { return try begin(listener.target, listener) }
        if let target { streams.listen(to: target) }
        let token = store.targetData(of: view.targetID)?.resumeToken ?? .empty
        let snapshot = view.view.snapshot(hasCachedResults: !token.isEmpty, readTime: readTime)
        listeners.insert(listener)
        listenersChanged(of: view.targetID)
        if show(listener, snapshot, of: number) { snapshotsAreInSync() }
        notify(.joined)
    }

    /// A target is about to be requested that nothing has reported since its last listener of the authority's result ended: its views
    /// show what the cache has until the authority has reported its state (SY-135).
    private func expectState(of id: TargetID) {
        guard streams.listenTargets[id] == nil else { return }
        var snapshots: [(number: Int, snapshot: SyncSnapshot)] = []
        for number in views.numbers(of: id) {
            if let snapshot = views.change(number, { [readTime] in $0.requestedAnew(readTime: readTime) }) ?? nil {
                snapshots.append((number, snapshot))
            }
        }
        show(snapshots)
    }

    private func show(_ listener: SyncListener, _ snapshot: SyncSnapshot, of number: Int) -> Bool {
        defer { if listener.awaitsConfirmation { notify(.awaitsConfirmation) } }
        return listener.take(snapshot, online) { views[number]?.view.allAsAdded ?? [] }
    }

    package func unlisten(_ listener: SyncListener) {
        listener.hasEnded = true
        let query = listener.target
        let hadRemote = listeners.hasRemoteListeners(query)
        guard listeners.remove(listener), let number = views.number(of: query), let id = views[number]?.targetID else { return }
        let isLast = listeners.listeners(of: query).isEmpty
        let isTargetShared = views.numbers(of: id).count > 1
        if isLast {
            if isTargetShared {
                // The other query of the target may be listened to in the cache only.
                views.remove(number)
                if hadRemote { withdrawUnwanted(id) }
            } else {
                release(id)
                if hadRemote { streams.unlisten(id) }
                endTarget(id, because: nil)
                notify(.unlistened(id))
            }
        } else if hadRemote {
            withdrawUnwanted(id)
        }
    }

    /// Withdraws a target if its remaining listeners read from the cache only.
    private func withdrawUnwanted(_ id: TargetID) {
        guard !hasRemoteListeners(id) else { return }
        streams.unlisten(id)
        notify(.unlistened(id))
        listenersChanged(of: id)
    }

    /// Notifies the views of a target of whether the authority reports it.
    private func listenersChanged(of id: TargetID) {
        let areRemote = hasRemoteListeners(id)
        let snapshots = views.numbers(of: id).compactMap { number -> (number: Int, snapshot: SyncSnapshot)? in
            let snapshot = views.change(number) { [readTime] in $0.listenersChanged(areRemote: areRemote, readTime: readTime) }
            return (snapshot ?? nil).map { (number, $0) }
        }
        if !snapshots.isEmpty { show(snapshots) }
    }

    private func hasRemoteListeners(_ id: TargetID) -> Bool {
        views.numbers(of: id).contains { views[$0].map { listeners.hasRemoteListeners($0.query) } ?? false }
    }

    /// The id of the target that the listener's query uses; nil if it does not listen.
    package func targetID(of listener: SyncListener) -> TargetID? { views.entry(of: listener.target)?.targetID }

    /// Whether the view of a listener's query is the authority's result.
    package func isSynced(_ query: ClientTarget) -> Bool { views.entry(of: query)?.view.isSynced ?? false }

    /// Records that a target is not used. If that cannot be stored, what it contains is not collected until it was used once more.
    func release(_ id: TargetID) {
        do throws(FirestoreError) { try store.release(id) } catch { settings.log("target \(id) could not be released: \(error)") }
    }

    /// The views of a target end, with an error or without.
    func endTarget(_ id: TargetID, because error: FirestoreError?) {
        for number in views.numbers(of: id) {
            guard let query = views[number]?.query else { continue }
            views.remove(number)
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

    /// The local result of a query if the plan guarantees that at most `count` documents are read; nil otherwise.
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
            let found = views.views(of: change)
            for number in found { states[number, default: []].append(change.new) }
            concerned.formUnion(found)
        }
        if let event {
            for id in event.targetChanges.keys { concerned.formUnion(views.numbers(of: id)) }
            for id in event.mismatchedTargets.keys { concerned.formUnion(views.numbers(of: id)) }
        }
        raise(concerned, states, event)
    }

    /// Makes a step of some views, and takes what they show to the listeners.
    func raise(_ concerned: Set<Int>, _ states: [Int: [LocalDocument]], _ event: RemoteEvent?) {
        guard !concerned.isEmpty else { return }
        var snapshots: [(number: Int, snapshot: SyncSnapshot)] = []
        for number in concerned.sorted() {
            if let snapshot = update(number, states[number] ?? [], event) { snapshots.append((number, snapshot)) }
        }
        show(snapshots)
        noteViews(snapshots)
    }

    private func update(_ number: Int, _ states: [LocalDocument], _ event: RemoteEvent?) -> SyncSnapshot? {
        guard let query = views[number]?.query, let id = views[number]?.targetID else { return nil }
        let needsRefill = views.change(number) { view in
            view.apply(states)
            return view.needsRefill
        }
        if needsRefill == true {
            do throws(FirestoreError) {
                let result = try localResult(of: query)
                _ = views.change(number) { $0.refilled(result) }
            } catch {
                settings.log("a limited query could not be read again: \(error)")
                refillLater(number)
            }
        }
        let step = views.change(number) { [readTime] view in
            view.finish(event?.targetChanges[id], isPendingReset: event?.mismatchedTargets[id] != nil, readTime: readTime)
        }
        guard let step else { return nil }
        track(step, of: id)
        return step.snapshot
    }

    /// A view with a limit shows too little until the store can be read again.
    private func refillLater(_ number: Int) {
        let work: StoreRecovery.Work = { [weak self] (_) throws(FirestoreError) in
            guard let self, let query = views[number]?.query else { return }
            let result = try localResult(of: query)
            _ = views.change(number) { $0.refilled(result) }
            raise([number], [:], nil)
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

    /// Calls the listeners, and then the observers of snapshots in sync.
    func show(_ snapshots: [(number: Int, snapshot: SyncSnapshot)]) {
        var hasRaised = false
        for (number, snapshot) in snapshots {
            guard let query = views[number]?.query else { continue }
            for listener in listeners.listeners(of: query) where show(listener, snapshot, of: number) { hasRaised = true }
        }
        if hasRaised { snapshotsAreInSync() }
    }

    /// Records in the store what entered and left the views.
    private func noteViews(_ snapshots: [(number: Int, snapshot: SyncSnapshot)]) {
        let differences = snapshots.compactMap { number, snapshot -> ViewDifference? in
            guard let id = views[number]?.targetID else { return nil }
            var difference = ViewDifference(targetID: id, isFromCache: snapshot.isFromCache, added: [], removed: [])
            for change in snapshot.changes {
                switch change.kind {
                case .added: difference.added.insert(change.document.key)
                case .removed: difference.removed.insert(change.document.key)
                case .modified, .metadata: break
                }
            }
            return difference
        }
        guard !differences.isEmpty else { return }
        do throws(FirestoreError) {
            try store.noteViewChanges(differences)
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
