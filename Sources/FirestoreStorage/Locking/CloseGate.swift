// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

/// Lets operations in until it closes, and closes when the last one is out.
final class CloseGate: Sendable {
    private let isClosed = Mutex(false)
    private let inside = DispatchGroup()

    /// Whoever got in must `leave`.
    func enter() throws(FirestoreError) {
        let isOpen = isClosed.withLock { isClosed in
            if !isClosed { inside.enter() }
            return !isClosed
        }
        guard isOpen else { throw FirestoreError(.failedPrecondition, "the database is closed; open it again") }
    }

    func leave() { inside.leave() }

    /// Waits for everybody inside; false if it was closed before.
    func close() -> Bool {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        inside.wait()
        return isFirst
    }
}
