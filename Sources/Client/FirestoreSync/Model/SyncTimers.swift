// SPDX-License-Identifier: Apache-2.0

/// Work of the engine that waits for a time. Features declare timers of their own in extensions.
package struct SyncTimer: Hashable, Sendable {
    package let name: String

    package init(_ name: String) { self.name = name }

    package static let listenIdle = SyncTimer("listenIdle")
    package static let listenBackoff = SyncTimer("listenBackoff")
    package static let writeIdle = SyncTimer("writeIdle")
    package static let writeBackoff = SyncTimer("writeBackoff")
    /// The first answer of the server takes too long (SY-113).
    package static let onlineState = SyncTimer("onlineState")
    /// The Write stream takes too long to open.
    package static let writeState = SyncTimer("writeState")
    /// The store failed; it is tried again (SY-159).
    package static let storeRetry = SyncTimer("storeRetry")
}

/// Starts the engine's timers. At most one of each kind runs; starting it again replaces it.
package protocol SyncTimers {
    /// Calls `SyncEngine.fire(timer)` on the engine's queue after a time.
    func start(_ timer: SyncTimer, after delay: Duration)
    func cancel(_ timer: SyncTimer)
    func cancelAll()
}
