// SPDX-License-Identifier: Apache-2.0

/// Requests of other threads to a server's connection.
enum ServerPost: Sendable {
    case unary(UnaryServerStream, Result<[UInt8], RPCStatus>)
    /// A call whose caller has gone has been carried out, or dropped.
    case late(UnaryServerStream)
    case streaming(StreamingServerStream, StreamingStep)
    case http(HTTPServerStream, AnswerStep)
    case drain
    /// Something waits until the connection holds less.
    case waits
    /// The connection holds most of all, and the process too much.
    case shed
}

/// An action requested by the handler of a streaming call.
enum StreamingStep: Sendable {
    case message([UInt8])
    case finish(RPCStatus?)
    case reading(Bool)
    /// The connection holds less than it may again.
    case room
}
