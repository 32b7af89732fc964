// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreClient
import FirestoreCore

extension Firestore {
    /// Runs a read; `terminate` waits for it from this call on.
    nonisolated(nonsending) func reading<Value: Sendable>(
        _ read: @escaping @Sendable (any ClientBackend) async throws -> Value
    ) async throws -> Value {
        try await begin(read)()
    }

    /// Runs a read and delivers its result on the callback queue; `terminate` waits for it from this call on.
    ///
    /// With a cache the read has entered the queue of the client when this returns: what the app writes next is not part of its answer.
    func deliver<Value: Sendable>(
        _ callback: UserCallback<Result<Value, any Error>>, _ read: @escaping @Sendable (any ClientBackend) async throws -> Value
    ) {
        let queue = callbackQueue
        let run = begin(read)
        let deliver: @Sendable () async -> Void = {
            let result: Result<Value, any Error>
            do {
                result = .success(try await run())
            } catch {
                result = .failure(error)
            }
            callback.call(on: queue, result)
        }
        if let backend = try? backend(), backend.queue != nil { Task.immediate(operation: deliver) } else { Task(operation: deliver) }
    }

    /// Registers a read, which the returned closure runs.
    private func begin<Value: Sendable>(
        _ read: @escaping @Sendable (any ClientBackend) async throws -> Value
    ) -> @Sendable () async throws -> Value {
        let ticket = reads.issued()
        // In this order: `shutDown` first rejects new reads, then waits for the registered ones.
        let isRejected = isTerminated
        return { [self] in
            defer { reads.finished(ticket) }
            do {
                if isRejected { throw Self.terminated }
                return try await read(try backend(isAdmitted: true))
            } catch {
                throw publicForm(of: error)
            }
        }
    }
}
