// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension SyncEngine {
    /// One call that writes.
    package struct WriteCall {
        package var writes: [Write]
        /// Called when the batch is stored.
        package var saved: (BatchID) -> Void
        /// Called when it is acknowledged or rejected; if it cannot be stored, with the error.
        package var completion: (Result<CommitResponse, FirestoreError>) -> Void

        package init(
            writes: [Write], saved: @escaping (BatchID) -> Void = { _ in },
            completion: @escaping (Result<CommitResponse, FirestoreError>) -> Void
        ) {
            self.writes = writes
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
        let full = calls.filter { !$0.writes.isEmpty }
        // A batch without writes is not queued (SY-30).
        for call in calls where call.writes.isEmpty { call.completion(.success(CommitResponse(commitTime: .none, results: []))) }
        guard !full.isEmpty else { return }
        let results: [LocalWriteResult]
        do throws(FirestoreError) {
            results = try store.write(full.map(\.writes))
        } catch {
            var error = error
            error.message = "the write could not be stored in the cache: " + error.message
            for call in full { call.completion(.failure(error)) }
            return
        }
        for (call, result) in zip(full, results) {
            completions[result.batch.id] = call.completion
            call.saved(result.batch.id)
            deliver(result.changes)
        }
        streams.fillPipeline()
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
