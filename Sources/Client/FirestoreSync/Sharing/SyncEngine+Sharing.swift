// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

extension SyncEngine {
    /// What this engine knows of the targets that it listens to.
    var currentTargets: [TargetID: Bool] {
        var current: [TargetID: Bool] = [:]
        for (id, numbers) in viewsOfTarget where streams.listenTargets[id] != nil {
            current[id] = numbers.contains { views[$0]?.view.isCurrent == true }
        }
        return current
    }

    var viewsAreOffline: Bool { online == .offline }

    /// The targets of which a listener wants the authority's result, those of some listeners left out.
    func targetsOfListeners(except others: [SyncListener]) -> Set<TargetID> {
        let others = Set(others.map { ObjectIdentifier($0) })
        return Set(
            listeners.all.filter { $0.isRemote && !others.contains(ObjectIdentifier($0)) }.compactMap { targetID(of: $0) })
    }

    /// Tells the callers whose batches another process has finished: before any listener hears of it (SY-61).
    func finish(_ changes: ForeignChanges) throws(FirestoreError) {
        let ended = changes.isComplete ? changes.ended.filter { completions[$0] != nil } : Set(completions.keys)
        if !ended.isEmpty {
            for (id, outcome) in try store.outcomes(of: ended).sorted(by: { $0.key < $1.key }) {
                handlers[id] = nil
                completions.removeValue(forKey: id)?(outcome)
            }
        }
        guard !waiters.isEmpty, !changes.ended.isEmpty || !changes.isComplete else { return }
        answerWaiters(upTo: try store.lowestBatchID().map { $0 - 1 } ?? .max)
    }

    /// Takes what other processes have changed to the views. Documents come as they are now, so it does no harm to see a change
    /// twice, or early.
    func deliver(_ changes: ForeignChanges, isFollower: Bool) throws(FirestoreError) {
        if isFollower {
            for (id, state) in changes.states {
                guard let error = state.error, viewsOfTarget[id] != nil else { continue }
                streams.unlisten(id)
                release(id)
                endTarget(id, because: error)
            }
        }
        guard changes.isComplete else { return try reload() }
        var concerned: Set<Int> = []
        var documents: [Int: [LocalDocument]] = [:]
        for document in changes.documents {
            var found: Set<Int> = []
            routes.collect(document.key, nil, document.document?.fields, into: &found)
            // The state that each view has seen last is known to the view only.
            for (number, view) in views where view.view.document(document.key) != nil { found.insert(number) }
            for number in found { documents[number, default: []].append(document) }
            concerned.formUnion(found)
        }
        var event = RemoteEvent(snapshotVersion: readTime)
        let states = isFollower ? changes.states : [:]
        for id in Set(changes.members.keys).union(states.keys) {
            guard let number = viewsOfTarget[id]?.first, let view = views[number]?.view else { continue }
            let members = changes.members[id] ?? ([], [])
            event.targetChanges[id] = TargetDelta(
                resumeToken: store.targetData(of: id)?.resumeToken ?? .empty,
                isCurrent: (states[id]?.isCurrent ?? view.isCurrent) && (!isFollower || isNetworkEnabled), added: members.added,
                removed: members.removed)
            concerned.formUnion(viewsOfTarget[id] ?? [])
        }
        raise(concerned, documents, event)
    }

    private func raise(_ concerned: Set<Int>, _ documents: [Int: [LocalDocument]], _ event: RemoteEvent) {
        guard !concerned.isEmpty else { return }
        var snapshots: [(number: Int, snapshot: SyncSnapshot)] = []
        for number in concerned.sorted() {
            if let snapshot = update(number, documents[number] ?? [], event, readTime) { snapshots.append((number, snapshot)) }
        }
        tell(snapshots)
        noteViews(snapshots)
    }

    /// Reads everything that views show again: too much has changed to be told one by one.
    private func reload() throws(FirestoreError) {
        var event = RemoteEvent(snapshotVersion: readTime)
        var documents: [Int: [LocalDocument]] = [:]
        for (id, numbers) in viewsOfTarget {
            let isCurrent = try store.isFollower ? store.isCurrentAtLeader(id) && isNetworkEnabled : currentTargets[id] ?? false
            let keys = try store.remoteKeys(of: id)
            let known = knownKeys(of: id)
            event.targetChanges[id] = TargetDelta(
                resumeToken: store.targetData(of: id)?.resumeToken ?? .empty, isCurrent: isCurrent, added: keys.subtracting(known),
                removed: known.subtracting(keys))
            for number in numbers {
                guard let view = views[number] else { continue }
                let now = try localResult(of: view.query)
                let shown = Set(now.map(\.key))
                let gone = view.view.allAsAdded.map(\.document.key).filter { !shown.contains($0) }
                documents[number] = try store.documents(gone) + now
            }
        }
        raise(Set(views.keys), documents, event)
    }

    /// Takes over what the leader knows of the targets in use.
    func takeLeaderStates() throws(FirestoreError) {
        guard isNetworkEnabled else { return }
        var event = RemoteEvent(snapshotVersion: readTime)
        for id in viewsOfTarget.keys where try store.isCurrentAtLeader(id) {
            event.targetChanges[id] = TargetDelta(resumeToken: store.targetData(of: id)?.resumeToken ?? .empty, isCurrent: true)
        }
        raise(Set(event.targetChanges.keys.flatMap { viewsOfTarget[$0] ?? [] }), [:], event)
    }
}
