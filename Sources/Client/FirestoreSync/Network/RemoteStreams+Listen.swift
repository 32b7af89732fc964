// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

extension RemoteStreams {
    var needsListenStream: Bool { canUseNetwork && !listenStream.isStarted && !listenTargets.isEmpty }

    // MARK: Targets

    func listen(to target: TargetData) {
        guard listenTargets[target.targetID] == nil else { return }
        listenTargets[target.targetID] = target
        if needsListenStream {
            startListenStream()
        } else if listenStream.link != nil {
            request(target)
        }
    }

    func unlisten(_ id: TargetID) {
        guard listenTargets.removeValue(forKey: id) != nil else { return }
        if listenStream.link != nil { withdraw(id) }
        guard listenTargets.isEmpty else { return }
        if listenStream.link != nil {
            if listenStream.markIdle() { timers.start(.listenIdle, after: settings.idle) }
        } else if canUseNetwork {
            perform(onlineState.set(.unknown))
        }
    }

    private func request(_ target: TargetData) {
        aggregator?.requested(target.targetID)
        evidence.requested(target, newest: (try? store.lastSnapshotVersion()) ?? .none)
        send(target.request(in: database, knownCount: syncer.knownCount(of: target.targetID)))
    }

    private func withdraw(_ id: TargetID) {
        aggregator?.requested(id)
        evidence.withdrawn(id)
        send(ListenRequest(database: database, change: .remove(targetID: id)))
    }

    private func send(_ request: ListenRequest) {
        if listenStream.isUsed() { timers.cancel(.listenIdle) }
        listenStream.link?.send(request)
    }

    // MARK: The stream

    func startListenStream() {
        aggregator = WatchAggregator(database: database, knowledge: syncer)
        if let delay = listenStream.start(now: settings.now()) {
            timers.start(.listenBackoff, after: delay)
        } else {
            openListenStream()
        }
        perform(onlineState.streamStarted())
    }

    func openListenStream() {
        let number = listenStream.nextNumber()
        evidence = ContinuationEvidence()
        listenStream.opened(entrance.openListen(number), now: settings.now())
        syncer.listenStreamOpened()
        for target in listenTargets.values.sorted(by: { $0.targetID < $1.targetID }) { request(target) }
        // Nothing may be left of what the stream was to be opened for.
        if listenTargets.isEmpty, listenStream.markIdle() { timers.start(.listenIdle, after: settings.idle) }
    }

    func stopListenStream(keepingRejection: Bool = false) {
        timers.cancel(.listenBackoff)
        timers.cancel(.listenIdle)
        let wasStarted = listenStream.isStarted
        listenStream.stop(keepingRejection: keepingRejection)?.close()
        aggregator = nil
        // A rejected stream that continues to wait is as far from the server as before.
        if wasStarted, !listenStream.wasRejected { perform(onlineState.set(.unknown)) }
    }

    func closeIdleListenStream() { stopListenStream() }

    /// An event of a stream; nothing happens if it is not the present one.
    func listenStream(_ number: Int, _ event: ListenStreamEvent) {
        guard number == listenStream.number, listenStream.link != nil else { return }
        switch event {
        case .response(let response): received(response)
        case .ended(let error): listenStreamEnded(error)
        }
    }

    private func listenStreamEnded(_ error: FirestoreError?) {
        let isRejected = error?.code == .unauthenticated
        // The next attempt has other credentials and shows whether the server is reached.
        let isFirstRejection = isRejected && !listenStream.wasRejected
        listenStream.failed(error)
        timers.cancel(.listenIdle)
        aggregator = nil
        if isRejected { transport.invalidateCredentials() }
        if needsListenStream {
            perform(isFirstRejection ? onlineState.set(.unknown) : onlineState.streamFailed())
            startListenStream()
        } else {
            perform(onlineState.set(.unknown))
        }
    }

    // MARK: Frames

    private func received(_ response: ListenResponse) {
        listenStream.succeeded()
        perform(onlineState.set(.online))
        switch response {
        case .documentChange(_, let document, let targets, let removedFrom):
            aggregator?.changed(document, matching: targets, notMatching: removedFrom)
        case .documentDelete(_, let key, let removedFrom, let readTime):
            aggregator?.deleted(key, at: readTime ?? .none, notMatching: removedFrom)
        case .documentRemove(_, let key, let removedFrom, _):
            aggregator?.removed(key, notMatching: removedFrom)
        case .filter(let filter):
            aggregator?.filtered(filter)
        case .targetChange(let change):
            evidence.changed(change)
            if change.kind == .remove, let cause = change.cause {
                recoverably(.report) { (streams) throws(FirestoreError) in try streams.targetsFailed(change.targets, because: cause) }
                return
            }
            followHistory(of: change.resumeToken)
            aggregator?.changed(change)
            for id in aggregator?.takeDropped() ?? [] { if let target = listenTargets[id] { request(target) } }
            if let version = change.snapshotTime {
                recoverably(.report) { (streams) throws(FirestoreError) in try streams.raiseSnapshot(at: version) }
            }
        }
        for anomaly in aggregator?.takeAnomalies() ?? [] { syncer.noteAnomaly(anomaly) }
    }

    /// The tokens of a server that is Hearth say which history of its database it reports.
    private func followHistory(of token: ByteSlice) {
        guard let next = FollowedHistory(token), next != store.followed else { return }
        let isSame = next.history == store.followedHistory
        let verdict = isSame ? evidence.verdict : .differs
        // A target that is being resumed decides it soon.
        evidence.isUndecided = verdict == .open
        if evidence.isUndecided { return }
        recoverably(.report) { (streams) throws(FirestoreError) in
            guard try streams.store.follow(next, isContinued: verdict == .continues) else { return }
            streams.syncer.noteAnomaly("the server's database was restored from a copy; the cache is filled anew")
            // The server has done the same with those that it knew from before.
            for id in streams.listenTargets.keys { streams.listenTargets[id]?.forgetState() }
        }
    }

    /// A target-level error: the only one that ends a listener (SY-116).
    private func targetsFailed(_ ids: [TargetID], because error: FirestoreError) throws(FirestoreError) {
        for id in ids {
            guard listenTargets[id] != nil else {
                // It has crossed the request that withdraws the target, which may get no answer of its own.
                aggregator?.removeTarget(id)
                continue
            }
            // It is about an earlier use of the id.
            if aggregator?.endsEarlierUse(id) == true { continue }
            try syncer.rejectListen(id, because: error)
            listenTargets[id] = nil
            aggregator?.removeTarget(id)
        }
    }

    private func raiseSnapshot(at version: DocumentVersion) throws(FirestoreError) {
        // An older snapshot is not raised; its changes wait for a newer one (SY-94).
        guard !evidence.isUndecided, try version >= store.lastSnapshotVersion(), let event = aggregator?.takeEvent(at: version)
        else { return }
        // The key set was wrong: ask again, from the beginning (SY-106).
        for (id, purpose) in event.mismatchedTargets.sorted(by: { $0.key < $1.key }) {
            guard let target = listenTargets[id] else { continue }
            listenTargets[id]?.resumeToken = .empty
            listenTargets[id]?.snapshotVersion = .none
            withdraw(id)
            request(TargetData(target: target.target, targetID: id, purpose: purpose, sequenceNumber: target.sequenceNumber))
        }
        try syncer.applyRemoteEvent(event)
        // Not before: with these tokens the server leaves out what the event contains.
        for (id, delta) in event.targetChanges where !delta.resumeToken.isEmpty && event.mismatchedTargets[id] == nil {
            listenTargets[id]?.resumeToken = delta.resumeToken
            listenTargets[id]?.snapshotVersion = version
        }
    }
}
