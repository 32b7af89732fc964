// SPDX-License-Identifier: Apache-2.0

/// A watch handle that gets its watch later, or is canceled before.
package final class DeferredWatchHandle: WatchHandle {
    private struct State {
        var handle: (any WatchHandle)?
        var isCancelled = false
    }

    private let state = Mutex(State())

    package init() {}

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Connects the handle to its watch, which is canceled immediately if the handle was.
    package func attach(_ handle: any WatchHandle) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.handle = handle }
            return state.isCancelled
        }
        if isCancelled { handle.cancel() }
    }

    package func cancel() {
        let handle = state.withLock { state in
            state.isCancelled = true
            return state.handle.take()
        }
        handle?.cancel()
    }
}
