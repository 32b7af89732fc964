// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOEmbedded
import NIOHPACK

@testable import FirestoreRPC

/// Any order of inputs to the server's core. What must hold is checked by `CheckingPort` and at the end.
enum ConnectionTarget {
    static func run(_ input: [UInt8]) {
        let loop = EmbeddedEventLoop()
        let port = CheckingPort()
        let service = FuzzService()
        let limits = RPCLimits(
            messageSize: 200, streamWindow: 256, connectionWindow: 512, unconfirmedHighMark: 100, unconfirmedLowMark: 20,
            unconfirmedPerStream: 2000, budgetPerConnection: 1000, heldPerConnection: 300, collectingPerConnection: 400)
        let core = ServerConnection(
            eventLoop: loop, service: service, http: service, limits: limits, observer: nil, peer: "", port: port, runOffLoop: { $0() })
        var reader = InputReader(input)
        var isOpen: Set<StreamID> = []
        while !reader.isAtEnd {
            let (operation, argument) = (reader.byte(), reader.byte())
            let stream = StreamID(argument & 7) * 2 + 1
            core.beginTurn()
            switch operation % 12 {
            case 0, 1:
                // The framing opens a stream once.
                guard port.closed.isDisjoint(with: [stream]) else { break }
                isOpen.insert(stream)
                core.receiveHeaders(stream, headers(reader.byte()), end: argument & 8 != 0)
            case 2, 3, 4, 5:
                guard isOpen.contains(stream) else { break }
                let bytes = operation % 12 == 5 ? [0, 0, 0, 0, argument >> 4] + reader.bytes(Int(argument >> 4)) : reader.bytes(Int(reader.byte()))
                core.receiveData(stream, ByteBuffer(bytes: bytes), length: bytes.count, end: argument & 8 != 0)
            case 6:
                guard isOpen.remove(stream) != nil else { break }
                core.receiveReset(stream, .cancel)
                port.closed.insert(stream)
                core.streamClosed(stream)
            case 7:
                guard isOpen.remove(stream) != nil else { break }
                port.closed.insert(stream)
                core.streamClosed(stream)
            case 8: for (stream, bytes) in port.takeUnconfirmed() { core.confirmed(stream, bytes) }
            case 9: loop.advanceTime(by: .milliseconds(Int64(argument)))
            case 10: service.act(argument)
            default: if argument & 1 == 0 { core.drain() }
            }
            core.endTurn()
            loop.run()
        }
        core.connectionLost(RPCStatus(.unavailable, "the end"))
        loop.run()
        precondition(core.openStreams == 0, "streams are left")
        precondition(service.isBalanced, "a handler heard its end not exactly once")
        service.forget()
        try? loop.syncShutdownGracefully()
    }

    private static func headers(_ choice: UInt8) -> HPACKHeaders {
        let paths = ["/unary", "/chat", "/hang", "/none"]
        var headers: HPACKHeaders = [":method": choice & 64 == 0 ? "POST" : "GET", ":path": paths[Int(choice & 3)]]
        headers.add(name: "content-type", value: choice & 32 == 0 ? "application/grpc" : "text/plain")
        if choice & 4 != 0 { headers.add(name: "grpc-timeout", value: "\(choice)m") }
        if choice & 8 != 0 { headers.add(name: "grpc-encoding", value: choice & 16 == 0 ? "gzip" : "br") }
        return headers
    }
}

/// Stops the process when a core says what must not be said.
final class CheckingPort: ConnectionPort {
    private var begun: Set<StreamID> = []
    private var ended: Set<StreamID> = []
    /// What the framing has reported as closed.
    var closed: Set<StreamID> = []
    private var unconfirmed: [(StreamID, Int)] = []

    func takeUnconfirmed() -> [(StreamID, Int)] {
        defer { unconfirmed = [] }
        return unconfirmed
    }

    private func say(_ stream: StreamID, end: Bool) {
        precondition(!ended.contains(stream), "stream \(stream) is ended")
        precondition(!closed.contains(stream), "stream \(stream) is closed")
        if end { ended.insert(stream) }
    }

    func headers(_ stream: StreamID, _ headers: OutboundHeaders, end: StreamEnd) {
        precondition(begun.insert(stream).inserted, "headers twice")
        say(stream, end: end != .no)
    }

    func data(_ stream: StreamID, _ bytes: ByteBuffer, end: StreamEnd, confirms: Int) {
        precondition(begun.contains(stream), "data before headers")
        say(stream, end: end != .no)
        if confirms > 0 { unconfirmed.append((stream, confirms)) }
    }

    func trailers(_ stream: StreamID, _ status: RPCStatus?, alone: Bool, requestEnded: Bool) {
        precondition(begun.contains(stream) != alone, "trailers alone, or headers before them")
        say(stream, end: true)
    }

    func reset(_ stream: StreamID, _ code: HTTP2ErrorCode) {
        say(stream, end: true)
    }

    func windowUpdate(_ stream: StreamID, _ increment: Int) {
        precondition(increment > 0, "an update of nothing")
    }

    func flush() {}
    func close() {}
}
