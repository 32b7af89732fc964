// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

/// Runs short pieces of work off the connections' loops: pieces that gather while one runs cost no further hop.
///
/// A single piece runs at once on the thread that submits it: with one call at a time, two thread switches cost more than the work.
/// This applies only while pieces are quick. A disk that delays readers must not block a loop, so after a slow piece the next ones
/// run on the threads for a while (decision 22).
final class CallWorker: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var running = 0
        /// When the last piece was submitted, and when one was last found to be slow, in nanoseconds.
        var lastCame: UInt64 = 0
        var calmUntil: UInt64 = 0
    }

    /// A piece counts as single if none was submitted within this time before: 100 µs.
    static let gap: UInt64 = 100_000
    /// A piece that takes longer than 500 µs is slow…
    static let quick: UInt64 = 500_000
    /// …and for a second after it nothing runs at once.
    static let caution: UInt64 = 1_000_000_000

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
            defer { state.lastCame = start }
            if state.running == 0, start > state.lastCame + Self.gap, start >= state.calmUntil {
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
            if end > start + Self.quick { state.calmUntil = end + Self.caution }
            if state.waiting.isEmpty { state.running -= 1 }
            return !state.waiting.isEmpty
        }
        // Pieces submitted meanwhile continue in the place of this one.
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
