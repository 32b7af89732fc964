// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOEmbedded
import Testing

@testable import FirestoreRPC

/// How a connection's care appears on the wire, on a loop whose clock stands still.
struct HTTP2ConnectionHandlerTests {
    private final class Bench {
        let channel = EmbeddedChannel()
        let service = EchoService()
        private var reader = FrameReader()

        let observer = CountingObserver()
        let budget = MemoryBudget()

        init(_ care: ConnectionCare = ConnectionCare(pingAfter: .hours(1)), settings: [(UInt16, UInt32)] = []) throws {
            let (service, observer, budget) = (service, observer, budget)
            try channel.pipeline.syncOperations.addHandler(
                HTTP2ConnectionHandler(.server, limits: RPCLimits(), care: care) { port, channel in
                    ServerConnection(
                        eventLoop: channel.eventLoop, service: service, http: nil, limits: RPCLimits(), observer: observer, peer: "test",
                        budget: budget, port: port, runOffLoop: { $0() })
                })
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            try receive(Frames.preface)
            try receive(Frames.settings(settings))
            _ = try frames()
        }

        func call(_ stream: StreamID, _ path: String, _ message: String) throws {
            let fields = [(":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "a"), ("content-type", "application/grpc")]
            try receive(Frames.headers(stream, fields))
            try receive(Frames.frame(Frames.Kind.data, stream, flags: Frames.Flag.endStream, CoreBench.framed(message)))
        }

        /// What was written since, one word each; `closed` at the end if it is.
        func frames() throws -> [String] {
            channel.embeddedEventLoop.run()
            var lines: [String] = []
            while let output = try channel.readOutbound(as: ByteBuffer.self) { lines += reader.lines(output) }
            return channel.isActive ? lines : lines + ["closed"]
        }

        func receive(_ frame: ByteBuffer) throws { try channel.writeInbound(frame) }

        func pass(_ time: TimeAmount) throws -> [String] {
            channel.embeddedEventLoop.advanceTime(by: time)
            return try frames()
        }

        func stop() throws -> [String] {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            return try frames()
        }

        static let ping = "ping 79600263787624"
        static let drainPing: UInt64 = 0x476F_6F64_6279
        /// The first GOAWAY.
        static let announced = ["go away after 2147483647: no error", "ping \(drainPing)"]
        static func last(_ stream: StreamID) -> String { "go away after \(stream): no error" }
    }

    @Test func `a silent peer is asked, and given up when it does not answer`() throws {
        let bench = try Bench(ConnectionCare())
        #expect(try bench.pass(.seconds(29)) == [])
        #expect(try bench.pass(.seconds(1)) == [Bench.ping])
        try bench.receive(Frames.ping(7, ack: true))
        #expect(try bench.pass(.seconds(20)) == [])
        #expect(try bench.pass(.seconds(10)) == [Bench.ping])
        #expect(try bench.pass(.seconds(19)) == [])
        #expect(try bench.pass(.seconds(1)) == ["closed"])
    }

    @Test func `an idle connection says good-bye and closes`() throws {
        let bench = try Bench(ConnectionCare(closeIdleAfter: .seconds(25)))
        #expect(try bench.pass(.seconds(30)) == Bench.announced + [Bench.last(0), "closed"])
    }

    @Test func `a server that stops lets calls finish that the peer has opened meanwhile`() throws {
        let bench = try Bench(ConnectionCare())
        try bench.receive(Frames.headers(1, Frames.call))
        #expect(try bench.stop() == Bench.announced)
        try bench.receive(Frames.headers(3, Frames.call))
        try bench.receive(Frames.ping(Bench.drainPing, ack: true))
        #expect(try bench.frames() == [Bench.last(3)])
        try bench.receive(Frames.reset(1, .cancel))
        #expect(try bench.frames() == [])
        try bench.receive(Frames.reset(3, .cancel))
        #expect(try bench.frames() == [Bench.last(3), "closed"])
    }

    @Test func `a peer that does not answer the good-bye is not waited for`() throws {
        let bench = try Bench(ConnectionCare())
        #expect(try bench.stop() == Bench.announced)
        #expect(try bench.stop() == [])
        #expect(try bench.pass(.seconds(20)) == [Bench.last(0), "closed"])
    }

    @Test func `a stream of which nothing is read for half a minute is reset, one with nothing to say is not`() throws {
        let bench = try Bench(settings: [(4, 0)])
        try bench.call(1, "/test.Echo/Unary", "never read")
        try bench.call(3, "/test.Echo/Hang", "no answer yet")
        try bench.call(5, "/test.Echo/Unary", "read slowly")
        try bench.receive(Frames.windowUpdate(5, 1))
        _ = try bench.frames()
        #expect(try bench.pass(.seconds(20)) == [])
        try bench.receive(Frames.windowUpdate(5, 1))
        #expect(try bench.frames() == ["data 5 1"])
        #expect(try bench.pass(.seconds(20)) == ["reset 1 enhance your calm"])
        try bench.receive(Frames.windowUpdate(5, 1))
        #expect(try bench.frames() == ["data 5 1"])
        #expect(bench.observer.lines.filter { $0.hasPrefix("shed") } == ["shed unread_answer"])
        #expect(try bench.pass(.seconds(20)).allSatisfy { !$0.hasPrefix("reset") })
        for call in bench.service.journal.calls { call.respond(.success([])) }
        #expect(try bench.frames().contains { $0.hasPrefix("headers 3") })
        try bench.receive(Frames.windowUpdate(5, 1000))
        try bench.receive(Frames.windowUpdate(3, 1000))
        _ = try bench.frames()
        #expect(bench.budget.held == 0)
    }

    @Test func `a socket that takes nothing gets a piece, and is closed after half a minute`() throws {
        let bench = try Bench(settings: [(4, 1 << 30)])
        try bench.receive(Frames.windowUpdate(0, 1 << 30))
        bench.channel.isWritable = false
        bench.channel.pipeline.fireChannelWritabilityChanged()
        for stream in stride(from: 1, through: 39, by: 2) { try bench.call(stream, "/test.Echo/Unary", String(repeating: "x", count: 16_000)) }
        let sent = try bench.frames().compactMap { $0.hasPrefix("data") ? Int($0.split(separator: " ")[2]) : nil }.reduce(0, +)
        #expect(sent <= 128 << 10)
        #expect(bench.budget.held > 150_000)
        #expect(try bench.pass(.seconds(30)) == [])
        #expect(try bench.pass(.seconds(10)).last == "closed")
        #expect(bench.observer.lines.contains("shed unread_answer"))
        #expect(bench.budget.held == 0)
    }

    @Test func `a socket that takes something again gets what has waited`() throws {
        let bench = try Bench(settings: [(4, 1 << 30)])
        try bench.receive(Frames.windowUpdate(0, 1 << 30))
        for stream in stride(from: 1, through: 39, by: 2) {
            bench.channel.isWritable = false
            try bench.call(stream, "/test.Echo/Unary", String(repeating: "x", count: 16_000))
        }
        _ = try bench.frames()
        bench.channel.isWritable = true
        bench.channel.pipeline.fireChannelWritabilityChanged()
        _ = try bench.frames()
        #expect(bench.budget.held == 0)
    }

    @Test func `who asks without end and reads nothing is closed`() throws {
        let bench = try Bench()
        bench.channel.isWritable = false
        bench.channel.pipeline.fireChannelWritabilityChanged()
        var (stream, written) = (1, 0)
        while bench.channel.isActive, stream < 100_000 {
            try bench.call(stream, "/test.Echo/\(stream)" + String(repeating: "x", count: 1000), "x")
            for line in try bench.frames() { written += line.utf8.count }
            stream += 2
        }
        #expect(stream < 100_000 && written < 4 << 20)
        #expect(bench.observer.lines.contains("shed unread_answer"))
    }

    @Test(arguments: [true, false])
    func `a client says whether the server has spoken HTTP/2 before the connection was lost`(_ hasSpoken: Bool) throws {
        let channel = EmbeddedChannel()
        let client = ClientConnection(eventLoop: channel.embeddedEventLoop, limits: RPCLimits(), authority: "", scheme: "http")
        let address = RPCAddress(host: "example", port: 1)
        let failure = ConnectionFailure(address: address, usesTLS: false, trustFile: nil)
        try channel.pipeline.syncOperations.addHandler(
            HTTP2ConnectionHandler(.client, limits: RPCLimits(), care: ConnectionCare(), failure: failure) { port, _ in
                client.connected(port)
                return client
            })
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let collector = Collector()
        let stream = ClientStream(client, path: "/a/b", metadata: RPCMetadata(), deadline: nil, onlyMessage: [], handler: collector)
        #expect(client.open(stream))
        channel.embeddedEventLoop.run()
        if hasSpoken { try channel.writeInbound(Frames.settings()) }
        channel.close(promise: nil)
        channel.embeddedEventLoop.run()
        let message = collector.end?.status?.message ?? ""
        #expect(message.contains("example:1 closed the connection before it said anything") == !hasSpoken)
        #expect(message.contains("the connection to example:1 was lost") == hasSpoken)
    }
}
