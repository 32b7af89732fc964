// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

/// Decides whether a piece of work runs inline, on the thread on which it arises: with one piece at a time, a thread switch costs
/// more than the work.
///
/// Only while pieces are few and quick. A disk that delays readers must not block a connection's loop, so after a slow piece the next
/// ones run on other threads for a while (decision 22).
struct InlineGate {
    /// A piece is considered single if none came within this time before: 100 µs.
    static let gap: UInt64 = 100_000
    /// A piece that takes longer than 500 µs is slow…
    static let quick: UInt64 = 500_000
    /// …and for a second after it nothing runs inline.
    static let caution: UInt64 = 1_000_000_000

    /// When the last piece came, and until when nothing runs inline because one was slow, in nanoseconds.
    private var lastCame: UInt64 = 0
    private var calmUntil: UInt64 = 0

    /// Records a piece. Returns whether it may run inline if no other piece is running.
    mutating func admits(at time: UInt64) -> Bool {
        defer { lastCame = time }
        return time > lastCame + Self.gap && time >= calmUntil
    }

    /// A piece that was admitted has ended.
    mutating func ended(_ start: UInt64, _ end: UInt64) {
        if end > start + Self.quick { calmUntil = end + Self.caution }
    }
}

/// Runs work that comes up on the database's thread there, where the gate allows it.
final class CalmRunner: Sendable {
    private struct State {
        var gate = InlineGate()
        var isRunning = false
    }

    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    /// `now`: nanoseconds of a monotonic clock.
    init(now: @escaping @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }) { self.now = now }

    /// Returns false, without running it, if the work has to run elsewhere.
    func run(_ work: () -> Void) -> Bool {
        let start = now()
        let isAlone = state.withLock { state in
            guard state.gate.admits(at: start), !state.isRunning else { return false }
            state.isRunning = true
            return true
        }
        guard isAlone else { return false }
        work()
        let end = now()
        state.withLock { state in
            state.isRunning = false
            state.gate.ended(start, end)
        }
        return true
    }
}
