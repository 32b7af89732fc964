// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What one execution of a pipeline may use: memory, and time until its caller no longer waits.
///
/// Shared between the task of the caller, which may be cancelled, and the thread that executes.
package final class PipelineBudget: Sendable {
    private struct State {
        var bytes = 0
        var isCancelled = false
    }

    private let state = Mutex(State())
    let limits: PipelineLimits
    package let deadline: ContinuousClock.Instant?

    package init(limits: PipelineLimits = PipelineLimits(), deadline: ContinuousClock.Instant? = nil) {
        self.limits = limits
        self.deadline = deadline
    }

    /// Ends the execution with `cancelled` at its next look.
    package func cancel() { state.withLock { $0.isCancelled = true } }

    /// Throws when the caller no longer waits.
    func check() throws(FirestoreError) {
        if state.withLock({ $0.isCancelled }) { throw FirestoreError(.cancelled, "the pipeline was cancelled") }
        if let deadline, deadline <= .now { throw FirestoreError(.deadlineExceeded, "the deadline of the request has passed") }
    }

    /// Adds memory that the execution holds from now on.
    func hold(_ bytes: Int) throws(FirestoreError) {
        let held = state.withLock { state in
            state.bytes += bytes
            return state.bytes
        }
        if held > limits.memory { throw exceeded }
    }

    /// Begins again: nothing is held.
    func reset() { state.withLock { $0.bytes = 0 } }

    func release(_ bytes: Int) { state.withLock { $0.bytes -= bytes } }

    /// Checks that a value of this size fits before it is made.
    func admit(_ bytes: Int) throws(FirestoreError) {
        let (sum, overflow) = state.withLock { $0.bytes }.addingReportingOverflow(bytes)
        if overflow || sum > limits.memory { throw exceeded }
    }

    private var exceeded: FirestoreError {
        FirestoreError(
            .resourceExhausted,
            "the pipeline needs more than \(limits.memory >> 20) MiB of memory for its rows; filter or limit them in an earlier stage")
    }
}
