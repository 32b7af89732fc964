// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics

extension SyncEngine {
    /// What this engine knows of the targets that it listens to.
    var currentTargets: [TargetID: Bool] {
        var current: [TargetID: Bool] = [:]
        for id in views.targets where streams.listenTargets[id] != nil { current[id] = views.isCurrent(id) }
        return current
    }

    /// The targets of which a listener wants the authority's result.
    var targetsOfListeners: Set<TargetID> { Set(listeners.all.filter(\.isRemote).compactMap { targetID(of: $0) }) }

    /// Answers the callers whose batches another process has finished, before any listener is called (SY-61).
    func finish(_ changes: ForeignChanges) throws(FirestoreError) {
        let ended = changes.isComplete ? changes.ended.intersection(calls.batches) : calls.batches
        if !ended.isEmpty {
            for (id, outcome) in try store.outcomes(of: ended).sorted(by: { $0.key < $1.key }) {
                notify(.ended(id))
                calls.take(id)?(outcome)
            }
        }
        guard calls.areWaiting, !changes.ended.isEmpty || !changes.isComplete else { return }
        answerWaiters(upTo: try store.lowestBatchID().map { $0 - 1 } ?? .max)
    }

    /// Takes what other processes have changed to the views. Documents come as they are now, so it does no harm to see a change
    /// twice, or early.
    func deliver(_ changes: ForeignChanges, isFollower: Bool) throws(FirestoreError) {
        if isFollower {
            for (id, state) in changes.states {
                guard let error = state.error, !views.numbers(of: id).isEmpty else { continue }
                streams.unlisten(id)
                release(id)
                endTarget(id, because: error)
            }
        }
        guard changes.isComplete else { return try reload() }
        var concerned: Set<Int> = []
        var documents: [Int: [LocalDocument]] = [:]
        for document in changes.documents {
            // The state that each view has seen last is known to the view only.
            let found = views.views(showing: document)
            for number in found { documents[number, default: []].append(document) }
            concerned.formUnion(found)
        }
        var event = RemoteEvent(snapshotVersion: readTime)
        let states = isFollower ? changes.states : [:]
        for id in Set(changes.members.keys).union(states.keys) {
            guard let number = views.numbers(of: id).first, let view = views[number]?.view else { continue }
            let members = changes.members[id] ?? ([], [])
            event.targetChanges[id] = TargetDelta(
                resumeToken: store.targetData(of: id)?.resumeToken ?? .empty,
                isCurrent: (states[id]?.isCurrent ?? view.isCurrent) && (!isFollower || isNetworkEnabled), added: members.added,
                removed: members.removed)
            concerned.formUnion(views.numbers(of: id))
        }
        raise(concerned, documents, event)
    }

    /// Reads everything that views show again: too much has changed to be delivered one by one.
    private func reload() throws(FirestoreError) {
        var event = RemoteEvent(snapshotVersion: readTime)
        var documents: [Int: [LocalDocument]] = [:]
        for id in views.targets {
            let isCurrent = try store.isFollower ? store.isCurrentAtLeader(id) && isNetworkEnabled : currentTargets[id] ?? false
            let keys = try store.remoteKeys(of: id)
            let known = knownKeys(of: id)
            event.targetChanges[id] = TargetDelta(
                resumeToken: store.targetData(of: id)?.resumeToken ?? .empty, isCurrent: isCurrent, added: keys.subtracting(known),
                removed: known.subtracting(keys))
            for number in views.numbers(of: id) {
                guard let entry = views[number] else { continue }
                let now = try localResult(of: entry.query)
                let shown = Set(now.map(\.key))
                let gone = entry.view.allAsAdded.map(\.document.key).filter { !shown.contains($0) }
                documents[number] = try store.documents(gone) + now
            }
        }
        raise(Set(views.all), documents, event)
    }

    /// Takes over what the leader knows of the targets in use.
    func takeLeaderStates() throws(FirestoreError) {
        guard isNetworkEnabled else { return }
        var event = RemoteEvent(snapshotVersion: readTime)
        for id in views.targets where try store.isCurrentAtLeader(id) {
            event.targetChanges[id] = TargetDelta(resumeToken: store.targetData(of: id)?.resumeToken ?? .empty, isCurrent: true)
        }
        raise(Set(event.targetChanges.keys.flatMap { views.numbers(of: $0) }), [:], event)
    }
}
