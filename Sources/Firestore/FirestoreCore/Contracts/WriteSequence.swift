// SPDX-License-Identifier: Apache-2.0

/// Commits of one Write stream: none may be applied after one that has failed (LS-39).
///
/// They can be submitted without waiting for each other, and become durable together. The service that applies them checks
/// the sequence before each commit, and records the first failure. A caller that abandons the rest, because its client has
/// disconnected, records a failure too.
package final class WriteSequence: Sendable {
    private struct State {
        var hasFailed = false
        var recordedFailure: Int64?
    }

    /// The stream's name, shared by client and server; a client that reconnects names it again (decision 27).
    package let streamID: String
    private let state = Mutex(State())

    package init(streamID: String) { self.streamID = streamID }

    package var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// The number of the commit whose failure is stored, and is repeated when the commit is sent again (`SequenceRecord`).
    package var recordedFailure: Int64? { state.withLock { $0.recordedFailure } }

    package func fail() { state.withLock { $0.hasFailed = true } }

    /// Records a failure that is stored with the group of commits that is being applied.
    package func fail(recordedAt number: Int64) { state.withLock { $0 = State(hasFailed: true, recordedFailure: number) } }

    /// Records that a group of commits was lost, together with its outcomes.
    package func failWithGroup() { state.withLock { $0 = State(hasFailed: true) } }
}
