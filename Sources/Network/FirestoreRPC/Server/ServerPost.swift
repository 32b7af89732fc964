// SPDX-License-Identifier: Apache-2.0

/// Requests of other threads to a server's connection.
enum ServerPost: Sendable {
    case unary(UnaryServerStream, Result<[UInt8], RPCStatus>)
    case streaming(StreamingServerStream, StreamingStep)
    case http(HTTPServerStream, AnswerStep)
    case drain
}

/// An action requested by the handler of a streaming call.
enum StreamingStep: Sendable {
    case message([UInt8])
    case finish(RPCStatus?)
    case reading(Bool)
}
