/// Decides when a listener's delivery job is scheduled. Performs nothing itself.
struct ListenerStateMachine: ~Copyable {
    private enum State {
        /// Nothing to deliver. News moves to `scheduled`.
        case idle
        /// A job waits in the consumer's queue. Starting it moves to `delivering`.
        case scheduled
        /// The consumer's closure runs. News moves to `deliveringWithNews`, the end to `idle`.
        case delivering
        /// The closure runs and is behind already. The end moves to `scheduled`.
        case deliveringWithNews
        /// Removed, or failed and told. Nothing follows.
        case ended
    }

    private var state: State = .idle

    enum NewsAction: Equatable { case schedule, doNothing }
    enum StartAction: Equatable { case deliver, doNothing }

    /// There is something to deliver.
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

    /// The job has been given its turn.
    mutating func jobStarted() -> StartAction {
        guard case .scheduled = state else { return .doNothing }
        state = .delivering
        return .deliver
    }

    /// The job is done. Behind already means another turn in the queue, so that others get theirs.
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

    /// True the first time.
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
