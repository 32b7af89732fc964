// SPDX-License-Identifier: Apache-2.0

/// Requests of other threads to a server's connection.
enum ServerPost: Sendable {
    case answer(UnaryServerStream, Result<[UInt8], RPCStatus>)
    case message(StreamingServerStream, [UInt8])
    case finish(StreamingServerStream, RPCStatus?)
    case reading(StreamingServerStream, Bool)
    case httpHead(HTTPServerStream, status: Int, RPCMetadata)
    case httpPiece(HTTPServerStream, [UInt8])
    case httpEnd(HTTPServerStream)
    case httpCut(HTTPServerStream)
    /// The service has read the part of the body that had arrived.
    case httpRoom(HTTPServerStream)
    case drain
}
