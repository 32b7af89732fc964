// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOHPACK
import Testing

@testable import FirestoreRPC

/// Frames that a peer can send without end, and data that it does not read.
struct HTTP2FloodTests {
    private typealias Bench = FramingBench
    private typealias Kind = Frames.Kind

    @Test func `what this side has sent explains pings and updates of windows`() {
        var bench = Bench(limits: RPCLimits(controlFramesPerHalfMinute: 1, windowUpdatesPerHalfMinute: 0))
        _ = bench.receive(Frames.headers(1, Frames.call))
        bench.framing.headers(1, [":status": "200"], end: .no)
        for _ in 0..<100 {
            bench.framing.data(1, ByteBuffer(string: "answer"), end: .no, confirms: 0)
            #expect(bench.receive(Frames.ping(1), Frames.windowUpdate(0, 6), Frames.windowUpdate(1, 6)) == [])
        }
        // A second ping without an answer before it is one too many.
        #expect(bench.receive(Frames.ping(2)) == ["failed: enhance your calm"])
        var acknowledging = Bench(limits: RPCLimits(controlFramesPerHalfMinute: 1))
        acknowledging.framing.ping(7)
        #expect(acknowledging.receive(Frames.ping(7, ack: true)) == ["pong 7"])
        #expect(acknowledging.receive(Frames.ping(7, ack: true)) == ["failed: enhance your calm"])
    }

    @Test func `calls that are cancelled after a while do not count as rapid resets`() {
        var bench = Bench(limits: RPCLimits(resetsPerHalfMinute: 3))
        for number in 0..<50 {
            let id = 2 * number + 1
            _ = bench.receive(Frames.headers(id, Frames.call))
            bench.now = bench.now + HTTP2Framing.youth
            #expect(bench.receive(Frames.reset(id, .cancel)) == ["reset \(id) cancel", "closed \(id)"])
            bench.now = bench.now - HTTP2Framing.youth
        }
    }

    @Test func `calls that are still carried out count as open streams after their reset`() {
        var bench = Bench(limits: RPCLimits(concurrentStreams: 2))
        _ = bench.receive(Frames.headers(1, Frames.call), Frames.headers(3, Frames.call))
        _ = bench.receive(Frames.reset(1, .cancel), Frames.reset(3, .cancel))
        bench.framing.lingering = 2
        #expect(bench.receive(Frames.headers(5, Frames.call)) == [])
        #expect(bench.output() == ["reset 5 refused stream"])
        bench.framing.lingering = 1
        #expect(bench.receive(Frames.headers(7, Frames.call)) == ["headers 7 5"])
    }

    @Test func `a walk over many streams counts as many control frames`() {
        var bench = Bench(limits: RPCLimits(controlFramesPerHalfMinute: 100))
        for number in 0..<1000 { _ = bench.receive(Frames.headers(2 * number + 1, Frames.call)) }
        var toggles = 0
        while bench.receive(Frames.settings([(4, UInt32(toggles % 2))])).isEmpty, toggles < 1000 { toggles += 1 }
        #expect(toggles < 10)
        var few = Bench(limits: RPCLimits(controlFramesPerHalfMinute: 100))
        for _ in 0..<49 { #expect(few.receive(Frames.settings([(4, 1)]), Frames.settings([(4, 0)])) == []) }
    }

    @Test func `data that the socket does not take waits in its stream, and is found when it does not move`() {
        var bench = Bench()
        for id in [1, 3, 5] {
            _ = bench.receive(Frames.headers(id, Frames.call, end: true))
            bench.framing.headers(id, [":status": "200"], end: .no)
        }
        _ = bench.output()
        bench.framing.room = 30_000
        bench.framing.data(1, ByteBuffer(repeating: 0, count: 20_000), end: .no, confirms: 20_000)
        bench.framing.data(3, ByteBuffer(repeating: 0, count: 20_000), end: .yes, confirms: 20_000)
        #expect(bench.output() == ["data 1 16384", "data 1 3616", "data 3 10000"])
        #expect(bench.confirmed.map(\.stream) == [1])
        func stalled(_ seconds: Int64) -> [StreamID] {
            bench.framing.stalled(at: bench.now + .seconds(seconds), after: .seconds(30))
        }
        // Stream 1 is silent, but nothing of it waits; 5 has nothing to say.
        #expect(stalled(5) == [] && stalled(34) == [] && stalled(35) == [3])
        #expect(bench.framing.refill(1000) && bench.output() == ["data 3 1000"])
        #expect(stalled(40) == [] && stalled(69) == [] && stalled(70) == [3])
        #expect(bench.framing.refill(1 << 20) && bench.output() == ["data 3 9000 end"])
        #expect(bench.events() == ["closed 3"] && stalled(200) == [] && !bench.framing.mayHaveQueue)
    }

    @Test func `frames of the connection for a stream, and of streams for the connection, end it`() {
        let frames: [(String, ByteBuffer)] = [
            ("DATA", Frames.data(0, 1)), ("HEADERS", Frames.headers(0, Frames.call)),
            ("PRIORITY", Frames.frame(Kind.priority, 0, [0, 0, 0, 1, 0])), ("RST_STREAM", Frames.reset(0, .cancel)),
            ("CONTINUATION", Frames.frame(Kind.continuation, 0)), ("PUSH_PROMISE", Frames.frame(Kind.pushPromise, 0, [0, 0, 0, 2])),
            ("SETTINGS", Frames.frame(Kind.settings, 1)), ("PING", Frames.frame(Kind.ping, 1, [UInt8](repeating: 0, count: 8))),
            ("GOAWAY", Frames.frame(Kind.goAway, 1, [UInt8](repeating: 0, count: 8))),
        ]
        for (name, frame) in frames {
            var bench = Bench()
            _ = bench.receive(Frames.headers(1, Frames.call))
            #expect(bench.receive(frame) == ["failed: protocol error"], "\(name)")
        }
    }
}
