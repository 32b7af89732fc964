// SPDX-License-Identifier: Apache-2.0

/// What other threads ask a server's connection to do.
enum ServerPost: Sendable {
    case answer(UnaryServerStream, Result<[UInt8], RPCStatus>)
    case message(StreamingServerStream, [UInt8])
    case finish(StreamingServerStream, RPCStatus?)
    case reading(StreamingServerStream, Bool)
    case httpHead(HTTPServerStream, status: Int, RPCMetadata)
    case httpPiece(HTTPServerStream, [UInt8])
    case httpEnd(HTTPServerStream)
    case httpCut(HTTPServerStream)
    /// The service has read what had arrived of the body.
    case httpRoom(HTTPServerStream)
    case drain
}
