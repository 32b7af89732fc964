// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension SyncEngine {
    /// One call that writes.
    package struct WriteCall {
        let writes: [Write]
        let option: (any WriteOption)?
        /// Called when the batch is stored.
        var saved: (BatchID) -> Void
        /// Called when it is acknowledged or rejected; if it cannot be stored, with the error.
        let completion: (Result<CommitResponse, FirestoreError>) -> Void

        package init(
            writes: [Write], option: (any WriteOption)? = nil, saved: @escaping (BatchID) -> Void = { _ in },
            completion: @escaping (Result<CommitResponse, FirestoreError>) -> Void
        ) {
            self.writes = writes
            self.option = option
            self.saved = saved
            self.completion = completion
        }
    }

    /// Queues the writes of one call.
    package func write(
        _ writes: [Write], saved: @escaping (BatchID) -> Void = { _ in },
        completion: @escaping (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        write([WriteCall(writes: writes, saved: saved, completion: completion)])
    }

    /// Queues the writes of several calls in one transaction of the store (SY-31, SY-32).
    package func write(_ calls: [WriteCall]) {
        let calls = admitted(calls)
        guard !calls.isEmpty else { return }
        if let error = users.missing(store.user) { return calls.forEach { $0.completion(.failure(error)) } }
        let isHeld = users.holdsNewWrites(of: store.ownUser)
        let isSentAtOnce = !isHeld && streams.sendsAtOnce(calls.count)
        let results: [LocalWriteResult]
        do throws(FirestoreError) {
            results = try store.write(calls.map(\.writes), options: calls.map(\.option), isSentAtOnce: isSentAtOnce)
        } catch {
            var error = error
            error.message = "the write could not be stored in the cache: " + error.message
            for call in calls { call.completion(.failure(error)) }
            return
        }
        if isHeld { for result in results { users.hold.add(result.batch.id) } }
        for (call, result) in zip(calls, results) {
            if let option = call.option { notify(.queued(result.batch.id, option)) }
            self.calls.add(result.batch.id, call.completion)
            call.saved(result.batch.id)
            deliver(result.changes)
        }
        observers.changed(.queue)
        streams.queued(results.map(\.batch), areRecorded: isSentAtOnce)
    }

    /// The calls that are queued. What no server would take is rejected now: in the queue it would block what is behind it (SY-70).
    private func admitted(_ calls: [WriteCall]) -> [WriteCall] {
        calls.filter { call in
            guard !call.writes.isEmpty else {
                // A batch without writes is not queued (SY-30).
                call.completion(.success(CommitResponse(commitTime: .none, results: [])))
                return false
            }
            do throws(FirestoreError) {
                try BatchCheck.check(call.writes, in: store.databaseID)
                return true
            } catch {
                call.completion(.failure(error))
                return false
            }
        }
    }

    /// Calls back when everything queued now is acknowledged or rejected (SY-75).
    package func waitForPendingWrites(_ completion: @escaping (Result<Void, FirestoreError>) -> Void) {
        do throws(FirestoreError) {
            guard let highest = try store.highestBatchID() else { return completion(.success(())) }
            calls.wait(for: highest, completion)
        } catch {
            completion(.failure(error))
        }
    }
}

extension SyncEngine {
    // MARK: The queue

    /// Removes a batch that was not sent, and its effect. Fails if it is in flight or not in the queue. If another process sends the
    /// writes of the cache, it decides.
    package func cancel(_ id: BatchID, completion: @escaping (Result<Void, FirestoreError>) -> Void) {
        if let arbiter { return arbiter.cancel(id, completion) }
        completion(Result { () throws(FirestoreError) in try cancel(id) })
    }

    /// Removes a batch that this process, which sends the writes, has not sent.
    package func cancel(_ id: BatchID) throws(FirestoreError) {
        guard try store.isPending(id) else { throw .noPendingWrite(id) }
        // A batch that was rejected, and that a feature has taken, is not applied.
        guard features.contains(where: { $0.holds(id) }) || id > streams.outgoing.doubtful else { throw .wasSent(id) }
        let changes = try store.cancel(id)
        streams.outgoing.remove(id)
        finished(id, .failure(.canceledWrite))
        deliver(changes)
        streams.fillPipeline()
    }

    /// The batches in flight.
    var sentBatches: Set<BatchID> { streams.outgoing.inFlight }

    /// Whether a batch is in flight.
    package func isSent(_ id: BatchID) -> Bool { sentBatches.contains(id) }

    /// Completes the calls whose batches have all left the queue. Batches do not always leave it in order.
    func answerWaiters() {
        guard calls.areWaiting else { return }
        do throws(FirestoreError) {
            answerWaiters(upTo: try store.lowestBatchID().map { $0 - 1 } ?? .max)
        } catch {
            streams.retryLater { [weak self] (_) throws(FirestoreError) in
                guard let self else { return }
                answerWaiters(upTo: try store.lowestBatchID().map { $0 - 1 } ?? .max)
            }
        }
    }

    /// Completes the calls that waited for a batch, once it has left the queue.
    func answerWaiters(upTo id: BatchID) {
        for waiter in calls.takeWaiters(...id) { waiter(.success(())) }
    }
}

extension FirestoreError {
    static func noPendingWrite(_ id: BatchID) -> FirestoreError {
        FirestoreError(.notFound, "there is no pending write \(id); it has been answered, or was canceled before")
    }

    static func wasSent(_ id: BatchID) -> FirestoreError {
        FirestoreError(.failedPrecondition, "write \(id) was sent to the server; wait for the answer")
    }
}
