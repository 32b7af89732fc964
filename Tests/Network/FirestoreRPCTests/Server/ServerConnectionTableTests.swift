// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOEmbedded
import Testing

@testable import FirestoreRPC

/// Every input in every state of a stream.
struct ServerConnectionTableTests {
    enum State: String, CaseIterable, Sendable { case new, opened, half, asked, answered, closed }
    enum Event: String, CaseIterable, Sendable {
        case headers, headersEnd, message, messageEnd, empty, badFlag, tooLong, reset, closed, deadline, lost, answer
    }

    /// The reaction of a state to an event; events that are not in the table have no visible effect.
    static let table: [Event: [State: [String]]] = [
        .headersEnd: [
            .new: ["trailers 1 unimplemented alone"], .opened: ["trailers 1 unimplemented alone"], .half: ["trailers 1 internal alone"],
        ],
        .messageEnd: [.opened: ["kept 1"], .half: ["kept 1"]],
        .empty: [.opened: ["trailers 1 unimplemented alone"], .half: ["trailers 1 internal alone"]],
        .badFlag: [.opened: ["trailers 1 internal alone stop"]],
        .tooLong: [.opened: ["trailers 1 resourceExhausted alone stop"]],
        .reset: [.asked: ["hang cancelled"]],
        .closed: [.asked: ["hang cancelled"]],
        .deadline: [
            .opened: ["trailers 1 deadlineExceeded alone stop"], .half: ["trailers 1 deadlineExceeded alone stop"],
            .asked: ["hang cancelled", "trailers 1 deadlineExceeded alone"],
        ],
        .lost: [.asked: ["hang cancelled"]],
        .answer: [.asked: ["headers 1", "data 1 6", "trailers 1 ok"]],
    ]

    @Test(arguments: State.allCases, Event.allCases)
    func `every event in every state`(state: State, event: Event) {
        let bench = CoreBench()
        let message = CoreBench.framed("ab")
        let timeout = [("grpc-timeout", "1S")]
        _ = bench.turn {
            switch state {
            case .new: break
            case .opened: bench.headers(1, "/test.Echo/Hang", end: false, timeout)
            case .half:
                bench.headers(1, "/test.Echo/Hang", end: false, timeout)
                bench.data(1, Array(message[..<3]))
            case .asked, .closed:
                bench.headers(1, "/test.Echo/Hang", end: false, timeout)
                bench.data(1, message, end: true)
            case .answered:
                bench.headers(1, "/test.Echo/Chat", end: false, timeout)
                bench.data(1, CoreBench.framed("fail"))
            }
        }
        if state == .closed {
            _ = bench.turn {
                bench.core.receiveReset(1, .cancel)
                bench.core.streamClosed(1)
            }
        }
        let said = bench.turn {
            switch event {
            case .headers: bench.headers(1, "/test.Echo/Hang")
            case .headersEnd: bench.headers(1, "/test.Echo/Hang", end: true)
            case .message: bench.data(1, state == .half ? Array(message[3...]) : message)
            case .messageEnd: bench.data(1, state == .half ? Array(message[3...]) : message, end: true)
            case .empty: bench.data(1, [], end: true)
            case .badFlag: bench.data(1, [9, 0, 0, 0, 0])
            case .tooLong: bench.data(1, [0, 0x7F, 0xFF, 0xFF, 0xFF])
            case .reset: bench.core.receiveReset(1, .cancel)
            case .closed: bench.core.streamClosed(1)
            case .deadline: bench.loop.advanceTime(by: .seconds(1))
            case .lost: bench.core.connectionLost(RPCStatus(.unavailable, "lost"))
            case .answer: for call in bench.service.journal.calls { call.respond(.success([1])) }
            }
        }
        #expect(said == Self.table[event]?[state] ?? [], "\(event) when \(state)")
        bench.core.connectionLost(RPCStatus(.unavailable, "lost"))
        #expect(bench.core.openStreams == 0)
    }
}
