// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

/// Waits for asynchronous work on a thread that does not belong to Swift concurrency.
enum Blocking {
    /// Blocks the calling thread, which must belong to a dispatch queue: the work runs on the threads of Swift
    /// concurrency and does not need it.
    static func wait<Value: Sendable>(
        for work: @escaping @Sendable () async throws(FirestoreError) -> Value
    ) throws(FirestoreError) -> Value {
        let result = WaitingResult<Value>()
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do throws(FirestoreError) {
                result.set(.success(try await work()))
            } catch {
                result.set(.failure(error))
            }
            done.signal()
        }
        done.wait()
        return try result.take()
    }
}

/// Hands one result from a task to the thread that waits for it.
private final class WaitingResult<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, FirestoreError>?>(nil)

    func set(_ value: Result<Value, FirestoreError>) { result.withLock { $0 = value } }

    func take() throws(FirestoreError) -> Value {
        guard let result = result.withLock({ $0 }) else {
            throw FirestoreError(.internal, "a wait ended before its work")
        }
        return try result.get()
    }
}
