// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Looks at the first byte of a plain connection's other side, so that a server that expects TLS or speaks HTTP/1 is told
/// from one that is broken.
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

/// What says hello, and is no HTTP/2 server. (One begins with SETTINGS, a frame whose length begins with a zero.)
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
