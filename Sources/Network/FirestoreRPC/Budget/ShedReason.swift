// SPDX-License-Identifier: Apache-2.0

/// Why a server has ended or refused something that a client was otherwise entitled to. Counted, and logged in sum.
package enum ShedReason: String, CaseIterable, Sendable {
    /// An answer of which nothing was read for half a minute.
    case unreadAnswer = "unread_answer"
    /// The connection that held most when the process held too much.
    case memory
    /// A request that grew while its connection, or the process, held too much.
    case requestBytes = "request_bytes"
    /// A connection with too many resets, or streams in error.
    case resets
    /// A connection with too many PING, SETTINGS, PRIORITY, unknown or empty frames.
    case controlFrames = "control_frames"
    case windowUpdates = "window_updates"
    /// A connection whose header block was too long, or in too many parts.
    case headers
    /// A call beyond those that a connection may have at a time.
    case streams
    /// A connection, or a request through a proxy, beyond those of one address.
    case address
    /// A connection beyond all that the server takes, while none was idle.
    case connections
    /// An idle connection that made room for a new one.
    case idle
}
