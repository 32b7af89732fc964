// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import Foundation

/// Runs work of all connections and streams on a bounded number of threads, in the order in which it arrives.
///
/// A queue for each connection or stream would have a thread for each that is busy, hundreds of them.
package final class WorkThreads: Sendable {
    /// The threads that calls and streams of this process share. Several for each core, because a call may wait for the disk.
    package static let shared = WorkThreads(count: max(16, 4 * ProcessInfo.processInfo.activeProcessorCount))

    private struct State {
        /// In reverse order once some were taken: the next one is the last of `next`.
        var next: [@Sendable () -> Void] = []
        var later: [@Sendable () -> Void] = []
        var running = 0
    }

    private let count: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "hearth.work", qos: .userInitiated, attributes: .concurrent)

    package init(count: Int) { self.count = count }

    package func run(_ work: @escaping @Sendable () -> Void) {
        let needsThread = state.withLock { state in
            state.later.append(work)
            guard state.running < count else { return false }
            state.running += 1
            return true
        }
        if needsThread { queue.async { self.runAll() } }
    }

    /// The threads that are busy.
    package var busy: Int { state.withLock { $0.running } }

    private func runAll() {
        while let work = next() { work() }
    }

    /// nil, and from then on another thread has to be started, if there is none.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if state.next.isEmpty {
                state.next = state.later.reversed()
                state.later.removeAll(keepingCapacity: true)
            }
            guard let work = state.next.popLast() else {
                state.running -= 1
                return nil
            }
            return work
        }
    }
}
