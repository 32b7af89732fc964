// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import FirestoreRPC

/// Requests over HTTP/1.1 whose body is read while it arrives.
struct HTTP1BodyTests {
    private final class Bench {
        let channel = EmbeddedChannel()
        let service = BodyService()
        private let closed = Flag()
        let reads: ReadCounter
        var isClosed: Bool { closed.isSet.withLock { $0 } }

        init() throws {
            reads = ReadCounter()
            let handler = HTTP1ConnectionHandler(
                service: service, limits: RPCLimits(messageSize: 1_000), patience: .init(), eventLoop: channel.eventLoop, peer: "test")
            try channel.pipeline.syncOperations.addHandlers([reads, handler])
            channel.closeFuture.whenComplete { [closed] _ in closed.isSet.withLock { $0 = true } }
        }

        var loop: EmbeddedEventLoop { channel.embeddedEventLoop }

        /// The headers arrive; returns what the service got.
        func begin(_ path: String = "/pieces") throws -> any HTTPExchange {
            try channel.writeInbound(HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .POST, uri: path)))
            return service.next()
        }

        func send(_ count: Int) throws { try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(repeating: 7, count: count))) }
        func end() throws { try channel.writeInbound(HTTPServerRequestPart.end(nil)) }

        /// What was sent to the client, in short.
        func answer() throws -> [String] {
            loop.run()
            var lines: [String] = []
            while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
                switch part {
                case .head(let head): lines.append("\(head.status.code) \(head.headers["connection"].first ?? "-")")
                case .body(.byteBuffer(let bytes)): lines.append(String(buffer: bytes))
                case .body, .end: lines.append("end")
                }
            }
            return lines
        }
    }

    private final class Flag: Sendable {
        let isSet = Mutex(false)
    }

    /// Counts the reads of the socket that are let through.
    private final class ReadCounter: ChannelOutboundHandler {
        typealias OutboundIn = Never
        var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    @Test func `the service gets a request at its headers, and its body in parts`() throws {
        let bench = try Bench()
        let exchange = try bench.begin()
        let body = try #require(exchange.requestBody)
        // Far more than a message may have.
        for size in [10, 5_000, 1] {
            try bench.send(size)
            #expect(try body.next()?.count == size)
        }
        try bench.end()
        #expect(try body.next() == nil)
        exchange.respond(status: 200, headers: RPCMetadata(), body: Array("good".utf8))
        #expect(try bench.answer() == ["200 close", "good", "end"])
        #expect(bench.isClosed)
    }

    @Test func `other paths get their bodies whole`() throws {
        let bench = try Bench()
        try bench.channel.writeInbound(HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .POST, uri: "/whole")))
        try bench.send(10)
        try bench.end()
        let exchange = bench.service.next()
        #expect(exchange.requestBody == nil && exchange.request.body.count == 10)
    }

    @Test func `a client that sends faster than is read waits, and continues when there is room`() throws {
        let bench = try Bench()
        let body = try #require(try bench.begin().requestBody)
        for _ in 0..<4 { try bench.send(64 << 10) }
        bench.channel.read()
        let before = bench.reads.count
        try bench.send(1)
        for _ in 0..<3 { bench.channel.read() }
        #expect(bench.reads.count == before)
        // A client that is made to wait is not given up.
        bench.loop.advanceTime(by: .minutes(10))
        #expect(!bench.isClosed)
        for _ in 0..<3 { #expect(try body.next()?.count == 64 << 10) }
        bench.loop.run()
        #expect(bench.reads.count == before)
        #expect(try body.next()?.count == 64 << 10)
        bench.loop.run()
        #expect(bench.reads.count == before + 1)
        #expect(try body.next()?.count == 1)
    }

    @Test func `a client that goes away ends the body`() throws {
        let bench = try Bench()
        let exchange = try bench.begin()
        let wasCancelled = Flag()
        exchange.onCancel { wasCancelled.isSet.withLock { $0 = true } }
        try bench.send(10)
        try bench.channel.close().wait()
        bench.loop.run()
        let failure = #expect(throws: RPCStatus.self) { try exchange.requestBody?.next() }
        #expect(failure?.code == .cancelled && wasCancelled.isSet.withLock { $0 })
    }

    @Test func `a client that stops sending is given up`() throws {
        let bench = try Bench()
        let exchange = try bench.begin()
        try bench.send(10)
        bench.loop.advanceTime(by: .seconds(59))
        #expect(!bench.isClosed)
        bench.loop.advanceTime(by: .seconds(20))
        #expect(bench.isClosed)
        #expect(throws: RPCStatus.self) { try exchange.requestBody?.next() }
    }

    @Test(arguments: [true, false])
    func `an answer before the end of the body reaches the client, who sends the rest or does not stop`(ends: Bool) throws {
        let bench = try Bench()
        let exchange = try bench.begin()
        for _ in 0..<5 { try bench.send(64 << 10) }
        bench.channel.read()
        let before = bench.reads.count
        exchange.respond(status: 400, headers: RPCMetadata(), body: Array("bad".utf8))
        #expect(try bench.answer() == ["400 close", "bad", "end"])
        #expect(!bench.isClosed && bench.reads.count == before + 1)
        for _ in 0..<10 { try bench.send(64 << 10) }
        #expect(exchange.requestBody?.count == 0)
        if ends { try bench.end() } else { bench.loop.advanceTime(by: .seconds(5)) }
        bench.loop.run()
        #expect(bench.isClosed)
    }

    @Test func `an answer that is cut closes the connection`() throws {
        let bench = try Bench()
        let exchange = try bench.begin()
        try bench.end()
        exchange.begin(status: 200, headers: RPCMetadata())
        exchange.write([65])
        exchange.cut()
        exchange.end()
        #expect(try bench.answer() == ["200 close", "A"])
        #expect(bench.isClosed)
    }
}

/// Keeps what it gets, for tests that look at it; reads the bodies of `/pieces` while they arrive.
final class BodyService: HTTPService {
    private let exchanges = Mutex<[any HTTPExchange]>([])
    private let arrivals = DispatchSemaphore(value: 0)

    func readsBody(method: String, path: String) -> Bool { method == "POST" && path == "/pieces" }

    func handle(_ exchange: any HTTPExchange) {
        exchanges.withLock { $0.append(exchange) }
        arrivals.signal()
    }

    /// The next request, as soon as it is there.
    func next() -> any HTTPExchange {
        arrivals.wait()
        return exchanges.withLock { $0.removeFirst() }
    }
}
