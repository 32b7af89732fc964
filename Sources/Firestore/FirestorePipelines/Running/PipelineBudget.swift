// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What one execution of a pipeline may use: memory, and time until its caller no longer waits.
///
/// Shared between the task of the caller, which may be cancelled, and the thread that executes.
package final class PipelineBudget: Sendable {
    private struct State {
        var bytes = 0
        /// The most that was held at a time.
        var peak = 0
        /// What the execution has of the memory of all executions.
        var share = 0
        var isCancelled = false
        /// When the turn ends that it has; nil while it has none.
        var end: ContinuousClock.Instant?
        /// How long it may still run.
        var left: Duration
        /// How many steps an attempt has left; nil for an execution that runs to its end.
        var attempt: Int?
        var isGivenUp = false
    }

    private let state: Mutex<State>
    let limits: PipelineLimits
    package let deadline: ContinuousClock.Instant?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let memory: PipelineMemory?
    package let caller: String

    /// - Parameters:
    ///   - memory: The memory of all executions; nil for one that holds little.
    ///   - caller: Whose share of that is taken.
    ///   - now: The clock of the deadline and of the turns.
    package init(
        limits: PipelineLimits = PipelineLimits(), deadline: ContinuousClock.Instant? = nil, memory: PipelineMemory? = nil,
        caller: String = "", now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.limits = limits
        self.deadline = deadline
        self.memory = memory
        self.caller = caller
        self.now = now
        state = Mutex(State(left: limits.duration))
    }

    deinit {
        let share = state.withLock { $0.share }
        if share > 0 { memory?.give(back: share, of: caller) }
    }

    // MARK: Time

    /// Ends the execution with `cancelled` at its next look.
    package func cancel() { state.withLock { $0.isCancelled = true } }

    /// Its turn begins: from now on it runs. The time in which it waits does not count.
    package func begin() {
        let now = now()
        state.withLock { $0.end = now + $0.left }
    }

    /// Its turn ends.
    package func pause() {
        let now = now()
        state.withLock { state in
            if let end = state.end { state.left = end - now }
            state.end = nil
        }
    }

    /// Throws when the caller no longer waits, or when it has run for too long.
    func check() throws(FirestoreError) {
        let (isCancelled, end) = state.withLock { ($0.isCancelled, $0.end) }
        if isCancelled { throw FirestoreError(.cancelled, "the pipeline was cancelled") }
        guard deadline != nil || end != nil else { return }
        let now = now()
        if let deadline, deadline <= now { throw FirestoreError(.deadlineExceeded, "the deadline of the request has passed") }
        if let end, end <= now {
            throw FirestoreError(
                .deadlineExceeded,
                "the pipeline has run for \(limits.duration.components.seconds) seconds, which is the most; filter or limit its rows in an "
                    + "earlier stage")
        }
    }

    // MARK: Attempts

    /// What runs next is an attempt of so many steps, after which it gives up.
    package func beginAttempt(steps: Int) { state.withLock { ($0.attempt, $0.isGivenUp) = (steps, false) } }

    /// Ends the attempt. Returns whether it was given up: then its result means nothing.
    package func endAttempt() -> Bool {
        state.withLock { state in
            state.attempt = nil
            return state.isGivenUp
        }
    }

    package var isAttempt: Bool { state.withLock { $0.attempt != nil } }

    /// Counts steps of an attempt.
    func attempted(_ steps: Int) throws(FirestoreError) {
        let isGivenUp = state.withLock { state in
            guard let left = state.attempt else { return false }
            state.attempt = left - steps
            if left < steps { state.isGivenUp = true }
            return left < steps
        }
        if isGivenUp { throw FirestoreError(.aborted, "the attempt was given up") }
    }

    // MARK: Memory

    /// The most that was held at a time, in bytes.
    package var peak: Int { state.withLock { $0.peak } }

    /// What is held, in bytes.
    package var held: Int { state.withLock { $0.bytes } }

    /// Adds memory that the execution holds from now on.
    func hold(_ bytes: Int) throws(FirestoreError) {
        let (held, share) = state.withLock { state in
            state.bytes += bytes
            state.peak = max(state.peak, state.bytes)
            return (state.bytes, state.share)
        }
        if held > limits.memory { throw exceeded }
        try widen(share, to: held)
    }

    /// Takes what is missing of the memory of the process. What was taken is given back when the execution ends.
    private func widen(_ share: Int, to bytes: Int) throws(FirestoreError) {
        guard bytes > share, let memory else { return }
        // More than is needed now, so that most rows do not ask.
        let more = bytes - share + PipelineMemory.portion
        try memory.take(more, of: caller)
        state.withLock { $0.share += more }
    }

    /// Begins again: nothing is held.
    func reset() { state.withLock { ($0.bytes, $0.peak) = (0, 0) } }

    func release(_ bytes: Int) { state.withLock { $0.bytes -= bytes } }

    /// Checks that a value of this size fits before it is made, beside what this pipeline and all others hold.
    func admit(_ bytes: Int) throws(FirestoreError) {
        let (sum, share): (Int?, Int) = state.withLock { state in
            let (sum, overflow) = state.bytes.addingReportingOverflow(bytes)
            guard !overflow, sum <= limits.memory else { return (nil, state.share) }
            state.peak = max(state.peak, sum)
            return (sum, state.share)
        }
        guard let sum else { throw exceeded }
        try widen(share, to: sum)
    }

    /// Holds a row of the result.
    func take(row: PipelineRow) throws(FirestoreError) {
        guard row.weight <= limits.row else {
            throw FirestoreError(
                .resourceExhausted,
                "a row of the result takes more than \(limits.row >> 20) MiB; select fewer fields, or shorter values", at: row.name)
        }
        try hold(row.weight)
    }

    private var exceeded: FirestoreError {
        FirestoreError(
            .resourceExhausted,
            "the pipeline needs more than \(limits.memory >> 20) MiB of memory for its rows; filter or limit them in an earlier stage")
    }
}
