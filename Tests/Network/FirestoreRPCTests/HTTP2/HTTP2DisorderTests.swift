// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOHPACK
import TestSupport
import Testing

@testable import FirestoreRPC

/// Frames of strangers, in any order and damaged: the connection lives or ends, the process and its bounds remain.
struct HTTP2DisorderTests {
    private static let kinds: [UInt8] = [0, 0, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 99]

    /// `last`: the last stream that was opened. One frame in `patience` has any number and any content.
    private static func frame(_ role: HTTP2Framing.Role, _ last: inout Int, _ patience: Int, _ random: inout SeededGenerator) -> ByteBuffer {
        if Int.random(in: 0..<patience, using: &random) == 0 {
            let payload = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            let flags = UInt8.random(in: 0...255, using: &random)
            return Frames.frame(kinds.randomElement(using: &random) ?? 0, Int.random(in: 0...12, using: &random), flags: flags, payload)
        }
        let isEnd = Int.random(in: 0..<4, using: &random) == 0
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<3 where role == .server:
            last += 2
            return Frames.headers(last, Frames.call, end: isEnd)
        case 0..<3: return Frames.headers(last, isEnd ? [("grpc-status", "0")] : [(":status", "200")], end: isEnd)
        case 3..<5 where last > 0: return Frames.data(last, Int.random(in: 0...300, using: &random), end: isEnd)
        case 5 where last > 0: return Frames.reset(last, .cancel)
        case 6: return Frames.settings([(UInt16.random(in: 3...4, using: &random), UInt32.random(in: 1...70_000, using: &random))])
        default: return Frames.windowUpdate(0, UInt32.random(in: 1...70_000, using: &random))
        }
    }

    @Test(arguments: [HTTP2Framing.Role.server, .client])
    func `frames in any order end at most the connection`(_ role: HTTP2Framing.Role) {
        var random = SeededGenerator(seed: 62)
        let limits = RPCLimits(streamWindow: 2000, connectionWindow: 70_000, concurrentStreams: 3, headerListSize: 500)
        var (survivors, events) = (0, 0)
        for _ in 0..<TestScale.pick(quick: 1000, full: 100_000) {
            var framing = HTTP2Framing(role, limits: limits)
            framing.start()
            if role == .server { framing.receive(Frames.preface) }
            framing.receive(Frames.settings())
            var (closed, isFailed, last) = (Set<StreamID>(), false, -1)
            let patience = Int.random(in: 2...200, using: &random)
            for step in 0..<30 {
                if role == .client, step % 3 == 0 {
                    last += 2
                    framing.headers(last, [":method": "POST"], end: Bool.random(using: &random) ? .yes : .no)
                }
                var bytes = Self.frame(role, &last, patience, &random)
                if Int.random(in: 0..<patience, using: &random) == 0 {
                    bytes.setInteger(UInt8.random(in: 0...255, using: &random), at: Int.random(in: 0..<bytes.readableBytes, using: &random))
                }
                framing.receive(bytes)
                while let event = framing.next(at: .uptimeNanoseconds(UInt64(step))) {
                    events += 1
                    switch event {
                    case .headers(let id, _, let end):
                        #expect(!closed.contains(id))
                        if role == .server, end || Bool.random(using: &random) {
                            framing.headers(id, [":status": "200"], end: .no)
                            framing.data(id, ByteBuffer(repeating: 0, count: 5000), end: .yesAndStop, confirms: 5000)
                        }
                    case .data(let id, let data, let length, _):
                        #expect(!closed.contains(id) || data.readableBytes == 0)
                        framing.windowUpdate(0, max(1, length))
                    case .closed(let id): #expect(closed.insert(id).inserted, "stream \(id) is closed twice")
                    case .failed: isFailed = true
                    case .reset, .goAway, .pong: break
                    }
                }
                _ = framing.output.take()
                #expect(framing.openCount == framing.streams.values.filter(\.isOpened).count)
                #expect(role == .client || framing.openCount <= 3)
                #expect(framing.isFailed == isFailed)
                if isFailed { break }
            }
            if !isFailed { survivors += 1 }
        }
        #expect(events > 1000 && survivors > 0)
    }
}
