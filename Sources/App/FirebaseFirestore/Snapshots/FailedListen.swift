// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The handle of a listener that is called once, with an error, unless it is removed before.
final class FailedListen: ListenHandle {
    private let removed = Mutex(false)

    var isRemoved: Bool { removed.withLock { $0 } }

    func remove() { removed.withLock { $0 = true } }
}
