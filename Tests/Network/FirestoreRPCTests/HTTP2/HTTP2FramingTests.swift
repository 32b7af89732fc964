// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOHPACK
import Testing

@testable import FirestoreRPC

/// What the framing makes of frames, by sections of RFC 9113.
struct HTTP2FramingTests {
    private typealias Kind = Frames.Kind
    private typealias Flag = Frames.Flag

    private typealias Bench = FramingBench

    // MARK: Greetings (3.4, 6.5)

    @Test func `both sides greet with SETTINGS, and the client with the preface first`() {
        let limits = RPCLimits(streamWindow: 100_000, connectionWindow: 200_000, concurrentStreams: 5, headerListSize: 4000)
        var server = Bench(.server, limits: limits, greeted: false)
        #expect(server.output() == ["settings 3=5 4=100000 6=4000", "window 0 134465"])
        var client = Bench(.client, limits: limits, greeted: false)
        #expect(client.output() == ["preface", "settings 3=5 4=100000 6=4000 2=0", "window 0 134465"])
    }

    @Test func `a preface arrives in pieces, and another one ends the connection`() {
        var bench = Bench(greeted: false)
        _ = bench.output()
        var preface = Frames.preface
        while let byte = preface.readSlice(length: 1) { #expect(bench.receive(byte) == []) }
        #expect(bench.receive(Frames.settings()) == [])
        #expect(bench.output() == ["settings ack"])

        var other = Bench(greeted: false)
        _ = other.output()
        #expect(other.receive(ByteBuffer(string: "PRI * HTTP/3")) == ["failed: protocol error"])
        #expect(other.output() == ["go away after 0: protocol error"])
        #expect(other.receive(Frames.settings()) == [])
    }

    @Test(arguments: [HTTP2Framing.Role.server, .client])
    func `the first frame is SETTINGS`(_ role: HTTP2Framing.Role) {
        for frame in [Frames.ping(1), Frames.settings(ack: true), Frames.headers(1, Frames.call)] {
            var bench = Bench(role, greeted: false)
            if role == .server { bench.framing.receive(Frames.preface) }
            #expect(bench.receive(frame) == ["failed: protocol error"])
        }
    }

    // MARK: A call

    @Test func `a call goes back and forth and is closed`() {
        var bench = Bench()
        #expect(bench.receive(Frames.headers(1, Frames.call), Frames.data(1, 5, end: true)) == ["headers 1 5", "data 1 5 of 5 end"])
        bench.framing.headers(1, encoded: StatusHeaders.encodedResponse, fields: [:], end: .no)
        bench.framing.data(1, ByteBuffer(string: "abc"), end: .no, confirms: 3)
        bench.framing.headers(1, encoded: StatusHeaders.encodedTrailersOK, fields: [:], end: .yes)
        #expect(
            bench.output() == ["headers 1 :status=200 content-type=application/grpc", "data 1 3", "headers 1 grpc-status=0 end"])
        #expect(bench.events() == ["closed 1"])
        #expect(bench.confirmed.map(\.bytes) == [3])
        #expect(bench.framing.streams.isEmpty && bench.framing.openCount == 0)
        // A silent connection keeps no buffer.
        #expect(bench.framing.input.capacity == 0)
    }

    @Test func `blocks without a table are what the library makes of the fields`() throws {
        for (block, fields) in [
            (StatusHeaders.encodedResponse, StatusHeaders.response), (StatusHeaders.encodedTrailersOK, StatusHeaders.trailersOK),
        ] {
            var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
            var bytes = ByteBuffer(bytes: block)
            #expect(try decoder.decodeHeaders(from: &bytes).map { $0.name + $0.value } == fields.map { $0.name + $0.value })
            // Nothing was put into the table: its first place is empty.
            bytes = ByteBuffer(bytes: [0x80 | 62])
            #expect(throws: (any Error).self) { try decoder.decodeHeaders(from: &bytes) }
        }
    }

    @Test func `a side that answers early asks the other to stop, and ignores what it still sends`() {
        var bench = Bench(limits: RPCLimits(connectionWindow: 1 << 20))
        _ = bench.receive(Frames.headers(1, Frames.call))
        bench.framing.headers(1, ["grpc-status": "12"], end: .yesAndStop)
        #expect(bench.output() == ["headers 1 grpc-status=12 end", "reset 1 no error"])
        #expect(bench.events() == ["closed 1"])
        // Data counts for the window of the connection.
        #expect(bench.receive(Frames.data(1, 10), Frames.headers(1, [("a", "b")], end: true)) == ["data 1 0 of 10"])
        #expect(bench.receive(Frames.reset(1, .cancel), Frames.windowUpdate(1, 5)) == [])
        bench.framing.data(1, ByteBuffer(string: "late"), end: .yes, confirms: 4)
        bench.framing.reset(1, .cancel)
        #expect(bench.output() == [])
    }

    @Test func `a reset drops what waits`() {
        var bench = Bench()
        _ = bench.receive(Frames.settings([(4, 3)]), Frames.headers(1, Frames.call, end: true))
        _ = bench.output()
        bench.framing.headers(1, [":status": "200"], end: .no)
        bench.framing.data(1, ByteBuffer(string: "abcdef"), end: .no, confirms: 6)
        bench.framing.headers(1, ["a": "b"], end: .yes)
        #expect(bench.output() == ["headers 1 :status=200", "data 1 3"])
        #expect(bench.receive(Frames.reset(1, .cancel)) == ["reset 1 cancel", "closed 1"])
        #expect(bench.receive(Frames.windowUpdate(1, 100)) == [])
        #expect(bench.output() == [])
        #expect(bench.confirmed.isEmpty)
    }

    @Test func `headers are split where they are longer than a frame, and put together`() {
        var bench = Bench()
        _ = bench.receive(Frames.headers(1, Frames.call, end: true))
        bench.framing.headers(1, [":status": "200", "long": String(repeating: "é", count: 9000)], end: .no)
        var fields = FrameReader()
        let output = bench.framing.output.take()?.bytes ?? ByteBuffer()
        let lines = fields.lines(output)
        #expect(lines.first?.hasPrefix("headers 1 ") == true && lines.first?.hasSuffix(" …") == true)
        #expect(lines.dropFirst().dropLast().allSatisfy { $0 == "continuation 1 …" })
        #expect(lines.last == "continuation 1")

        let block = Frames.block(Frames.call)
        #expect(
            bench.receive(
                Frames.frame(Kind.headers, 3, flags: Flag.endStream, Array(block[..<10])),
                Frames.frame(Kind.continuation, 3, Array(block[10..<11])),
                Frames.frame(Kind.continuation, 3, flags: Flag.endHeaders, Array(block[11...]))) == ["headers 3 5 end"])
    }

    @Test func `padding and priorities are removed, and counted`() {
        var bench = Bench()
        let block = Frames.block(Frames.call)
        let padded = Frames.frame(
            Kind.headers, 1, flags: Flag.endHeaders | Flag.padded | Flag.priority, [3, 0, 0, 0, 0, 9] + block + [0, 0, 0])
        #expect(bench.receive(padded) == ["headers 1 5"])
        #expect(bench.receive(Frames.frame(Kind.data, 1, flags: Flag.padded, [2, 7, 7, 7, 0, 0])) == ["data 1 3 of 6"])
        #expect(bench.receive(Frames.frame(Kind.data, 1, flags: Flag.padded | Flag.endStream, [0])) == ["data 1 0 of 1 end"])
        #expect(bench.receive(Frames.frame(Kind.priority, 1, [0, 0, 0, 0, 1]), Frames.frame(99, 7, [1])) == [])
    }

    // MARK: Windows (6.9)

    @Test func `data waits for both windows, and streams take turns`() {
        var bench = Bench()
        _ = bench.receive(Frames.settings([(4, 20_000)]), Frames.headers(1, Frames.call, end: true), Frames.headers(3, Frames.call, end: true))
        _ = bench.output()
        for id in [1, 3] {
            bench.framing.data(id, ByteBuffer(repeating: 1, count: 40_000), end: .no, confirms: 40_000)
            bench.framing.data(id, ByteBuffer(), end: .yes, confirms: 0)
        }
        #expect(bench.output() == ["data 1 16384", "data 1 3616", "data 3 16384", "data 3 3616"])
        // 25,535 bytes are left for the connection.
        #expect(bench.receive(Frames.windowUpdate(1, 30_000), Frames.windowUpdate(3, 30_000)) == ["closed 1"])
        #expect(bench.output() == ["data 1 16384", "data 1 3616", "data 1 0 end", "data 3 5535"])
        #expect(bench.confirmed.map(\.stream) == [1])
        #expect(bench.receive(Frames.windowUpdate(0, 1 << 20)) == ["closed 3"])
        #expect(bench.output() == ["data 3 14465", "data 3 0 end"])
    }

    @Test func `a smaller initial window makes windows negative`() {
        var bench = Bench()
        _ = bench.receive(Frames.headers(1, Frames.call, end: true))
        bench.framing.data(1, ByteBuffer(repeating: 1, count: 1000), end: .no, confirms: 0)
        _ = bench.receive(Frames.settings([(4, 500)]))
        _ = bench.output()
        bench.framing.data(1, ByteBuffer(repeating: 1, count: 10), end: .yes, confirms: 0)
        _ = bench.receive(Frames.windowUpdate(1, 500))
        #expect(bench.output() == [])
        _ = bench.receive(Frames.windowUpdate(1, 9))
        #expect(bench.output() == ["data 1 9"])
        _ = bench.receive(Frames.settings([(4, 501)]))
        #expect(bench.output() == ["data 1 1 end", "settings ack"])
    }

    @Test func `the peer has as much window as it was given`() {
        let limits = RPCLimits(streamWindow: 100, connectionWindow: 65_535)
        var bench = Bench(limits: limits)
        _ = bench.receive(Frames.headers(1, Frames.call), Frames.headers(3, Frames.call))
        #expect(bench.receive(Frames.data(1, 100)) == ["data 1 100 of 100"])
        bench.framing.windowUpdate(1, 50)
        #expect(bench.output() == ["window 1 50"])
        #expect(bench.receive(Frames.data(1, 50)) == ["data 1 50 of 50"])
        // The other stream is not affected.
        #expect(bench.receive(Frames.data(1, 1), Frames.data(3, 1)) == ["data 1 0 of 1", "closed 1", "data 3 1 of 1"])
        #expect(bench.output() == ["reset 1 flow control error"])

        var all = Bench(limits: RPCLimits(streamWindow: 1 << 20, connectionWindow: 65_535))
        _ = all.receive(Frames.headers(1, Frames.call))
        for _ in 0..<3 { #expect(all.receive(Frames.data(1, 16_384)) == ["data 1 16384 of 16384"]) }
        #expect(all.receive(Frames.data(1, 16_384)) == ["failed: flow control error"])
    }

    @Test func `before its acknowledgement, the peer uses the window of the protocol`() {
        var bench = Bench(limits: RPCLimits(streamWindow: 10), greeted: false)
        bench.framing.receive(Frames.preface)
        _ = bench.receive(Frames.settings(), Frames.headers(1, Frames.call))
        #expect(bench.receive(Frames.data(1, 60)) == ["data 1 60 of 60"])
        bench.framing.windowUpdate(1, 60)
        #expect(bench.receive(Frames.settings(ack: true), Frames.data(1, 10)) == ["data 1 10 of 10"])
        #expect(bench.receive(Frames.data(1, 1)) == ["data 1 0 of 1", "closed 1"])
    }

    // MARK: The client's streams (5.1.2)

    @Test func `streams beyond what the server allows wait for their turn`() {
        var bench = Bench(.client)
        _ = bench.receive(Frames.settings([(3, 2)]))
        _ = bench.output()
        for id in [1, 3, 5, 7, 9] {
            bench.framing.headers(id, ["n": "\(id)"], end: .no)
            bench.framing.data(id, ByteBuffer(string: "abc"), end: .yes, confirms: 0)
        }
        #expect(bench.output() == ["headers 1 n=1", "data 1 3 end", "headers 3 n=3", "data 3 3 end"])
        // One that waits is reset without a word.
        bench.framing.reset(5, .cancel)
        #expect(bench.events() == ["closed 5"])
        #expect(bench.output() == [])
        #expect(
            bench.receive(Frames.headers(1, [(":status", "200")]), Frames.headers(1, [("grpc-status", "0")], end: true))
                == ["headers 1 1", "headers 1 1 end", "closed 1"])
        #expect(bench.output() == ["headers 7 n=7", "data 7 3 end"])
        _ = bench.receive(Frames.settings([(3, 3)]))
        #expect(bench.output() == ["headers 9 n=9", "data 9 3 end", "settings ack"])
    }

    @Test func `a GOAWAY ends the streams that the server does not take`() {
        var bench = Bench(.client)
        _ = bench.receive(Frames.settings([(3, 2)]))
        for id in [1, 3, 5] { bench.framing.headers(id, ["n": "\(id)"], end: .yes) }
        #expect(bench.receive(Frames.goAway(HTTP2Settings.largestWindow)) == ["go away after 2147483647", "reset 5 refused stream", "closed 5"])
        #expect(bench.receive(Frames.goAway(1)) == ["go away after 1", "closed 3"])
        #expect(bench.receive(Frames.headers(1, [(":status", "200")], end: true)) == ["headers 1 1 end", "closed 1"])
        #expect(bench.framing.streams.isEmpty && bench.framing.unopened.isEmpty)
    }

    @Test func `interim answers precede the answer`() {
        var bench = Bench(.client)
        bench.framing.headers(1, ["n": "1"], end: .yes)
        #expect(bench.receive(Frames.headers(1, [(":status", "103")])) == ["headers 1 1"])
        #expect(bench.receive(Frames.headers(1, [(":status", "200")], end: true)) == ["headers 1 1 end", "closed 1"])
    }

    // MARK: Settings, pings, GOAWAY

    @Test func `pings are answered, and answers are events`() {
        var bench = Bench()
        #expect(bench.receive(Frames.ping(7), Frames.ping(8, ack: true)) == ["pong 8"])
        #expect(bench.output() == ["ping 7 ack"])
        bench.framing.ping(9)
        #expect(bench.output() == ["ping 9"])
    }

    @Test func `streams behind the last GOAWAY are ignored, but their headers are decoded`() {
        var bench = Bench()
        _ = bench.receive(Frames.headers(1, Frames.call))
        bench.framing.goAway(last: HTTP2Settings.largestWindow)
        #expect(bench.receive(Frames.headers(3, Frames.call)) == ["headers 3 5"])
        bench.framing.goAway(last: 3)
        #expect(bench.output() == ["go away after 2147483647: no error", "go away after 3: no error"])
        #expect(bench.receive(Frames.headers(5, Frames.call), Frames.data(5, 3), Frames.data(3, 3)) == ["data 5 0 of 3", "data 3 3 of 3"])
        #expect(bench.receive(Frames.goAway(0)) == ["go away after 0"])
    }

    @Test func `a smaller table is announced before fields are encoded`() throws {
        var bench = Bench()
        _ = bench.receive(Frames.headers(1, Frames.call, end: true), Frames.settings([(1, 0)]))
        _ = bench.framing.output.take()
        bench.framing.headers(1, encoded: StatusHeaders.encodedResponse, fields: StatusHeaders.response, end: .no)
        bench.framing.headers(1, encoded: StatusHeaders.encodedTrailersOK, fields: StatusHeaders.trailersOK, end: .yes)
        let output = bench.framing.output.take()?.bytes ?? ByteBuffer()
        #expect(output.getInteger(at: 9, as: UInt8.self) == 0x20)
        #expect(bench.reader.lines(output).last == "headers 1 grpc-status=0 end")
    }

    // MARK: Violations

    private static let long = [UInt8](repeating: 0, count: 16_385)

    /// What a server makes of a frame; stream 1 is open, stream 3 half-closed by the client, stream 5 closed by both, 7 is idle.
    @Test(
        arguments: [
            // 4.2, 4.3
            ("frame too long", Frames.frame(Kind.data, 1, long), "failed: frame size error"),
            ("fields not compressed rightly", Frames.frame(Kind.headers, 7, flags: Flag.endHeaders, [0x80]), "failed: compression error"),
            // 5.1
            ("data for an idle stream", Frames.data(7, 1), "failed: protocol error"),
            ("reset of an idle stream", Frames.reset(7, .cancel), "failed: protocol error"),
            ("window of an idle stream", Frames.windowUpdate(7, 1), "failed: protocol error"),
            ("data on a half-closed stream", Frames.data(3, 1), "data 3 0 of 1, closed 3 / reset 3 stream closed"),
            ("headers on a half-closed stream", Frames.headers(3, [("a", "b")], end: true), "closed 3 / reset 3 stream closed"),
            ("data on a closed stream", Frames.data(5, 1), "failed: stream closed"),
            ("headers on a closed stream", Frames.headers(5, Frames.call), "failed: stream closed"),
            ("window of a closed stream", Frames.windowUpdate(5, 1), ""),
            ("headers on an even stream", Frames.headers(2, Frames.call), "failed: protocol error"),
            ("data on an even stream", Frames.data(2, 1), "failed: protocol error"),
            // 6
            ("data on the connection", Frames.data(0, 1), "failed: protocol error"),
            ("headers on the connection", Frames.headers(0, Frames.call), "failed: protocol error"),
            ("reset on the connection", Frames.reset(0, .cancel), "failed: protocol error"),
            ("more padding than data", Frames.frame(Kind.data, 1, flags: Flag.padded, [4, 0, 0, 0]), "failed: protocol error"),
            ("padding without its length", Frames.frame(Kind.data, 1, flags: Flag.padded), "failed: protocol error"),
            ("priority cut off", Frames.frame(Kind.headers, 7, flags: Flag.endHeaders | Flag.priority, [0]), "failed: frame size error"),
            ("priority of four bytes", Frames.frame(Kind.priority, 1, [0, 0, 0, 0]), "failed: frame size error"),
            ("reset of three bytes", Frames.frame(Kind.reset, 1, [0, 0, 0]), "failed: frame size error"),
            ("settings on a stream", Frames.frame(Kind.settings, 1), "failed: protocol error"),
            ("settings of five bytes", Frames.frame(Kind.settings, 0, [0, 0, 0, 0, 0]), "failed: frame size error"),
            ("an acknowledgement with settings", Frames.frame(Kind.settings, 0, flags: 1, [0, 3, 0, 0, 0, 0]), "failed: frame size error"),
            ("push of 2", Frames.settings([(2, 2)]), "failed: protocol error"),
            ("a window too large", Frames.settings([(4, 1 << 31)]), "failed: flow control error"),
            ("frames too small", Frames.settings([(5, 16_383)]), "failed: protocol error"),
            ("frames too large", Frames.settings([(5, 1 << 24)]), "failed: protocol error"),
            ("unknown settings", Frames.settings([(99, 7)]), " / settings ack"),
            ("a push", Frames.frame(Kind.pushPromise, 1, flags: Flag.endHeaders, [0, 0, 0, 2]), "failed: protocol error"),
            ("ping on a stream", Frames.frame(Kind.ping, 1, [UInt8](repeating: 0, count: 8)), "failed: protocol error"),
            ("ping of seven bytes", Frames.frame(Kind.ping, 0, [UInt8](repeating: 0, count: 7)), "failed: frame size error"),
            ("go away on a stream", Frames.frame(Kind.goAway, 1, [UInt8](repeating: 0, count: 8)), "failed: protocol error"),
            ("go away of seven bytes", Frames.frame(Kind.goAway, 0, [UInt8](repeating: 0, count: 7)), "failed: frame size error"),
            ("window of three bytes", Frames.frame(Kind.windowUpdate, 0, [0, 0, 1]), "failed: frame size error"),
            ("no more window for the connection", Frames.windowUpdate(0, 0), "failed: protocol error"),
            ("no more window for a stream", Frames.windowUpdate(1, 0), "closed 1 / reset 1 protocol error"),
            ("a connection's window too large", Frames.windowUpdate(0, 0x7FFF_FFFF), "failed: flow control error"),
            ("a stream's window too large", Frames.windowUpdate(1, 0x7FFF_FFFF), "closed 1 / reset 1 flow control error"),
            ("a continuation of nothing", Frames.frame(Kind.continuation, 1, flags: Flag.endHeaders), "failed: protocol error"),
            // 8.1
            ("trailers that do not end", Frames.headers(1, [("a", "b")]), "closed 1 / reset 1 protocol error"),
            ("trailers with a method", Frames.headers(1, [(":method", "GET")], end: true), "closed 1 / reset 1 protocol error"),
            ("a request without a path", Frames.headers(7, [(":method", "GET"), (":scheme", "http")]), " / reset 7 protocol error"),
            (
                "less data than announced", Frames.headers(7, Frames.request + [("content-length", "4")], end: true),
                " / reset 7 protocol error"
            ),
        ] as [(String, ByteBuffer, String)]
    )
    func `violations are answered as the RFC says`(_ name: String, _ frame: ByteBuffer, _ expected: String) {
        var bench = Bench()
        _ = bench.receive(Frames.headers(1, Frames.call), Frames.headers(3, Frames.call, end: true), Frames.headers(5, Frames.call, end: true))
        bench.framing.headers(5, [":status": "200"], end: .yes)
        _ = (bench.events(), bench.output())
        let events = bench.receive(frame).joined(separator: ", ")
        if events.hasPrefix("failed") {
            #expect(events == expected)
            #expect(bench.output() == ["go away after 5: \(events.dropFirst("failed: ".count))"])
            #expect(bench.receive(Frames.ping(1)) == [])
        } else {
            let output = bench.output()
            #expect(events + (output.isEmpty ? "" : " / " + output.joined(separator: ", ")) == expected)
            // The connection continues.
            #expect(bench.receive(Frames.ping(1, ack: true)) == ["pong 1"])
        }
    }

    @Test func `only its continuation may follow a part of a block`() {
        let part = Frames.headers(7, Frames.call, complete: false)
        for frame in [Frames.ping(1), Frames.data(1, 1), Frames.frame(Kind.continuation, 9), Frames.settings()] {
            var bench = Bench()
            #expect(bench.receive(part, frame) == ["failed: protocol error"])
        }
    }

    @Test func `data must be as long as announced`() {
        for (counts, end, isRight) in [([3, 1], true, true), ([3], true, false), ([3, 2], false, false), ([4, 0], true, true)] {
            var bench = Bench()
            _ = bench.receive(Frames.headers(1, Frames.request + [("content-length", "4")]))
            for (number, count) in counts.enumerated() {
                bench.framing.receive(Frames.data(1, count, end: end && number == counts.count - 1))
            }
            #expect(bench.events().contains("closed 1") == !isRight)
            #expect(bench.output() == (isRight ? [] : ["reset 1 protocol error"]))
        }
    }

    @Test(
        arguments: [
            (Frames.request, true),
            ([(":method", "CONNECT"), (":authority", "localhost")], true),
            ([(":method", "CONNECT")] + Array(Frames.request.dropFirst()), false),
            ([(":method", "GET"), (":path", "/"), (":scheme", "http"), (":path", "/")], false),
            ([(":method", "GET"), (":path", ""), (":scheme", "http")], false),
            ([("a", "b")] + Frames.request, false),
            (Frames.request + [(":status", "200")], false),
            (Frames.request + [(":unknown", "x")], false),
            (Frames.request + [("", "x")], false),
            (Frames.request + [("Upper", "x")], false),
            (Frames.request + [("sp ace", "x")], false),
            (Frames.request + [("ünicode", "x")], false),
            (Frames.request + [("value", "ünicode")], true),
            (Frames.request + [("empty", "")], true),
            (Frames.request + [("value", " x")], false),
            (Frames.request + [("value", "x\t")], false),
            (Frames.request + [("value", "a long value in several words\ttab")], true),
            (Frames.request + [("value", "a long value in several\r\nlines")], false),
            (Frames.request + [("value", "a\0b")], false),
            (Frames.request + [("value", "12345678\n")], false),
            (Frames.request + [("te", "trailers")], true),
            (Frames.request + [("te", "gzip")], false),
            (Frames.request + [("connection", "close")], false),
            (Frames.request + [("keep-alive", "1")], false),
            (Frames.request + [("upgrade", "h2c")], false),
            (Frames.request + [("proxy-connection", "close")], false),
            (Frames.request + [("transfer-encoding", "chunked")], false),
            (Frames.request + [("content-length", "5"), ("content-length", "5")], true),
            (Frames.request + [("content-length", "5"), ("content-length", "6")], false),
            (Frames.request + [("content-length", "-5")], false),
            (Frames.request + [("content-length", "99999999999999999999")], false),
        ] as [([(String, String)], Bool)]
    )
    func `malformed requests are refused`(_ fields: [(String, String)], _ isRight: Bool) {
        #expect((HTTP2Fields(HPACKHeaders(fields), of: .request) != nil) == isRight)
    }

    @Test func `malformed answers end their stream`() {
        for fields in [[("a", "b")], [(":status", "20")], [(":status", "-20")], [(":path", "/"), (":status", "200")], [("X", "y"), (":status", "200")]] {
            var bench = Bench(.client)
            bench.framing.headers(1, ["n": "1"], end: .yes)
            _ = bench.output()
            #expect(bench.receive(Frames.headers(1, fields)) == ["closed 1"])
            #expect(bench.output() == ["reset 1 protocol error"])
        }
        var bench = Bench(.client)
        #expect(bench.receive(Frames.headers(1, [(":status", "200")])) == ["failed: protocol error"])
        var data = Bench(.client)
        data.framing.headers(1, ["n": "1"], end: .yes)
        #expect(data.receive(Frames.data(1, 2)) == ["data 1 0 of 2", "closed 1"])
    }

    // MARK: Bounds

    @Test func `too many streams are refused, and may be tried again`() {
        var bench = Bench(limits: RPCLimits(concurrentStreams: 2))
        #expect(
            bench.receive(Frames.headers(1, Frames.call), Frames.headers(3, Frames.call), Frames.headers(5, Frames.call))
                == ["headers 1 5", "headers 3 5"])
        #expect(bench.output() == ["reset 5 refused stream"])
        _ = bench.receive(Frames.reset(1, .cancel))
        #expect(bench.receive(Frames.headers(7, Frames.call)) == ["headers 7 5"])
    }

    @Test func `floods end the connection`() {
        let limits = RPCLimits(
            headerListSize: 2000, resetsPerHalfMinute: 10, controlFramesPerHalfMinute: 10, windowUpdatesPerHalfMinute: 10, continuations: 16)
        let floods: [(String, (Int) -> [ByteBuffer])] = [
            ("pings", { _ in [Frames.ping(1)] }),
            ("settings", { _ in [Frames.settings()] }),
            ("priorities", { _ in [Frames.frame(Kind.priority, 1, [0, 0, 0, 0, 0])] }),
            ("rapid resets", { [Frames.headers(2 * $0 + 3, Frames.call), Frames.reset(2 * $0 + 3, .cancel)] }),
            ("malformed requests", { [Frames.headers(2 * $0 + 3, [("a", "b")])] }),
            ("empty data", { _ in [Frames.data(1, 0)] }),
            ("acknowledgements of nothing", { _ in [Frames.settings(ack: true)] }),
            ("pongs", { _ in [Frames.ping(1, ack: true)] }),
            ("good-byes", { _ in [Frames.goAway(0)] }),
            ("frames of unknown kinds", { _ in [Frames.frame(99, 1)] }),
            ("window updates of the connection", { _ in [Frames.windowUpdate(0, 1)] }),
            ("window updates of a stream", { _ in [Frames.windowUpdate(1, 1)] }),
            ("resets of a stream that is closed", { _ in [Frames.reset(1, .cancel)] }),
        ]
        for (name, flood) in floods {
            var bench = Bench(limits: limits)
            bench.now = bench.now + .seconds(60)
            _ = bench.receive(Frames.headers(1, Frames.call))
            let most = name.hasPrefix("resets of") ? 9 : 10
            if most == 9 { _ = bench.receive(Frames.reset(1, .cancel)) }
            for number in 0..<most {
                for frame in flood(number) { bench.framing.receive(frame) }
                #expect(!bench.events().contains { $0.hasPrefix("failed") }, "\(name) \(number)")
            }
            for frame in flood(10) { bench.framing.receive(frame) }
            #expect(bench.events().last == "failed: enhance your calm", "\(name)")
            // Half a minute later they would have been few.
            var patient = Bench(limits: limits)
            for number in 0..<40 {
                patient.now = patient.now + .seconds(4)
                if number == 0 { _ = patient.receive(Frames.headers(1, Frames.call)) }
                for frame in flood(number) { patient.framing.receive(frame) }
                #expect(!patient.events().contains { $0.hasPrefix("failed") }, "\(name) \(number)")
            }
        }
        var long = Bench(limits: limits)
        let fields = Frames.call + [("long", String(repeating: "x", count: 2000))]
        #expect(long.receive(Frames.headers(1, fields)) == ["failed: enhance your calm"])
        var endless = Bench(limits: limits)
        _ = endless.receive(Frames.headers(1, Frames.call, complete: false))
        for _ in 0..<16 { #expect(endless.receive(Frames.frame(Kind.continuation, 1)) == []) }
        #expect(endless.receive(Frames.frame(Kind.continuation, 1)) == ["failed: enhance your calm"])
        var parts = Bench(limits: limits)
        _ = parts.receive(Frames.headers(1, Frames.call, complete: false))
        let part = Frames.frame(Kind.continuation, 1, [UInt8](repeating: 0, count: 1950))
        #expect(parts.receive(part) == ["failed: enhance your calm"])
    }

    @Test func `what is remembered of closed streams is bounded`() {
        var bench = Bench(limits: RPCLimits(concurrentStreams: 4, resetsPerHalfMinute: 1 << 20))
        _ = bench.receive(Frames.settings([(4, 0)]))
        for number in 0..<2000 {
            let id = 2 * number + 1
            _ = bench.receive(Frames.headers(id, Frames.call, end: true))
            bench.framing.data(id, ByteBuffer(string: "waits"), end: .yes, confirms: 0)
            _ = bench.receive(Frames.windowUpdate(id, 1), number % 2 == 0 ? Frames.reset(id, .cancel) : Frames.windowUpdate(id, 0))
        }
        #expect(bench.framing.streams.isEmpty)
        #expect(bench.framing.waiting.count <= 64)
        #expect(!bench.framing.ignored.contains(2 * 1981 + 1) && bench.framing.ignored.contains(2 * 1999 + 1))
    }
}
