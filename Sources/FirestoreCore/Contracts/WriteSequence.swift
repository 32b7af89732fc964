// SPDX-License-Identifier: Apache-2.0

/// Commits of which none may be applied behind one that has failed: those of one Write stream (LS-39).
///
/// They can then be handed over without waiting for each other, and become durable together. The service that applies them
/// asks before each, and notes the first that fails. The caller that gives the rest up, because its client has gone, makes
/// the same note.
package final class WriteSequence: Sendable {
    /// What the client and the server call the stream; a client that connects again names it again (SY-D30).
    package let streamID: String
    private let failed = Mutex(false)

    package init(streamID: String) { self.streamID = streamID }

    package var hasFailed: Bool { failed.withLock { $0 } }

    package func fail() { failed.withLock { $0 = true } }
}
