// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension SyncEngine: RemoteSyncer {
    // MARK: Targets

    func wantedTarget(_ id: TargetID) -> TargetData? { streams.listenTargets[id] }

    func knownKeys(of id: TargetID) -> Set<DocumentKey> {
        if let lookup = limbo.lookup(id) { return lookup.hasReceived ? [lookup.key] : [] }
        let views = (viewsOfTarget[id] ?? []).compactMap { self.views[$0]?.view }
        guard let first = views.first else { return [] }
        return views.dropFirst().reduce(first.syncedDocuments) { $0.union($1.syncedDocuments) }
    }

    func isKnown(_ key: DocumentKey, in id: TargetID) -> Bool {
        if let lookup = limbo.lookup(id) { return lookup.hasReceived && lookup.key == key }
        return (viewsOfTarget[id] ?? []).contains { views[$0]?.view.syncedDocuments.contains(key) == true }
    }

    func knownCount(of id: TargetID) -> Int {
        if let lookup = limbo.lookup(id) { return lookup.hasReceived ? 1 : 0 }
        let numbers = viewsOfTarget[id] ?? []
        if numbers.count == 1 { return views[numbers[0]]?.view.syncedDocuments.count ?? 0 }
        return knownKeys(of: id).count
    }

    // MARK: Events

    func listenStreamOpened() { limbo.startOver { streams.listenTargets[$0]?.resumeToken.isEmpty ?? true } }

    func applyRemoteEvent(_ event: RemoteEvent) throws(FirestoreError) {
        let changes = try store.apply(event, waitsForDisk: false)
        readTime = max(readTime, event.snapshotVersion)
        for (id, delta) in event.targetChanges where limbo.lookup(id) != nil {
            if !delta.added.isEmpty { limbo.received(id, true) } else if !delta.removed.isEmpty { limbo.received(id, false) }
        }
        deliver(changes, event)
    }

    func rejectListen(_ id: TargetID, because error: FirestoreError) throws(FirestoreError) {
        if let lookup = limbo.lookup(id) {
            // The document cannot be read any more: it leaves the cache (SY-110).
            let event = RemoteEvent(
                snapshotVersion: .none, documents: [RemoteDocument(missing: lookup.key, at: .none)],
                resolvedLimboDocuments: [lookup.key])
            try applyRemoteEvent(event)
            perform(limbo.ended(id))
        } else {
            do throws(FirestoreError) { try store.release(id) } catch { settings.log("target \(id) could not be released: \(error)") }
            endTarget(id, because: error)
            sharing?.rejected(id, because: error)
        }
    }

    func acknowledge(_ answers: [AnsweredBatch], waitsForDisk: Bool) throws(FirestoreError) {
        let changes = try store.acknowledge(answers, waitsForDisk: waitsForDisk)
        for (answer, changes) in zip(answers, changes) {
            finished(answer.batch.id, .success(CommitResponse(commitTime: answer.commitTime, results: answer.results)))
            deliver(changes)
        }
    }

    func reject(_ batch: PendingBatch, because error: FirestoreError, stream: ByteSlice?) throws(FirestoreError) {
        let changes = try store.reject(
            batch, because: error, isKept: settings.failedWrites != .drop, streamToken: stream)
        if settings.failedWrites == .hold { holdsQueue = true }
        finished(batch.id, .failure(error))
        deliver(changes)
    }

    func rejectDoubtful(upTo last: BatchID, because error: FirestoreError) throws(FirestoreError) {
        let (rejected, changes) = try store.forgetStream(
            doubtfulUpTo: last, because: error, isKept: settings.failedWrites != .drop)
        if settings.failedWrites == .hold, !rejected.isEmpty { holdsQueue = true }
        for id in rejected { finished(id, .failure(error)) }
        deliver(changes)
    }

    /// A batch is acknowledged or rejected: its caller hears of it before any listener does (SY-61).
    func finished(_ id: BatchID, _ result: Result<CommitResponse, FirestoreError>) {
        handlers[id] = nil
        completions.removeValue(forKey: id)?(result)
        answerWaiters()
        onQueueChange?()
    }

    func onlineStateChanged(to state: OnlineState) {
        online = state
        let version = readTime
        var snapshots: [(number: Int, snapshot: SyncSnapshot)] = []
        for number in views.keys.sorted() {
            let snapshot = views[number]?.view.onlineStateChanged(isOffline: state == .offline, readTime: version)
            if let snapshot { snapshots.append((number, snapshot)) }
        }
        // Listeners that wait for their first event ask again (SY-114).
        var hasRaised = false
        for listener in listeners.all {
            let added = { [self] in viewOfQuery[listener.target].flatMap { views[$0]?.view.allAsAdded } ?? [] }
            if listener.conditionsChanged(state, added: added) { hasRaised = true }
        }
        if hasRaised { snapshotsAreInSync() }
        tell(snapshots)
        sharing?.onlineStateChanged(to: state)
        tellWhetherOffline()
    }

    func writeReachabilityChanged() {
        sharing?.onlineStateChanged(to: online)
        tellWhetherOffline()
    }

    func noteAttempt(_ batch: PendingBatch, _ error: FirestoreError) {
        do throws(FirestoreError) {
            try store.noteAttempt(batch.id, error: error)
        } catch {
            settings.log("an attempt to send a write could not be recorded: \(error)")
        }
        onQueueChange?()
    }

    func noteAnomaly(_ text: String) { settings.log(text) }
}
