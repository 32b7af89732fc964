// SPDX-License-Identifier: Apache-2.0

/// Commits of one Write stream: none may be applied after one that has failed (LS-39).
///
/// They can be submitted without waiting for each other, and become durable together. The service that applies them checks
/// the sequence before each commit, and records the first failure. A caller that abandons the rest, because its client has
/// disconnected, records a failure too.
package final class WriteSequence: Sendable {
    /// The stream's name, shared by client and server; a client that reconnects names it again (decision 27).
    package let streamID: String
    private let failed = Mutex(false)

    package init(streamID: String) { self.streamID = streamID }

    package var hasFailed: Bool { failed.withLock { $0 } }

    package func fail() { failed.withLock { $0 = true } }
}
