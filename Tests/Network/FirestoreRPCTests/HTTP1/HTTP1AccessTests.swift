// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import FirestoreRPC

/// Requests over HTTP/1.1 that are turned away: no service receives them.
struct HTTP1AccessTests {
    private final class Bench {
        let channel: EmbeddedChannel
        let service = CountingHTTP()
        let observer = CountingObserver()
        private let closed = Flag()
        var isClosed: Bool { closed.isSet.withLock { $0 } }

        init(limits: RPCLimits = RPCLimits()) throws {
            channel = EmbeddedChannel()
            let doorkeeper = Doorkeeper(policy: AccessPolicy(), isEncrypted: false)
            let handler = HTTP1ConnectionHandler(
                service: service, limits: limits, observer: observer, doorkeeper: doorkeeper, patience: .init(), eventLoop: channel.eventLoop, peer: "test")
            try channel.pipeline.syncOperations.addHandler(handler)
            channel.closeFuture.whenComplete { [closed] _ in closed.isSet.withLock { $0 = true } }
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        /// What is answered to a request: the status, the body, and whether the connection stays.
        func ask(
            _ method: HTTPMethod, headers: HTTPHeaders, body: [Int] = [], ends: Bool = true
        ) throws -> (status: UInt, headers: HTTPHeaders, body: String)? {
            try channel.writeInbound(HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: method, uri: "/v1/x:commit", headers: headers)))
            for size in body { try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(repeating: 1, count: size))) }
            if ends { try channel.writeInbound(HTTPServerRequestPart.end(nil)) }
            return try parts()
        }

        func parts() throws -> (status: UInt, headers: HTTPHeaders, body: String)? {
            channel.embeddedEventLoop.run()
            var answer: (status: UInt, headers: HTTPHeaders, body: String)?
            while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
                switch part {
                case .head(let head): answer = (head.status.code, head.headers, "")
                case .body(.byteBuffer(let bytes)): answer?.body += String(buffer: bytes)
                default: break
                }
            }
            return answer
        }
    }

    private final class Flag: Sendable {
        let isSet = Mutex(false)
    }

    private final class CountingHTTP: HTTPService {
        private let count = Mutex(0)
        var calls: Int { count.withLock { $0 } }

        func handle(_ exchange: any HTTPExchange) { count.withLock { $0 += 1 } }
    }

    @Test(arguments: [
        (["host": "localhost", "origin": "https://evil.example", "content-type": "text/plain"], 403, "PERMISSION_DENIED"),
        (["host": "evil.example"], 421, "FAILED_PRECONDITION"), ([:], 400, "INVALID_ARGUMENT"),
        (["host": "evil.example", "origin": "http://evil.example"], 421, "FAILED_PRECONDITION"),
    ] as [([String: String], UInt, String)])
    func `a foreign page and a foreign host are refused before anything acts`(headers: [String: String], status: UInt, name: String) throws {
        let bench = try Bench()
        for _ in 1...2 {
            let answer = try bench.ask(.POST, headers: HTTPHeaders(headers.map { ($0, $1) }), body: [1_000, 1_000])
            #expect(answer?.status == status)
            #expect(answer?.body.contains("\"status\": \"\(name)\"") == true && answer?.body.contains("\"code\": \(status)") == true)
            #expect(answer?.headers["content-type"] == ["application/json; charset=utf-8"])
            #expect(answer?.headers.contains(name: "access-control-allow-origin") == false)
        }
        #expect(bench.service.calls == 0)
        #expect(bench.observer.lines.count == 2 && bench.observer.lines.allSatisfy { $0.hasPrefix("refused request ") })
        // The connection is good for the next request.
        #expect(!bench.isClosed)
    }

    @Test func `the answer to HEAD has no body`() throws {
        let answer = try Bench().ask(.HEAD, headers: ["host": "evil.example"])
        #expect(answer?.status == 421 && answer?.body.isEmpty == true)
    }

    @Test func `a client that waits to send its body is answered immediately, one that sends for ever is cut off`() throws {
        let waiting = try Bench().ask(.POST, headers: ["host": "evil.example", "expect": "100-continue"], ends: false)
        #expect(waiting?.status == 421 && waiting?.headers["connection"] == ["close"])
        let bench = try Bench(limits: RPCLimits(messageSize: 1_000))
        let long = try bench.ask(.POST, headers: ["host": "evil.example"], body: [600, 600], ends: false)
        #expect(long?.status == 421 && long?.headers["connection"] == ["close"])
        bench.channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        #expect(bench.isClosed)
    }

    @Test func `a body over the limit is refused with an error object, and the rest of it is let by`() throws {
        let bench = try Bench(limits: RPCLimits(messageSize: 1_000))
        let answer = try bench.ask(.POST, headers: ["host": "localhost"], body: [600, 600, 600], ends: false)
        #expect(answer?.status == 413 && answer?.body.contains("\"INVALID_ARGUMENT\"") == true)
        #expect(!bench.isClosed)
        try bench.channel.writeInbound(HTTPServerRequestPart.end(nil))
        bench.channel.embeddedEventLoop.run()
        #expect(bench.isClosed)
        #expect(bench.service.calls == 0)
        #expect(bench.observer.lines == ["refused request invalidArgument"])
    }

    @Test(arguments: [("999", "100-continue", 100), ("1000", "100-Continue", 100), ("1001", "100-continue", 413), ("99999999999", "100-continue", 413)] as [(String, String, UInt)])
    func `a client that asks before it sends learns whether the body is too large`(length: String, expect: String, status: UInt) throws {
        let bench = try Bench(limits: RPCLimits(messageSize: 1_000))
        let answer = try bench.ask(.POST, headers: ["host": "localhost", "expect": expect, "content-length": length], ends: false)
        #expect(answer?.status == status)
        if status == 413 { #expect(answer?.body.contains("exceeds the maximum of 1000 bytes") == true && answer?.headers["connection"] == ["close"]) }
        #expect(bench.service.calls == 0)
    }

    @Test(arguments: [
        (HTTPParserError.invalidMethod, 501, "UNIMPLEMENTED"), (.headerOverflow, 431, "INVALID_ARGUMENT"), (.invalidVersion, 400, "INVALID_ARGUMENT"),
        (.invalidChunkSize, 400, "INVALID_ARGUMENT"),
    ] as [(HTTPParserError, UInt, String)]) func `bytes that are not a request are answered with an error object`(error: HTTPParserError, status: UInt, name: String) throws {
        let bench = try Bench()
        bench.channel.pipeline.fireErrorCaught(error)
        let answer = try bench.parts()
        #expect(answer?.status == status && answer?.headers["connection"] == ["close"])
        #expect(answer?.body.contains("\"status\": \"\(name)\"") == true && answer?.body.contains("\"code\": \(status)") == true)
        #expect(bench.isClosed)
    }

    @Test func `what is left of a request when the connection closes is not answered`() throws {
        let bench = try Bench()
        try bench.channel.close().wait()
        bench.channel.pipeline.fireErrorCaught(HTTPParserError.invalidMethod)
        #expect(try bench.parts() == nil)
    }
}
