// SPDX-License-Identifier: Apache-2.0

/// Requests of other threads to a client's connection.
enum ClientPost: Sendable {
    case open(ClientStream)
    case message(ClientStream, [UInt8])
    case halfClose(ClientStream)
    case cancel(ClientStream)
    case reading(ClientStream, Bool)
    case shutdown
}
