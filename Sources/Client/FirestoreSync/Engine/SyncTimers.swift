// SPDX-License-Identifier: Apache-2.0

/// Work of the engine that waits for a time.
package enum SyncTimer: Hashable, Sendable, CaseIterable {
    case listenIdle, listenBackoff
    case writeIdle, writeBackoff
    /// The first answer of the server takes too long (SY-113).
    case onlineState
    /// The Write stream takes too long to open.
    case writeState
    /// The store failed; it is tried again (SY-159).
    case storeRetry
    case garbageCollection
    /// A pin is fetched again.
    case pinRefresh
    /// The documents of a refused write are read again.
    case conflictLookup
    /// Reads have waited long enough for the authority to report acknowledged writes.
    case confirmation
}

/// Starts the engine's timers. At most one of each kind runs; starting it again replaces it.
package protocol SyncTimers {
    /// Calls `SyncEngine.fire(timer)` on the engine's queue after a time.
    func start(_ timer: SyncTimer, after delay: Duration)
    func cancel(_ timer: SyncTimer)
}
