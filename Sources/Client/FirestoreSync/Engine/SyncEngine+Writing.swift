// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension SyncEngine {
    /// One call that writes.
    package struct WriteCall {
        package var writes: [Write]
        package var rule: ConflictRule
        /// Called when the batch is stored.
        package var saved: (BatchID) -> Void
        /// Called when it is acknowledged or rejected; if it cannot be stored, with the error.
        package var completion: (Result<CommitResponse, FirestoreError>) -> Void

        package init(
            writes: [Write], onConflict rule: ConflictRule = .lastWriteWins, saved: @escaping (BatchID) -> Void = { _ in },
            completion: @escaping (Result<CommitResponse, FirestoreError>) -> Void
        ) {
            self.writes = writes
            self.rule = rule
            self.saved = saved
            self.completion = completion
        }
    }

    /// Queues the writes of one call.
    package func write(
        _ writes: [Write], onConflict rule: ConflictRule = .lastWriteWins, saved: @escaping (BatchID) -> Void = { _ in },
        completion: @escaping (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        write([WriteCall(writes: writes, onConflict: rule, saved: saved, completion: completion)])
    }

    /// Queues the writes of several calls in one transaction of the store (SY-31, SY-32). What no server would take is refused:
    /// in the queue it would hold up what is behind it (SY-70).
    package func write(_ calls: [WriteCall]) {
        let full = calls.filter { call in
            do throws(FirestoreError) {
                try BatchCheck.check(call.writes, in: database)
                return !call.writes.isEmpty
            } catch {
                call.completion(.failure(error))
                return false
            }
        }
        // A batch without writes is not queued (SY-30).
        for call in calls where call.writes.isEmpty { call.completion(.success(CommitResponse(commitTime: .none, results: []))) }
        guard !full.isEmpty else { return }
        if let error = userIsMissing() {
            for call in full { call.completion(.failure(error)) }
            return
        }
        let isHeld = holdsNewWrites
        let isSentAtOnce = !isHeld && streams.sendsAtOnce(full.count)
        let results: [LocalWriteResult]
        do throws(FirestoreError) {
            results = try store.write(
                full.map(\.writes), keepingBasesOf: Set(full.indices.filter { full[$0].rule.requiresUnchanged }),
                isSentAtOnce: isSentAtOnce)
        } catch {
            var error = error
            error.message = "the write could not be stored in the cache: " + error.message
            for call in full { call.completion(.failure(error)) }
            return
        }
        if isHeld { for result in results { signInHold.add(result.batch.id) } }
        for (call, result) in zip(full, results) {
            if let handler = call.rule.handler { handlers[result.batch.id] = handler }
            completions[result.batch.id] = call.completion
            call.saved(result.batch.id)
            deliver(result.changes)
        }
        onQueueChange?()
        streams.queued(results.map(\.batch), areRecorded: isSentAtOnce)
    }

    /// Calls back when everything queued now is acknowledged or rejected (SY-75).
    package func waitForPendingWrites(_ completion: @escaping (Result<Void, FirestoreError>) -> Void) {
        do throws(FirestoreError) {
            guard let highest = try store.highestBatchID() else { return completion(.success(())) }
            waiters.append((highest, completion))
        } catch {
            completion(.failure(error))
        }
    }
}

extension SyncEngine {
    // MARK: The queue

    /// Removes a batch that was not sent, and its effect. Fails if it is on its way or not in the queue. If another process sends the
    /// writes of the cache, it decides.
    package func cancel(_ id: BatchID, completion: @escaping (Result<Void, FirestoreError>) -> Void) {
        if let sharing { return sharing.cancel(id, completion) }
        completion(Result { () throws(FirestoreError) in try cancel(id) })
    }

    /// The same in the process that sends.
    package func cancel(_ id: BatchID) throws(FirestoreError) {
        guard try store.isPending(id) else { throw .noPendingWrite(id) }
        // Refused and not decided about, it is not applied.
        let isRefused = conflict?.batch.id == id
        guard isRefused || id > streams.outgoing.doubtful else { throw .wasSent(id) }
        let changes = try store.cancel(id)
        streams.outgoing.remove(id)
        if isRefused { forgetConflict() }
        handlers[id] = nil
        completions.removeValue(forKey: id)?(.failure(.canceledWrite))
        answerWaiters()
        deliver(changes)
        onQueueChange?()
        streams.fillPipeline()
    }

    /// Puts the writes of a failed batch at the end of the queue. Returns the number of the new batch.
    package func retryFailed(_ id: BatchID) throws(FirestoreError) -> BatchID {
        if let error = userIsMissing() { throw error }
        guard let result = try store.retryFailed(id) else { throw .noFailedWrite(id) }
        deliver(result.changes)
        decidedAboutFailure()
        return result.batch.id
    }

    package func dismissFailed(_ id: BatchID) throws(FirestoreError) {
        guard try store.failedWrites(id) != nil else { throw .noFailedWrite(id) }
        try store.dismissFailed(id)
        decidedAboutFailure()
    }

    /// The queue may be free to go on.
    private func decidedAboutFailure() {
        onQueueChange?()
        streams.retry { [weak self] (streams) throws(FirestoreError) in
            try self?.loadHold()
            streams.fillPipeline()
        }
    }

    /// Sends now, without waiting for the next attempt.
    package func retryNow() { streams.retryNow() }

    var sentBatches: Set<BatchID> { streams.outgoing.inFlight }

    /// Whether a batch is on its way to the authority.
    package func isSent(_ id: BatchID) -> Bool { streams.outgoing.inFlight.contains(id) }

    /// Answers calls that wait for batches which are no longer in the queue. They do not always end in their order.
    func answerWaiters() {
        guard !waiters.isEmpty else { return }
        do throws(FirestoreError) {
            answerWaiters(upTo: try store.lowestBatchID().map { $0 - 1 } ?? .max)
        } catch {
            streams.retryLater { [weak self] (_) throws(FirestoreError) in
                guard let self else { return }
                answerWaiters(upTo: try store.lowestBatchID().map { $0 - 1 } ?? .max)
            }
        }
    }

    /// The user has changed, and the cache is still that of the one before: what is written now must not be queued there.
    private func userIsMissing() -> FirestoreError? {
        guard let wantedUser, wantedUser != store.user else { return nil }
        return FirestoreError(.unavailable, "the cache could not be changed to the user who is signed in now; try again later")
    }

    /// Answers calls that waited for a batch which is no longer in the queue.
    func answerWaiters(upTo id: BatchID) {
        let done = waiters.filter { $0.batch <= id }
        waiters.removeAll { $0.batch <= id }
        for waiter in done { waiter.completion(.success(())) }
    }
}

extension FirestoreError {
    static func noPendingWrite(_ id: BatchID) -> FirestoreError {
        FirestoreError(.notFound, "there is no pending write \(id); it has been answered, or was canceled before")
    }

    static func wasSent(_ id: BatchID) -> FirestoreError {
        FirestoreError(.failedPrecondition, "write \(id) was sent to the server; wait for the answer")
    }

    fileprivate static func noFailedWrite(_ id: BatchID) -> FirestoreError {
        FirestoreError(.notFound, "there is no failed write \(id); it was retried, dismissed, or is older than 30 days")
    }
}
