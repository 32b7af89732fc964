// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOEmbedded
import Testing

@testable import FirestoreRPC

/// A loopback over two channels of one loop, whose bytes the test carries.
struct FramedLoopbackTests {
    private final class Bench {
        private let loop = EmbeddedEventLoop()
        let client: EmbeddedChannel
        private let server: EmbeddedChannel
        private let loopback: RPCLoopback

        init() throws {
            client = EmbeddedChannel(loop: loop)
            server = EmbeddedChannel(loop: loop)
            loopback = try RPCLoopback(EchoService(), from: client, to: server)
            for side in [client, server] { try side.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait() }
        }

        /// Carries what both sides write until they are silent. Returns what the client has written.
        func carry() throws -> [UInt8] {
            var sent: [UInt8] = []
            var isSilent = false
            while !isSilent {
                isSilent = true
                for (sender, receiver) in [(client, server), (server, client)] {
                    loop.run()
                    while let bytes = try sender.readOutbound(as: ByteBuffer.self) {
                        isSilent = false
                        if sender === client { sent += bytes.readableBytesView }
                        try receiver.writeInbound(bytes)
                    }
                }
            }
            return sent
        }

        func call(_ method: String, _ message: [UInt8] = []) throws -> (answer: Collector, sent: [UInt8]) {
            let answer = Collector()
            _ = loopback.open("/test.Echo/" + method, only: message, metadata: RPCMetadata(), deadline: nil, handler: answer)
            return (answer, try carry())
        }
    }

    @Test func `a call travels as frames of HTTP/2, and is answered on the thread that carries them`() throws {
        let bench = try Bench()
        #expect(String(decoding: try bench.carry().prefix(14), as: UTF8.self) == "PRI * HTTP/2.0")
        let (answer, sent) = try bench.call("Unary", Array("hello".utf8))
        // A frame of headers, and one of data with the message behind its prefix.
        #expect(sent[3] == 1)
        #expect(sent.suffix(19) == [0, 0, 10, 0, 1, 0, 0, 0, 1] + [0, 0, 0, 0, 5] + Array("hello".utf8))
        #expect(answer.texts == ["hello"])
        #expect(answer.end != nil && answer.end?.status == nil)
    }

    @Test func `a call that fails has the status of the service`() throws {
        let status = try Bench().call("Fail").answer.end?.status
        #expect(status?.code == .failedPrecondition)
        #expect(status?.message == "nö: 100 %\n")
    }

    @Test func `calls in flight end when the channel closes`() throws {
        let bench = try Bench()
        let answer = try bench.call("Hang").answer
        #expect(answer.end == nil)
        bench.client.close(promise: nil)
        _ = try bench.carry()
        #expect(answer.end?.status?.code == .unavailable)
    }
}
