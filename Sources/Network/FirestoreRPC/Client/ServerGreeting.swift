// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Inspects the first byte that the peer of a plain connection sends, to distinguish a server that expects TLS or speaks HTTP/1
/// from a broken one.
final class ServerGreeting: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return }
        if let foreign = ForeignGreeting(first) {
            context.fireErrorCaught(foreign)
            context.close(promise: nil)
            return
        }
        context.fireChannelRead(data)
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
}

/// A first message that is not from an HTTP/2 server, which begins with SETTINGS, a frame whose length begins with a zero.
enum ForeignGreeting: Error {
    case tls
    case http1

    init?(_ first: UInt8) {
        switch first {
        // An alert.
        case 0x15: self = .tls
        case UInt8(ascii: "H"): self = .http1
        default: return nil
        }
    }

    func message(from address: RPCAddress) -> String {
        switch self {
        case .tls: "\(address) expects TLS: set settings.isSSLEnabled = true"
        case .http1: "\(address) speaks HTTP/1 and not gRPC: is this the port of a Firestore server?"
        }
    }
}
