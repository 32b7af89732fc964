// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules

/// Batches of one caller in flight to its sinks, and the notifications that wait for them: the end of a round is reported after the
/// round's batches.
final class DeliveryOrder: Sendable {
    /// A function by itself would be wrapped once more with each use, because the lock is generic.
    private struct Waiting {
        /// The last batch that it waits for.
        let last: UInt64
        let call: @Sendable () -> Void
    }

    private struct State {
        var last: UInt64 = 0
        var inFlight: Set<UInt64> = []
        var waiting: [Waiting] = []
        var isCalling = false

        mutating func next() -> Waiting? {
            guard !isCalling, let first = waiting.first, inFlight.allSatisfy({ $0 > first.last }) else { return nil }
            isCalling = true
            return waiting.removeFirst()
        }
    }

    private let state = Mutex(State())

    /// A batch has arrived. Returns its number, for `leave`.
    func enter() -> UInt64 {
        state.withLock { state in
            state.last += 1
            state.inFlight.insert(state.last)
            return state.last
        }
    }

    /// A batch was delivered or dropped.
    func leave(_ number: UInt64) {
        state.withLock { _ = $0.inFlight.remove(number) }
        callWaiting()
    }

    /// Calls `body` after every batch that has arrived before was delivered, one call at a time, in the order of these calls.
    func afterArrived(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.waiting.append(Waiting(last: $0.last, call: body)) }
        callWaiting()
    }

    private func callWaiting() {
        while let waiting = state.withLock({ $0.next() }) {
            waiting.call()
            state.withLock { $0.isCalling = false }
        }
    }
}
