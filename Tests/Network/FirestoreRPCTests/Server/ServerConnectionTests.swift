// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import Foundation
import NIOCore
import NIOEmbedded
import NIOHPACK
import TestSupport
import Testing

@testable import FirestoreRPC

/// The server's core, without sockets.
struct ServerConnectionTests {
    @Test func `calls read together are one batch, their answers one flush`() {
        let bench = CoreBench()
        // The first calls of a connection are few.
        _ = bench.turn {
            bench.headers(1, "/test.Echo/Unary")
            bench.data(1, CoreBench.framed("1"), end: true)
        }
        bench.port.flushes = 0
        let said = bench.turn {
            for stream in stride(from: 3, through: 11, by: 2) {
                bench.headers(stream, "/test.Echo/Unary")
                bench.data(stream, CoreBench.framed("\(stream)"), end: true)
            }
        }
        #expect(said.first == "batch 5")
        #expect(said.count == 16)
        #expect(bench.port.flushes == 1)
    }

    @Test func `calls of one connection share a memory, and connections none`() {
        for _ in 0..<2 {
            let bench = CoreBench()
            for (stream, line) in [(1, "new"), (3, "known")] {
                let said = bench.turn {
                    bench.headers(stream, "/test.Echo/Known")
                    bench.data(stream, CoreBench.framed("token"), end: true)
                }
                #expect(said.first == line)
            }
        }
    }

    @Test(arguments: [
        (":method", "GET", "headers 1 405"), ("content-type", "application/grpc-web", "headers 1 415"),
        (":path", "/test.Echo/Nothing", "trailers 1 unimplemented alone stop"), ("grpc-encoding", "br", "trailers 1 unimplemented alone stop"),
        ("grpc-timeout", "soon", "trailers 1 internal alone stop"), ("grpc-timeout", "123456789S", "trailers 1 internal alone stop"),
    ])
    func `a call with a bad header is rejected before its first message`(name: String, value: String, answer: String) {
        let bench = CoreBench()
        var fields: HPACKHeaders = [":method": "POST", ":scheme": "http", ":path": "/test.Echo/Unary", "content-type": "application/grpc"]
        fields.replaceOrAdd(name: name, value: value)
        let said = bench.turn { bench.core.receiveHeaders(1, fields, end: false) }
        #expect(said.first == answer)
        // What gRPC has no status for is answered with an error object.
        if answer.hasPrefix("headers") { #expect(said.count == 2 && said[1].hasSuffix(" end stop")) } else { #expect(said.count == 1) }
        #expect(bench.core.openStreams == 0)
        #expect(bench.turn { bench.data(1, [1, 2, 3], end: true) } == [])
    }

    @Test(arguments: [
        ("evil.example", nil, "421"), (nil, nil, "400"), ("localhost:1", "https://evil.example", "403"), ("evil.example", "http://evil.example", "421"),
    ] as [(String?, String?, String)])
    func `calls for a foreign host and of a foreign page are rejected before anything acts`(authority: String?, origin: String?, status: String) {
        for type in ["application/grpc", "application/json"] {
            let bench = CoreBench(doorkeeper: Doorkeeper(policy: AccessPolicy(), isEncrypted: false))
            var fields: HPACKHeaders = [":method": "POST", ":scheme": "http", ":path": "/test.Echo/Unary"]
            if let authority { fields.add(name: ":authority", value: authority) }
            fields.add(name: "content-type", value: type)
            if let origin { fields.add(name: "origin", value: origin) }
            let said = bench.turn {
                bench.core.receiveHeaders(1, fields, end: false)
                bench.data(1, CoreBench.framed("ab"), end: true)
            }
            if type == "application/grpc" {
                #expect(said == ["headers 1 \(status) end stop"])
            } else {
                // Not while the client sends: curl loses an answer that comes with a reset.
                #expect(said.count == 2 && said[0] == "headers 1 \(status)" && said[1].hasPrefix("data 1 ") && said[1].hasSuffix(" end"))
                bench.core.streamClosed(1)
            }
            #expect(bench.core.openStreams == 0)
        }
    }

    @Test func `a request that is turned away and does not end is stopped`() {
        let bench = CoreBench(limits: RPCLimits(messageSize: 1_000), doorkeeper: Doorkeeper(policy: AccessPolicy(), isEncrypted: false))
        let head: HPACKHeaders = [":method": "POST", ":scheme": "http", ":path": "/post", ":authority": "evil.example"]
        #expect(bench.turn { bench.core.receiveHeaders(1, head, end: false) } == [])
        #expect(bench.turn { bench.data(1, [UInt8](repeating: 0, count: 800)) } == [])
        let said = bench.turn { bench.data(1, [UInt8](repeating: 0, count: 800)) }
        #expect(said.first == "headers 1 421" && said.last?.hasSuffix(" end stop") == true)
    }

    @Test func `the next call of a connection is checked as the first one was`() {
        let bench = CoreBench(doorkeeper: Doorkeeper(policy: AccessPolicy(), isEncrypted: false))
        func ask(_ stream: StreamID, _ authority: String, _ more: [(String, String)] = []) -> [String] {
            var fields: HPACKHeaders = [":method": "POST", ":scheme": "http", ":path": "/test.Echo/Unary", ":authority": authority, "content-type": "application/grpc"]
            for (name, value) in more { fields.add(name: name, value: value) }
            return bench.turn {
                bench.core.receiveHeaders(stream, fields, end: false)
                bench.data(stream, CoreBench.framed("ab"), end: true)
            }
        }
        #expect(ask(1, "localhost:1").first == "batch 1")
        #expect(ask(3, "localhost:1").first == "batch 1")
        #expect(ask(5, "evil.example") == ["headers 5 421 end stop"])
        #expect(ask(7, "localhost:1", [("host", "evil.example")]) == ["headers 7 400 end stop"])
        #expect(ask(9, "localhost:1", [("origin", "null")]) == ["headers 9 403 end stop"])
        #expect(ask(11, "localhost:1").first == "batch 1")
    }

    @Test func `an observer is notified once of every request that is turned away`() {
        let observer = CountingObserver()
        let bench = CoreBench(
            limits: RPCLimits(messageSize: 1_000), doorkeeper: Doorkeeper(policy: AccessPolicy(), isEncrypted: false), observer: observer)
        func ask(_ stream: StreamID, _ authority: String, _ path: String, _ type: String, _ size: Int = 10, origin: String? = nil) {
            var fields: HPACKHeaders = [":method": "POST", ":scheme": "http", ":path": path, ":authority": authority, "content-type": type]
            if let origin { fields.add(name: "origin", value: origin) }
            _ = bench.turn {
                bench.core.receiveHeaders(stream, fields, end: false)
                bench.data(stream, [UInt8](repeating: 0, count: size), end: true)
            }
        }
        ask(1, "evil.example", "/test.Echo/Unary", "application/grpc")
        ask(3, "evil.example", "/post", "application/json")
        ask(5, "localhost", "/post", "application/json", origin: "https://evil.example")
        ask(7, "localhost", "/post", "application/json", 2_000)
        ask(9, "localhost", "/test.Echo/Nothing", "application/grpc")
        ask(11, "localhost", "/test.Echo/Unary", "application/grpc-web")
        #expect(observer.lines == [
            "refused call failedPrecondition", "refused request failedPrecondition", "refused request permissionDenied", "refused request invalidArgument",
            "refused call unimplemented", "refused call invalidArgument",
        ])
    }

    @Test func `a gRPC client that is turned away reads a status`() {
        let fields = StatusHeaders.alone(HTTPRefusal(421, .failedPrecondition, "FAILED_PRECONDITION", "not here"))
        #expect(fields.map { "\($0.name) \($0.value)" } == [":status 421", "content-type application/grpc", "grpc-status 9", "grpc-message not here"])
    }

    @Test func `the answer to HEAD has no body`() {
        let bench = CoreBench()
        let said = bench.turn { bench.core.receiveHeaders(1, [":method": "HEAD", ":scheme": "http", ":path": "/page", ":authority": "localhost"], end: true) }
        #expect(said == ["headers 1 200", "data 1 0 end"])
    }

    @Test func `windows are given back by halves, the connection's also for streams that are gone`() {
        let bench = CoreBench(limits: RPCLimits(streamWindow: 100, connectionWindow: 100))
        _ = bench.turn {
            bench.headers(1, "/test.Echo/Chat")
            bench.data(1, [0, 0, 0, 3, 0] + [UInt8](repeating: 0, count: 44))
        }
        #expect(bench.port.windows == [:])
        _ = bench.turn { bench.data(1, [0]) }
        #expect(bench.port.windows == [0: 50, 1: 50])
        _ = bench.turn { bench.data(99, [UInt8](repeating: 0, count: 60)) }
        #expect(bench.port.windows == [0: 110, 1: 50])
    }

    @Test func `a stream that does not read has no window, then receives all messages`() {
        let bench = CoreBench(limits: RPCLimits(streamWindow: 20, connectionWindow: 1000))
        _ = bench.turn { bench.headers(1, "/test.Echo/Chat") }
        let handler = bench.service.journal.handlers.last
        handler?.call.setReading(false)
        #expect(bench.turn { bench.data(1, CoreBench.framed("one") + CoreBench.framed("two")) } == [])
        #expect(bench.port.windows[1] == nil)
        handler?.call.setReading(true)
        bench.loop.run()
        #expect(bench.port.lines == ["headers 1", "data 1 16"])
        #expect(bench.port.windows[1] == 16)
    }

    @Test func `a connection that is lost in the middle of a turn releases everything`() {
        // NIO reports no end of reading on a channel that was closed while it was read from.
        weak var core: ServerConnection?
        weak var handler: ChatHandler?
        do {
            let bench = CoreBench()
            core = bench.core
            bench.core.beginTurn()
            bench.headers(1, "/test.Echo/Chat")
            bench.headers(3, "/test.Echo/Hang")
            bench.data(1, CoreBench.framed("one"))
            bench.core.connectionLost(RPCStatus(.unavailable, "lost"))
            handler = bench.service.journal.handlers.last
            // Messages sent from here on have no receiver.
            handler?.call.send([1])
            for call in bench.service.journal.calls { call.respond(.success([])) }
            bench.loop.run()
            bench.service.journal.forget()
        }
        #expect(handler == nil)
        #expect(core == nil)
    }

    @Test func `requests that wait for their answers hold back the connection's window`() {
        let bench = CoreBench(limits: RPCLimits(streamWindow: 4000, connectionWindow: 1000, heldPerConnection: 500))
        let large = CoreBench.framed(String(repeating: "x", count: 600))
        _ = bench.turn {
            bench.headers(1, "/test.Echo/Hang")
            bench.data(1, large, end: true)
        }
        #expect(bench.port.windows[0] == nil)
        for call in bench.service.journal.calls { call.respond(.success([])) }
        bench.loop.run()
        _ = bench.turn { bench.core.streamClosed(1) }
        #expect(bench.port.windows[0] == large.count)
    }

    @Test func `messages that do not become complete are bounded over all streams`() {
        let bench = CoreBench(limits: RPCLimits(collectingPerConnection: 1000))
        let part: [UInt8] = [0, 0, 0, 8, 0] + [UInt8](repeating: 0, count: 395)
        var said: [String] = []
        for stream in [1, 3, 5] {
            said += bench.turn {
                bench.headers(stream, "/test.Echo/Unary")
                bench.data(stream, part)
            }
        }
        #expect(said == ["trailers 5 resourceExhausted alone stop"])
    }

    @Test func `a stream is writable up to the high mark, and again below the low one`() {
        let bench = CoreBench(limits: RPCLimits(unconfirmedHighMark: 100, unconfirmedLowMark: 20))
        _ = bench.turn {
            bench.headers(1, "/test.Echo/Many")
            bench.data(1, CoreBench.framed("10 30"), end: true)
        }
        // 30 bytes each: the fourth goes beyond 100.
        func sent() -> Int { bench.port.unconfirmed.map(\.bytes).reduce(0, +) }
        #expect(sent() == 120)
        for _ in 0..<3 { bench.core.confirmed(1, 30) }
        #expect(sent() == 120)
        bench.core.confirmed(1, 30)
        bench.loop.run()
        #expect(sent() == 240)
    }

    @Test func `draining asks streams to end`() {
        let bench = CoreBench()
        _ = bench.turn { bench.headers(1, "/test.Echo/Listen") }
        bench.core.drain()
        bench.loop.run()
        #expect(bench.port.lines == ["headers 1", "data 1 10", "trailers 1 unavailable stop"])
    }

    @Test func `however the bytes are cut, the same messages are delivered`() {
        var random = SeededGenerator(seed: 4)
        for round in 0..<TestScale.pick(quick: 50, full: 500) {
            let messages = (0..<Int.random(in: 1...20, using: &random)).map { index in
                String(repeating: "m\(index) ", count: Int.random(in: 0...200, using: &random))
            }
            let bytes = messages.flatMap { CoreBench.framed($0) }
            let bench = CoreBench()
            var rest = bytes[...]
            var said = bench.turn { bench.headers(1, "/test.Echo/Chat") }
            while !rest.isEmpty {
                let count = min(rest.count, Int.random(in: 0...(round % 2 == 0 ? 7 : 900), using: &random))
                said += bench.turn { bench.data(1, Array(rest.prefix(count)), end: count == rest.count) }
                rest = rest.dropFirst(count)
            }
            // Messages that wait together leave together.
            let sizes = said.filter { $0.hasPrefix("data 1 ") }.compactMap { Int($0.dropFirst(7)) }
            #expect(sizes.reduce(0, +) == bytes.count)
            #expect(said.filter { !$0.hasPrefix("data 1 ") }.sorted() == ["chat ended ok", "headers 1", "trailers 1 ok"])
        }
    }
}
