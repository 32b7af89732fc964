// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

/// Runs what waits for a disk or a database on a thread that may wait.
enum Blocking {
    static func run<R: Sendable>(_ body: @escaping @Sendable () throws(FirestoreError) -> R) async throws(FirestoreError) -> R {
        let result: Result<R, FirestoreError> = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }

    static func run<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { continuation.resume(returning: body()) }
        }
    }
}
