// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension SyncEngine: RemoteSyncer {
    // MARK: Targets

    func wantedTarget(_ id: TargetID) -> TargetData? { streams.listenTargets[id] }

    func knownKeys(of id: TargetID) -> Set<DocumentKey> {
        if let lookup = limbo.lookup(id) { return lookup.hasReceived ? [lookup.key] : [] }
        return views.syncedDocuments(of: id)
    }

    func isKnown(_ key: DocumentKey, in id: TargetID) -> Bool {
        if let lookup = limbo.lookup(id) { return lookup.hasReceived && lookup.key == key }
        return views.isSynced(key, in: id)
    }

    func knownCount(of id: TargetID) -> Int {
        if let lookup = limbo.lookup(id) { return lookup.hasReceived ? 1 : 0 }
        return views.syncedCount(of: id)
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
            release(id)
            endTarget(id, because: error)
            notify(.rejected(id, error))
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
        for feature in features where try feature.take(batch, rejectedWith: error, stream: stream) { return }
        try rejectFinally(batch, because: error, stream: stream)
    }

    func rejectFinally(_ batch: PendingBatch, because error: FirestoreError, stream: ByteSlice? = nil) throws(FirestoreError) {
        let changes = try store.reject(batch, because: error, isRetained: retainsRejectedWrites, streamToken: stream)
        notify(.failing)
        finished(batch.id, .failure(error))
        deliver(changes)
    }

    private var retainsRejectedWrites: Bool { features.contains(where: \.retainsRejectedWrites) }

    func rejectDoubtful(upTo last: BatchID, because error: FirestoreError) throws(FirestoreError) {
        let (rejected, changes) = try store.forgetStream(doubtfulUpTo: last, because: error, isRetained: retainsRejectedWrites)
        if !rejected.isEmpty { notify(.failing) }
        for id in rejected { finished(id, .failure(error)) }
        deliver(changes)
    }

    // MARK: Batches

    var firstHeldBatch: BatchID? {
        var first = users.hold.batches.first
        for feature in features { if let held = feature.firstHeldBatch { first = min(first ?? held, held) } }
        return first
    }

    func maySend(_ batch: PendingBatch, behind inFlight: [PendingBatch]) -> Bool {
        features.allSatisfy { $0.maySend(batch, behind: inFlight) }
    }

    func request(of batch: PendingBatch) throws(FirestoreError) -> [Write] {
        for feature in features { if let writes = try feature.request(of: batch) { return writes } }
        return batch.writes
    }

    /// A batch is acknowledged or rejected: its caller is called before any listener is (SY-61).
    func finished(_ id: BatchID, _ result: Result<CommitResponse, FirestoreError>) {
        notify(.ended(id))
        calls.take(id)?(result)
        answerWaiters()
        observers.changed(.queue)
    }

    func onlineStateChanged(to state: OnlineState) {
        online = state
        var snapshots: [(number: Int, snapshot: SyncSnapshot)] = []
        for number in views.all {
            let snapshot = views.change(number) { [readTime] view in
                view.onlineStateChanged(isOffline: state == .offline, readTime: readTime)
            }
            if let snapshot = snapshot ?? nil { snapshots.append((number, snapshot)) }
        }
        // Listeners that wait for their first event ask again (SY-114).
        conditionsChanged(of: listeners.all)
        show(snapshots)
        reachabilityChanged()
    }

    /// What the first event of some listeners waits for may have changed.
    func conditionsChanged(of listeners: [SyncListener]) {
        var hasRaised = false
        for listener in listeners {
            if listener.conditionsChanged(online, added: { views.entry(of: listener.target)?.view.allAsAdded ?? [] }) { hasRaised = true }
        }
        if hasRaised { snapshotsAreInSync() }
    }

    var viewsAreOffline: Bool { online == .offline }

    func reachabilityChanged() {
        notify(.reachabilityChanged)
        noteReachability()
    }

    func streamsEnded() { notify(.streamsEnded) }

    func noteAttempt(_ batch: PendingBatch, _ error: FirestoreError) {
        do throws(FirestoreError) {
            try store.noteAttempt(batch.id, error: error)
        } catch {
            settings.log("an attempt to send a write could not be recorded: \(error)")
        }
        observers.changed(.queue)
    }

    func noteAnomaly(_ text: String) { settings.log(text) }
}
