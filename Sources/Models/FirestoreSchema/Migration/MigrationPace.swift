// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// How many writes a migration makes in a second.
package enum MigrationRate: Sendable, Hashable {
    case unlimited
    case perSecond(Double)
    /// The rate that Cloud Firestore recommends for new traffic: 500 a second, and half as many more every five minutes.
    case growing

    /// How long to wait for the turn of so many writes, after so long a time since the first.
    func interval(writes: Int, after elapsed: Duration) -> Duration {
        switch self {
        case .unlimited: return .zero
        case .perSecond(let rate): return .seconds(Double(writes) / rate)
        case .growing:
            var rate = 500.0
            var left = elapsed
            // An hour is twelve steps: by then the rate is 64,000.
            while left >= .seconds(300), rate < 1_000_000 {
                rate *= 1.5
                left -= .seconds(300)
            }
            return .seconds(Double(writes) / rate)
        }
    }

    /// The most writes of one commit: at a low rate, those of a tenth of a second.
    var writesPerCommit: Int {
        if case .perSecond(let rate) = self { return max(1, min(500, Int(rate / 10))) }
        return 500
    }
}

/// Gives commits their turns.
final class MigrationPace: Sendable {
    private struct State {
        var start: ContinuousClock.Instant?
        var next: ContinuousClock.Instant?
    }

    private let rate: MigrationRate
    private let sleep: @Sendable (Duration) async -> Void
    private let state = Mutex(State())

    init(_ rate: MigrationRate, sleep: @escaping @Sendable (Duration) async -> Void) {
        self.rate = rate
        self.sleep = sleep
    }

    func wait(for writes: Int) async {
        if case .unlimited = rate { return }
        let delay = state.withLock { state -> Duration in
            let now = ContinuousClock.now
            let start = state.start ?? now
            let turn = max(state.next ?? now, now)
            state.start = start
            state.next = turn + rate.interval(writes: writes, after: now - start)
            return turn - now
        }
        if delay > .zero { await sleep(delay) }
    }
}
