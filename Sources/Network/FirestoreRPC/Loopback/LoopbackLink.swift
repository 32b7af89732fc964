// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOHPACK

/// Connects two cores without framing: messages that one sends, the other receives in the same turn, in order.
///
/// The small window makes it behave like a socket: what the receiver does not take stays unconfirmed at the sender.
final class LoopbackLink {
    /// The receiver returns its window in halves. What it has taken and not yet returned must not keep a sender waiting, which continues
    /// when no more than the low mark is unconfirmed.
    static func window(_ limits: RPCLimits) -> Int { 2 * limits.unconfirmedLowMark }

    private enum Side { case client, server }

    private final class Port: ConnectionPort {
        unowned let link: LoopbackLink
        let side: Side

        init(_ link: LoopbackLink, _ side: Side) {
            self.link = link
            self.side = side
        }

        func headers(_ stream: StreamID, _ headers: OutboundHeaders, end: StreamEnd) {
            let fields =
                switch headers {
                case .grpcResponse: StatusHeaders.response
                case .fields(let fields): fields
                }
            link.send(from: side) { $0.receiveHeaders(stream, fields, end: end != .no) }
            link.end(stream, side, end)
        }

        func data(_ stream: StreamID, _ bytes: ByteBuffer, end: StreamEnd, confirms: Int) {
            if confirms > 0 {
                link.unconfirmed[Direction(stream: stream, side: side), default: []].append((bytes.readableBytes, confirms))
            }
            link.send(from: side) { $0.receiveData(stream, bytes, length: bytes.readableBytes, end: end != .no) }
            link.end(stream, side, end)
        }

        func trailers(_ stream: StreamID, _ status: RPCStatus?, alone: Bool, requestEnded: Bool) {
            let fields = StatusHeaders.trailers(status, alone: alone)
            link.send(from: side) { $0.receiveHeaders(stream, fields, end: true) }
            link.end(stream, side, .response(requestEnded: requestEnded))
        }

        func reset(_ stream: StreamID, _ code: HTTP2ErrorCode) {
            link.send(from: side) { $0.receiveReset(stream, code) }
            link.close(stream)
        }

        func windowUpdate(_ stream: StreamID, _ increment: Int) { link.confirm(stream, increment, by: side) }

        func flush() { link.pump() }

        func close() { link.lose() }
    }

    private struct Direction: Hashable {
        var stream: StreamID
        var side: Side
    }

    private var client: (any ConnectionCore)?
    private var server: (any ConnectionCore)?
    private var events: CircularBuffer<() -> Void> = []
    private var isPumping = false
    private var ended: [StreamID: Side] = [:]
    /// The data that each side has sent and the other has not taken: sizes on the wire, and the sizes to confirm.
    private var unconfirmed: [Direction: [(size: Int, confirms: Int)]] = [:]
    private var credit: [Direction: Int] = [:]

    /// `makeServer` receives the port of the server's core. The link lives as long as it is connected.
    func connect(_ client: ClientConnection, makeServer: (any ConnectionPort) -> ServerConnection) {
        serverPort = Port(self, .server)
        clientPort = Port(self, .client)
        server = makeServer(serverPort ?? Port(self, .server))
        self.client = client
        keepAlive = self
        client.connected(clientPort ?? Port(self, .client))
    }

    private var serverPort: Port?
    private var clientPort: Port?
    private var keepAlive: LoopbackLink?

    private func send(from side: Side, _ event: @escaping (any ConnectionCore) -> Void) {
        events.append { [self] in
            guard let core = side == .client ? server : client else { return }
            event(core)
        }
    }

    /// One side has ended the stream; once both have, it is closed.
    private func end(_ stream: StreamID, _ side: Side, _ end: StreamEnd) {
        guard end != .no else { return }
        if end == .yesAndStop || (ended[stream].map { $0 != side } ?? false) { close(stream) } else { ended[stream] = side }
    }

    private func close(_ stream: StreamID) {
        events.append { [self] in
            ended[stream] = nil
            for side in [Side.client, .server] {
                unconfirmed[Direction(stream: stream, side: side)] = nil
                credit[Direction(stream: stream, side: side)] = nil
            }
            client?.streamClosed(stream)
            server?.streamClosed(stream)
        }
    }

    /// The receiver has room again: the data it has taken is confirmed to the sender.
    private func confirm(_ stream: StreamID, _ increment: Int, by side: Side) {
        guard stream != 0 else { return }
        let direction = Direction(stream: stream, side: side == .client ? .server : .client)
        guard var sent = unconfirmed[direction] else { return }
        var credit = self.credit[direction, default: 0] + increment
        var bytes = 0
        var count = 0
        while count < sent.count, sent[count].size <= credit {
            credit -= sent[count].size
            bytes += sent[count].confirms
            count += 1
        }
        sent.removeFirst(count)
        unconfirmed[direction] = sent
        self.credit[direction] = credit
        if bytes > 0 { events.append { [self] in (side == .client ? server : client)?.confirmed(stream, bytes) } }
    }

    /// Delivers until nothing is left.
    private func pump() {
        guard !isPumping else { return }
        isPumping = true
        while !events.isEmpty {
            client?.beginTurn()
            server?.beginTurn()
            while let event = events.popFirst() { event() }
            server?.endTurn()
            client?.endTurn()
        }
        isPumping = false
    }

    private func lose() {
        let (client, server) = (self.client, self.server)
        self.client = nil
        self.server = nil
        events.removeAll()
        let reason = RPCStatus(.unavailable, "the channel was shut down")
        server?.connectionLost(reason)
        client?.connectionLost(reason)
        serverPort = nil
        clientPort = nil
        keepAlive = nil
    }
}
