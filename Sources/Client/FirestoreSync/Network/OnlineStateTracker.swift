// SPDX-License-Identifier: Apache-2.0

/// Decides the online state from what happens to the Listen stream; performs nothing.
struct OnlineStateTracker {
    enum Effect: Equatable {
        case startTimer
        case stopTimer
        /// The state has changed.
        case changed(OnlineState)
    }

    private(set) var state = OnlineState.unknown
    private var failures = 0
    private var isTimerRunning = false
    /// Failures in a row after which the client is offline.
    private static let mostFailures = 1

    mutating func streamStarted() -> [Effect] {
        guard failures == 0 else { return [] }
        let effects = change(to: .unknown)
        guard !isTimerRunning else { return effects }
        isTimerRunning = true
        return effects + [.startTimer]
    }

    mutating func streamFailed() -> [Effect] {
        // The first break of a working stream is not counted: the next attempt decides.
        if state == .online { return change(to: .unknown) }
        failures += 1
        guard failures >= Self.mostFailures else { return [] }
        return stopTimer() + change(to: .offline)
    }

    mutating func timerFired() -> [Effect] {
        guard isTimerRunning else { return [] }
        isTimerRunning = false
        return state == .unknown ? change(to: .offline) : []
    }

    /// Sets the state, whatever the stream did.
    mutating func set(_ new: OnlineState) -> [Effect] {
        failures = 0
        return stopTimer() + change(to: new)
    }

    private mutating func stopTimer() -> [Effect] {
        guard isTimerRunning else { return [] }
        isTimerRunning = false
        return [.stopTimer]
    }

    private mutating func change(to new: OnlineState) -> [Effect] {
        guard state != new else { return [] }
        state = new
        return [.changed(new)]
    }
}
