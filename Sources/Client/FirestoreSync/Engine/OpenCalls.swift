// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The calls of users that wait: for the answer to their batch (SY-61), or for everything that was queued before them (SY-75).
struct OpenCalls {
    typealias Completion = (Result<CommitResponse, FirestoreError>) -> Void
    typealias Waiter = (Result<Void, FirestoreError>) -> Void

    private var completions: [BatchID: Completion] = [:]
    private var waiters: [(batch: BatchID, completion: Waiter)] = []

    /// The batches whose callers wait.
    var batches: Set<BatchID> { Set(completions.keys) }

    /// Whether calls wait for the queue.
    var areWaiting: Bool { !waiters.isEmpty }

    mutating func add(_ id: BatchID, _ completion: @escaping Completion) { completions[id] = completion }

    /// Adds a call that waits until no batch up to one is in the queue.
    mutating func wait(for id: BatchID, _ completion: @escaping Waiter) { waiters.append((id, completion)) }

    /// Takes the caller of a batch.
    mutating func take(_ id: BatchID) -> Completion? { completions.removeValue(forKey: id) }

    /// Takes the calls that wait for batches of a range.
    mutating func takeWaiters(_ range: some RangeExpression<BatchID>) -> [Waiter] {
        let taken = waiters.filter { range.contains($0.batch) }
        waiters.removeAll { range.contains($0.batch) }
        return taken.map(\.completion)
    }

    /// Ends all calls with an error, in the order of their batches.
    mutating func takeAll(_ error: FirestoreError) -> [() -> Void] {
        let callers = completions.sorted { $0.key < $1.key }.map { _, completion in { completion(.failure(error)) } }
        let calls = waiters.map { waiter in { waiter.completion(.failure(error)) } }
        self = OpenCalls()
        return callers + calls
    }
}
