// SPDX-License-Identifier: Apache-2.0

/// Decides when a listener's delivery job is scheduled; performs no work itself.
struct ListenerStateMachine: ~Copyable {
    private enum State {
        /// Nothing to deliver. New changes move to `scheduled`.
        case idle
        /// A job waits in the consumer's queue. Its start moves to `delivering`.
        case scheduled
        /// The consumer's closure runs. New changes move to `deliveringScheduled`, its end to `idle`.
        case delivering
        /// The closure runs, and a job for newer changes waits in the consumer's queue. The end of the closure moves to `scheduled`; if the
        /// queue is concurrent and starts the job before, it moves to `deliveringWithNews`.
        case deliveringScheduled
        /// The closure runs, there are newer changes, and no job waits. Its end moves to `scheduled`.
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
            // Now, and not when the closure has ended: what enters the queue after this comes after it.
            state = .deliveringScheduled
            return .schedule
        case .scheduled, .deliveringScheduled, .deliveringWithNews, .ended:
            return .doNothing
        }
    }

    /// The job has started.
    mutating func jobStarted() -> StartAction {
        switch state {
        case .scheduled:
            state = .delivering
            return .deliver
        case .deliveringScheduled:
            state = .deliveringWithNews
            return .doNothing
        case .idle, .delivering, .deliveringWithNews, .ended:
            return .doNothing
        }
    }

    /// The job has finished. Newer changes have a job of their own, so that other jobs run in between.
    mutating func jobFinished() -> NewsAction {
        switch state {
        case .delivering:
            state = .idle
            return .doNothing
        case .deliveringScheduled:
            state = .scheduled
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
