// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOEmbedded
import NIOHPACK
import Testing

@testable import FirestoreRPC

/// Every input in every state of a call, on the client's side.
struct ClientConnectionTableTests {
    enum State: String, CaseIterable, Sendable {
        /// Opened before there is a connection.
        case waiting
        case open
        /// The request has ended.
        case halfClosed
        /// Headers of the answer have come.
        case answering
        /// …and half a message.
        case partial
        /// …and a message that was not asked for yet.
        case paused
        case over
    }

    enum Event: String, CaseIterable, Sendable {
        case connected, send, halfClose, cancel, resume
        case response, httpError, failure, success, message, dataEnd, badFlag, reset, refused, closed, goAway, goAwayLater
        case deadline, lost, shutdown
    }

    /// The reaction of a state to an event: the calls of the handler, then what is sent to the server. Events that are not in
    /// the table have no visible effect.
    static let table: [Event: [State: [String]]] = [
        .connected: [.waiting: ["headers 1 ?"]],
        .send: [.open: ["data 1 7"], .answering: ["data 1 7"], .partial: ["data 1 7"], .paused: ["data 1 7"]],
        .halfClose: [.open: ["data 1 0 end"], .answering: ["data 1 0 end"], .partial: ["data 1 0 end"], .paused: ["data 1 0 end"]],
        .cancel: [
            .waiting: ["end cancelled"], .open: ["end cancelled", "reset 1 8"], .halfClosed: ["end cancelled", "reset 1 8"],
            .answering: ["end cancelled", "reset 1 8"], .partial: ["end cancelled", "reset 1 8"], .paused: ["end cancelled", "reset 1 8"],
        ],
        .resume: [.paused: ["got ab"]],
        .httpError: [.open: ["end unavailable", "reset 1 8"], .halfClosed: ["end unavailable", "reset 1 8"]],
        .failure: [
            .open: ["end notFound", "reset 1 8"], .halfClosed: ["end notFound"], .answering: ["end notFound", "reset 1 8"],
            .partial: ["end notFound", "reset 1 8"],
        ],
        .success: [
            .open: ["end ok", "reset 1 8"], .halfClosed: ["end ok"], .answering: ["end ok", "reset 1 8"],
            .partial: ["end internal", "reset 1 8"],
        ],
        .message: [.open: ["got ab"], .halfClosed: ["got ab"], .answering: ["got ab"], .partial: ["got ab"]],
        .dataEnd: [
            .open: ["end unknown", "reset 1 8"], .halfClosed: ["end unknown"], .answering: ["end unknown", "reset 1 8"],
            .partial: ["end unknown", "reset 1 8"],
        ],
        // In the middle of a message it is the message's length, or its first bytes.
        .badFlag: [
            .open: ["end internal", "reset 1 8"], .halfClosed: ["end internal", "reset 1 8"], .answering: ["end internal", "reset 1 8"],
        ],
        .reset: [
            .open: ["end cancelled"], .halfClosed: ["end cancelled"], .answering: ["end cancelled"], .partial: ["end cancelled"],
        ],
        .refused: [
            .open: ["end unavailable"], .halfClosed: ["end unavailable"], .answering: ["end unavailable"], .partial: ["end unavailable"],
        ],
        .closed: [
            .open: ["end unavailable"], .halfClosed: ["end unavailable"], .answering: ["end unavailable"], .partial: ["end unavailable"],
        ],
        .goAway: [
            .open: ["end unavailable", "reset 1 8"], .halfClosed: ["end unavailable"], .answering: ["end unavailable", "reset 1 8"],
            .partial: ["end unavailable", "reset 1 8"],
        ],
        .deadline: [
            .waiting: ["end deadlineExceeded"], .open: ["end deadlineExceeded", "reset 1 8"],
            .halfClosed: ["end deadlineExceeded", "reset 1 8"], .answering: ["end deadlineExceeded", "reset 1 8"],
            .partial: ["end deadlineExceeded", "reset 1 8"], .paused: ["end deadlineExceeded", "reset 1 8"],
        ],
        // A paused reader still gets the received messages.
        .lost: [
            .waiting: ["end unavailable"], .open: ["end unavailable"], .halfClosed: ["end unavailable"], .answering: ["end unavailable"],
            .partial: ["end unavailable"], .paused: ["got ab", "end unavailable"],
        ],
        .shutdown: [.waiting: ["end unavailable"]],
    ]

    @Test(arguments: State.allCases, Event.allCases)
    func `every event in every state`(state: State, event: Event) {
        let bench = ClientBench()
        bench.bring(to: state)
        let said = bench.turn { bench.happen(event, in: state) }
        #expect(said == Self.table[event]?[state] ?? [], "\(event) when \(state)")
        // Whatever has happened: once the connection is gone, and everything is read, the call has ended once.
        bench.stream.setReading(true)
        bench.core.connectionLost(RPCStatus(.unavailable, "lost"))
        bench.loop.run()
        #expect(bench.core.openStreams == 0)
        #expect(bench.handler.lines.filter { $0.hasPrefix("end") }.count == 1)
    }

    @Test func `a call on a connection that was lost in the middle of a turn fails immediately`() {
        let bench = ClientBench()
        bench.bring(to: .open)
        bench.core.beginTurn()
        bench.core.connectionLost(RPCStatus(.unavailable, "lost"))
        let late = NotingHandler()
        let stream = ClientStream(
            bench.core, path: "/test.Echo/Chat", metadata: RPCMetadata(), deadline: nil, onlyMessage: nil, handler: late)
        bench.core.post(.open(stream))
        bench.loop.run()
        #expect(late.lines == ["end unavailable"])
    }
}

/// A client's core on a loop that stands still, with one call on it.
private final class ClientBench {
    let loop = EmbeddedEventLoop()
    let port = RecordingPort()
    let handler = NotingHandler()
    let core: ClientConnection
    let stream: ClientStream

    init() {
        core = ClientConnection(eventLoop: loop, limits: RPCLimits(), authority: "test", scheme: "http")
        stream = ClientStream(
            core, path: "/test.Echo/Chat", metadata: RPCMetadata(), deadline: .now + .seconds(3_600), onlyMessage: nil, handler: handler)
        _ = core.open(stream)
        loop.run()
    }

    func bring(to state: ClientConnectionTableTests.State) {
        guard state != .waiting else { return }
        core.connected(port)
        let message = CoreBench.framed("ab")
        switch state {
        case .waiting, .open: break
        case .halfClosed: stream.halfClose()
        case .answering: headers([(":status", "200"), ("content-type", "application/grpc")])
        case .partial:
            headers([(":status", "200"), ("content-type", "application/grpc")])
            data(Array(message[..<3]))
        case .paused:
            headers([(":status", "200"), ("content-type", "application/grpc")])
            stream.setReading(false)
            loop.run()
            data(message)
        case .over:
            headers([(":status", "200"), ("content-type", "application/grpc")])
            headers([("grpc-status", "0")], end: true)
        }
        loop.run()
    }

    func happen(_ event: ClientConnectionTableTests.Event, in state: ClientConnectionTableTests.State) {
        let message = CoreBench.framed("ab")
        // The first headers of an answer that is nothing but its end.
        let alone = [(":status", "200"), ("content-type", "application/grpc")]
        switch event {
        case .connected: if state == .waiting { core.connected(port) }
        case .send: stream.send(Array("ab".utf8))
        case .halfClose: stream.halfClose()
        case .cancel: stream.cancel()
        case .resume: stream.setReading(true)
        case .response: headers(alone)
        case .httpError: headers([(":status", "503"), ("content-type", "text/html")])
        case .failure: headers((state == .open || state == .halfClosed ? alone : []) + [("grpc-status", "5")], end: true)
        case .success: headers((state == .open || state == .halfClosed ? alone : []) + [("grpc-status", "0")], end: true)
        case .message: data(state == .partial ? Array(message[3...]) : message)
        case .dataEnd: data([], end: true)
        case .badFlag: data([9, 0, 0, 0, 0])
        case .reset: core.receiveReset(1, .cancel)
        case .refused: core.receiveReset(1, .refusedStream)
        case .closed: core.streamClosed(1)
        case .goAway: core.receiveGoAway(lastStream: 0)
        case .goAwayLater: core.receiveGoAway(lastStream: 1)
        case .deadline: loop.advanceTime(by: .seconds(3_601))
        case .lost: core.connectionLost(RPCStatus(.unavailable, "lost"))
        case .shutdown: core.post(.shutdown)
        }
    }

    /// What was received and sent meanwhile.
    func turn(_ body: () -> Void) -> [String] {
        let (heard, said) = (handler.lines.count, port.lines.count)
        body()
        loop.run()
        return Array(handler.lines[heard...]) + port.lines[said...]
    }

    private func headers(_ fields: [(String, String)], end: Bool = false) { core.receiveHeaders(1, HPACKHeaders(fields), end: end) }

    private func data(_ bytes: [UInt8], end: Bool = false) {
        core.receiveData(1, ByteBuffer(bytes: bytes), length: bytes.count, end: end)
    }
}

private final class NotingHandler: RPCClientHandler {
    private let noted = Mutex<[String]>([])

    var lines: [String] { noted.withLock { $0 } }

    func receive(_ message: ByteSlice) { note("got " + String(decoding: message.array, as: UTF8.self)) }
    func becameWritable() {}
    func ended(_ status: RPCStatus?, trailers: RPCMetadata) { note("end " + (status.map { "\($0.code)" } ?? "ok")) }

    private func note(_ line: String) { noted.withLock { $0.append(line) } }
}
