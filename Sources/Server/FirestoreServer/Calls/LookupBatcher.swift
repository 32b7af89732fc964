// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

/// Runs short pieces of work off the connections' loops: pieces that gather while one runs cost no further hop.
///
/// A single piece runs immediately on the thread that submits it, where the gate allows it (`InlineGate`).
final class LookupBatcher: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var running = 0
        var gate = InlineGate()
    }

    private let threads: Int
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "hearth.calls", qos: .userInitiated, attributes: .concurrent)

    /// `now`: nanoseconds of a monotonic clock.
    init(threads: Int, now: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }) {
        self.threads = max(1, threads)
        self.now = now
    }

    func run(_ work: @escaping @Sendable () -> Void) {
        let start = now()
        let (isAlone, needsThread) = state.withLock { state -> (Bool, Bool) in
            if state.gate.admits(at: start), state.running == 0 {
                state.running = 1
                return (true, false)
            }
            state.waiting.append(work)
            guard state.running < threads else { return (false, false) }
            state.running += 1
            return (false, true)
        }
        if needsThread { queue.async { self.runAll() } }
        guard isAlone else { return }
        work()
        let end = now()
        let hasMore = state.withLock { state in
            state.gate.ended(start, end)
            if state.waiting.isEmpty { state.running -= 1 }
            return !state.waiting.isEmpty
        }
        // Pieces submitted meanwhile continue instead of this one.
        if hasMore { queue.async { self.runAll() } }
    }

    /// Whether nothing is running.
    var isIdle: Bool { state.withLock { $0.running == 0 } }

    private func runAll() {
        while true {
            let batch = state.withLock { state -> [@Sendable () -> Void] in
                if state.waiting.isEmpty { state.running -= 1 }
                defer { state.waiting = [] }
                return state.waiting
            }
            guard !batch.isEmpty else { return }
            for work in batch { work() }
        }
    }
}
