// SPDX-License-Identifier: Apache-2.0

/// Decides when a listener's delivery job is scheduled; performs no work itself.
struct ListenerStateMachine: ~Copyable {
    private enum State {
        /// Nothing to deliver. New changes move to `scheduled`.
        case idle
        /// A job waits in the consumer's queue. Its start moves to `delivering`.
        case scheduled
        /// The consumer's closure runs. New changes move to `deliveringWithNews`, its end to `idle`.
        case delivering
        /// The closure runs, and there are newer changes. Its end moves to `scheduled`.
        case deliveringWithNews
        /// Removed, or failed and reported. Nothing follows.
        case ended
    }

    private var state: State = .idle

    enum NewsAction: Equatable { case schedule, doNothing }
    enum StartAction: Equatable { case deliver, doNothing }

    /// New changes have arrived.
    mutating func newsArrived() -> NewsAction {
        switch state {
        case .idle:
            state = .scheduled
            return .schedule
        case .delivering:
            state = .deliveringWithNews
            return .doNothing
        case .scheduled, .deliveringWithNews, .ended:
            return .doNothing
        }
    }

    /// The job has started.
    mutating func jobStarted() -> StartAction {
        guard case .scheduled = state else { return .doNothing }
        state = .delivering
        return .deliver
    }

    /// The job has finished. If there are newer changes it is scheduled again, so that other jobs run in between.
    mutating func jobFinished() -> NewsAction {
        switch state {
        case .delivering:
            state = .idle
            return .doNothing
        case .deliveringWithNews:
            state = .scheduled
            return .schedule
        case .idle, .scheduled, .ended:
            return .doNothing
        }
    }

    /// Returns true the first time.
    mutating func end() -> Bool {
        if case .ended = state { return false }
        state = .ended
        return true
    }

    var hasEnded: Bool {
        if case .ended = state { return true }
        return false
    }
}
