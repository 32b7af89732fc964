// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

/// The reads of this store that are in progress, for the writer, which may wait for them and for no other process's (decision 25).
final class RunningReads: Sendable {
    private struct State {
        var last: UInt64 = 0
        /// At most one for each connection that reads.
        var running: [UInt64] = []
        /// The reads that the writer waits for.
        var awaited: [UInt64] = []
        var waiter: DispatchSemaphore?
        var waits = 0
    }

    private let state = Mutex(State())

    /// Call `end` with the result.
    func begin() -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.running.append(state.last)
            return state.last
        }
    }

    func end(_ read: UInt64) {
        let waiter = state.withLock { state -> DispatchSemaphore? in
            if let index = state.running.firstIndex(of: read) { state.running.swapRemove(at: index) }
            guard state.waiter != nil, let index = state.awaited.firstIndex(of: read) else { return nil }
            state.awaited.swapRemove(at: index)
            return state.awaited.isEmpty ? state.waiter.take() : nil
        }
        waiter?.signal()
    }

    /// Waits until the reads in progress have ended; later ones are not waited for. Returns false if one of them lasts longer. Only the
    /// writer calls it.
    func wait(until deadline: DispatchTime) -> Bool {
        let semaphore = DispatchSemaphore(value: 0)
        let isIdle = state.withLock { state in
            state.awaited = state.running
            state.waiter = state.awaited.isEmpty ? nil : semaphore
            if state.waiter != nil { state.waits += 1 }
            return state.awaited.isEmpty
        }
        if isIdle || semaphore.wait(timeout: deadline) == .success { return true }
        return state.withLock { state in
            state.waiter = nil
            return state.awaited.isEmpty
        }
    }

    /// How often the writer has waited.
    var waits: Int { state.withLock { $0.waits } }

    var isAwaited: Bool { state.withLock { $0.waiter != nil } }
}

extension Array {
    fileprivate mutating func swapRemove(at index: Int) {
        swapAt(index, count - 1)
        removeLast()
    }
}
