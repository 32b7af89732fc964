// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import Testing

@testable import FirestoreRPC

/// How a connection's care appears on the wire, on a loop whose clock stands still.
struct HTTP2ConnectionHandlerTests {
    private final class Bench {
        let channel = EmbeddedChannel()
        let service = EchoService()

        init(_ care: ConnectionCare) throws {
            let service = service
            try channel.pipeline.syncOperations.addHandler(
                HTTP2ConnectionHandler(limits: RPCLimits(), care: care) { port, channel in
                    ServerConnection(
                        eventLoop: channel.eventLoop, service: service, http: nil, limits: RPCLimits(), observer: nil, peer: "test", port: port,
                        runOffLoop: { $0() })
                })
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            _ = try frames()
        }

        /// What was written since, one word each; `closed` at the end if it is.
        func frames() throws -> [String] {
            channel.embeddedEventLoop.run()
            var lines: [String] = []
            while let frame = try channel.readOutbound(as: HTTP2Frame.self) {
                switch frame.payload {
                case .ping(let data, let ack): lines.append(ack ? "pong" : data == Self.drainPing ? "drain ping" : "ping")
                case .goAway(let last, _, _): lines.append(last == .maxID ? "go away" : "go away after \(Int(last))")
                case .headers: lines.append("headers")
                default: break
                }
            }
            return channel.isActive ? lines : lines + ["closed"]
        }

        func receive(_ stream: HTTP2StreamID, _ payload: HTTP2Frame.FramePayload) throws {
            try channel.writeInbound(HTTP2Frame(streamID: stream, payload: payload))
        }

        func open(_ stream: HTTP2StreamID) throws {
            let fields: HPACKHeaders = [
                ":method": "POST", ":scheme": "http", ":path": "/test.Echo/Hang", ":authority": "localhost", "content-type": "application/grpc",
            ]
            try receive(stream, .headers(.init(headers: fields)))
        }

        func pass(_ time: TimeAmount) throws -> [String] {
            channel.embeddedEventLoop.advanceTime(by: time)
            return try frames()
        }

        func stop() throws -> [String] {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            return try frames()
        }

        static let drainPing = HTTP2PingData(withInteger: 0x476F_6F64_6279)
    }

    @Test func `a silent peer is asked, and given up when it does not answer`() throws {
        let bench = try Bench(ConnectionCare())
        #expect(try bench.pass(.seconds(29)) == [])
        #expect(try bench.pass(.seconds(1)) == ["ping"])
        try bench.receive(.rootStream, .ping(HTTP2PingData(withInteger: 7), ack: true))
        #expect(try bench.pass(.seconds(20)) == [])
        #expect(try bench.pass(.seconds(10)) == ["ping"])
        #expect(try bench.pass(.seconds(19)) == [])
        #expect(try bench.pass(.seconds(1)) == ["closed"])
    }

    @Test func `an idle connection says good-bye and closes`() throws {
        let bench = try Bench(ConnectionCare(closeIdleAfter: .seconds(25)))
        #expect(try bench.pass(.seconds(30)) == ["go away", "drain ping", "go away after 0", "closed"])
    }

    @Test func `a server that stops lets calls finish that the peer has opened meanwhile`() throws {
        let bench = try Bench(ConnectionCare())
        try bench.open(1)
        #expect(try bench.stop() == ["go away", "drain ping"])
        try bench.open(3)
        try bench.receive(.rootStream, .ping(Bench.drainPing, ack: true))
        #expect(try bench.frames() == ["go away after 3"])
        bench.channel.pipeline.fireUserInboundEventTriggered(StreamClosedEvent(streamID: 1, reason: nil))
        #expect(try bench.frames() == [])
        bench.channel.pipeline.fireUserInboundEventTriggered(StreamClosedEvent(streamID: 3, reason: nil))
        #expect(try bench.frames() == ["go away after 3", "closed"])
    }

    @Test func `a peer that does not answer the good-bye is not waited for`() throws {
        let bench = try Bench(ConnectionCare())
        #expect(try bench.stop() == ["go away", "drain ping"])
        #expect(try bench.stop() == [])
        #expect(try bench.pass(.seconds(20)) == ["go away after 0", "closed"])
    }
}
