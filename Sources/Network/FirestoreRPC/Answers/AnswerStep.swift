// SPDX-License-Identifier: Apache-2.0

/// A step of an answer over HTTP, posted to the loop of its connection.
enum AnswerStep: Sendable {
    case head(status: Int, RPCMetadata)
    case piece([UInt8])
    case end
    /// The answer is broken off.
    case cut
    /// The service has read the part of the request's body that had arrived.
    case room
}
