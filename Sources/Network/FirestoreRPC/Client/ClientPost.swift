// SPDX-License-Identifier: Apache-2.0

/// What other threads ask a client's connection to do.
enum ClientPost: Sendable {
    case open(ClientStream)
    case message(ClientStream, [UInt8])
    case halfClose(ClientStream)
    case cancel(ClientStream)
    case reading(ClientStream, Bool)
    case shutdown
}
