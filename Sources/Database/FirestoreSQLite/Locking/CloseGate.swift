// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

/// Admits operations until it closes. Closing waits for the last one to leave.
final class CloseGate: Sendable {
    private let isClosed = Mutex(false)
    private let inside = DispatchGroup()

    /// Every successful call must be followed by `leave`.
    func enter() throws(FirestoreError) {
        let isOpen = isClosed.withLock { isClosed in
            if !isClosed { inside.enter() }
            return !isClosed
        }
        guard isOpen else { throw FirestoreError(.failedPrecondition, "the database is closed; open it again") }
    }

    func leave() { inside.leave() }

    /// Waits for all operations inside; returns false if it was closed before.
    func close() -> Bool {
        let isFirst = isClosed.setOnce()
        inside.wait()
        return isFirst
    }
}
