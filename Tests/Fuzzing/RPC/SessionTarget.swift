// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOEmbedded

@testable import FirestoreRPC

/// Bytes of a whole HTTP/2 connection, in pieces, into the real pipeline. The preface is given; the input is frames.
enum SessionTarget {
    static func run(_ input: [UInt8]) {
        let loop = EmbeddedEventLoop()
        let channel = EmbeddedChannel(loop: loop)
        let service = FuzzService()
        do {
            let limits = RPCLimits(messageSize: 4096)
            try channel.pipeline.syncOperations.addHandler(
                HTTP2ConnectionHandler(.server, limits: limits, care: ConnectionCare()) { port, channel in
                    ServerConnection(
                        eventLoop: channel.eventLoop, service: service, http: service, limits: limits, observer: nil, peer: "", port: port,
                        runOffLoop: { $0() })
                })
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            try channel.writeInbound(ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
            var rest = input[...]
            while !rest.isEmpty, channel.isActive {
                let piece = rest.prefix(1 + Int(rest.first ?? 0) * 3)
                rest = rest.dropFirst(piece.count)
                try channel.writeInbound(ByteBuffer(bytes: piece))
                loop.run()
            }
        } catch {
            // The connection ends: what an input should do that breaks the rules.
        }
        _ = try? channel.finish(acceptAlreadyClosed: true)
        loop.run()
        precondition(service.isBalanced, "a handler heard its end not exactly once")
        service.forget()
    }
}
