// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

/// Holds a database still: what is submitted meanwhile waits, and becomes durable together.
final class DatabaseHold: Sendable {
    private let gate = DispatchSemaphore(value: 0)

    init(_ database: any DocumentService) async throws {
        await withCheckedContinuation { continuation in
            // An empty commit changes nothing; its completion runs on the database's thread.
            database.submit([], context: .embedded) { [gate] _ in
                continuation.resume()
                gate.wait()
            }
        }
    }

    func release() { gate.signal() }
}
