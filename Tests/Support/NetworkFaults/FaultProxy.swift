// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
package import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A TCP proxy on 127.0.0.1 that does to connections what networks do to them: cuts, resets, delays, swallows, refuses. Controlled by the test;
/// knows nothing of what the bytes mean.
package final class FaultProxy: Sendable {
    package enum Direction: Sendable, CaseIterable { case toServer, toClient }

    package enum End: Sendable, CaseIterable {
        /// Both sides receive an end of file.
        case close
        /// The connection is reset on both sides (RST).
        case reset
    }

    private struct State {
        var listener: (any Channel)?
        var links: [ObjectIdentifier: ProxyLink] = [:]
        var accepted = 0
        var isRefusing = false
        var delay = TimeAmount.zero
        /// Bytes that still pass before all connections end.
        var left: [Direction: (bytes: Int, end: End)] = [:]
        var passed: [Direction: Int] = [:]
    }

    private let server: Int
    private let state = Mutex(State())

    /// To a server on a port of this machine.
    package init(to server: Int) { self.server = server }

    /// Returns the port to connect to.
    package func start() async throws -> Int {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { [self] client in accept(client) }
            .bind(host: "127.0.0.1", port: 0).get()
        state.withLock { $0.listener = listener }
        return listener.localAddress?.port ?? 0
    }

    package func stop() async {
        let (listener, links) = state.withLock { state in
            state.isRefusing = true
            defer { state.listener = nil }
            return (state.listener, Array(state.links.values))
        }
        for link in links { link.end(.close) }
        try? await listener?.close().get()
    }

    // MARK: What the test says

    /// Ends all connections now.
    package func cut(_ end: End = .close) {
        for link in state.withLock({ Array($0.links.values) }) { link.end(end) }
    }

    /// Ends all connections once so many more bytes have passed, in the middle of a frame perhaps.
    package func cut(after bytes: Int, _ direction: Direction, _ end: End = .close) {
        state.withLock { $0.left[direction] = (bytes, end) }
    }

    /// Ends all connections when the server says something next, which the client does not receive: an answer is lost.
    package func loseAnswer(_ end: End = .close) { cut(after: 0, .toClient, end) }

    /// From now on drops what existing connections send, in one direction or in both, including their ends: the other side
    /// receives nothing. Later connections are not affected.
    package func silence(_ directions: [Direction] = Direction.allCases) {
        for link in state.withLock({ Array($0.links.values) }) { link.silence(directions) }
    }

    /// Everything arrives so much later.
    package func delay(_ delay: TimeAmount) { state.withLock { $0.delay = delay } }

    /// Takes no connections, or does so again.
    package func refuse(_ isRefusing: Bool) { state.withLock { $0.isRefusing = isRefusing } }

    /// Connections that were ever taken.
    package var accepted: Int { state.withLock { $0.accepted } }
    package func passed(_ direction: Direction) -> Int { state.withLock { $0.passed[direction] ?? 0 } }

    // MARK: Connections

    private func accept(_ client: any Channel) -> EventLoopFuture<Void> {
        let isRefused = state.withLock { state in
            if !state.isRefusing { state.accepted += 1 }
            return state.isRefusing
        }
        // Ends the connection.
        guard !isRefused else { return client.eventLoop.makeFailedFuture(ChannelError.connectPending) }
        let link = ProxyLink(client)
        let id = ObjectIdentifier(link)
        state.withLock { $0.links[id] = link }
        client.closeFuture.whenComplete { [self] _ in state.withLock { $0.links[id] = nil } }
        return ClientBootstrap(group: client.eventLoop)
            .channelInitializer { [self] server in
                server.eventLoop.makeCompletedFuture {
                    link.attach(server)
                    try server.pipeline.syncOperations.addHandler(ProxyPipe(self, link, .toClient))
                }
            }
            .connect(host: "127.0.0.1", port: server)
            .flatMap { [self] _ in
                client.eventLoop.makeCompletedFuture {
                    try client.pipeline.syncOperations.addHandler(ProxyPipe(self, link, .toServer))
                }
            }
    }

    /// How many of the received bytes may be forwarded, how late, and whether they were the last.
    func admit(_ count: Int, _ direction: Direction) -> (count: Int, delay: TimeAmount, end: End?) {
        state.withLock { state in
            var (admitted, end) = (count, End?.none)
            if let (left, kind) = state.left[direction] {
                admitted = min(count, left)
                state.left[direction] = admitted == left ? nil : (left - admitted, kind)
                if admitted == left { end = kind }
            }
            state.passed[direction, default: 0] += admitted
            return (admitted, state.delay, end)
        }
    }

    func end(all kind: End) { cut(kind) }
}

/// A connection through the proxy: its two sockets, on one loop.
final class ProxyLink: Sendable {
    private enum Parcel {
        case bytes(ByteBuffer)
        /// The sender's end of file.
        case end
    }

    private struct State {
        var server: (any Channel)?
        var silent: Set<FaultProxy.Direction> = []
        /// What is not forwarded yet, in the order of its arrival, with the time at which it may be. A timer that fires late, or two timers of
        /// one deadline, must not change that order: whole frames would change places, which no protocol above notices.
        var waiting: [FaultProxy.Direction: [(due: NIODeadline, parcel: Parcel)]] = [:]
    }

    private let client: any Channel
    private let state = Mutex(State())

    init(_ client: any Channel) { self.client = client }

    func attach(_ server: any Channel) { state.withLock { $0.server = server } }

    func silence(_ directions: [FaultProxy.Direction]) { state.withLock { $0.silent.formUnion(directions) } }

    func isSilent(_ direction: FaultProxy.Direction) -> Bool { state.withLock { $0.silent.contains(direction) } }

    private func target(of direction: FaultProxy.Direction) -> (any Channel)? {
        direction == .toClient ? client : state.withLock { $0.server }
    }

    func pass(_ bytes: ByteBuffer, _ direction: FaultProxy.Direction, after delay: TimeAmount) { add(.bytes(bytes), direction, after: delay) }

    /// One side is gone: so is the other, behind what is still in flight to it.
    func ended(_ direction: FaultProxy.Direction) {
        guard !isSilent(direction) else { return }
        add(.end, direction, after: .zero)
    }

    private func add(_ parcel: Parcel, _ direction: FaultProxy.Direction, after delay: TimeAmount) {
        guard let target = target(of: direction) else { return }
        let now = NIODeadline.now()
        let due = state.withLock { state in
            let due = max(now + delay, state.waiting[direction]?.last?.due ?? now)
            state.waiting[direction, default: []].append((due, parcel))
            return due
        }
        guard due > now else { return forward(direction, to: target, until: now) }
        target.eventLoop.scheduleTask(deadline: due) { [self] in forward(direction, to: target, until: due) }
    }

    private func forward(_ direction: FaultProxy.Direction, to target: any Channel, until now: NIODeadline) {
        let parcels = state.withLock { state in
            let waiting = state.waiting[direction] ?? []
            let due = waiting.prefix { $0.due <= now }
            state.waiting[direction] = Array(waiting.dropFirst(due.count))
            return due
        }
        for (_, parcel) in parcels {
            switch parcel {
            case .bytes(let bytes): target.writeAndFlush(bytes, promise: nil)
            case .end: target.close(promise: nil)
            }
        }
    }

    func end(_ end: FaultProxy.End) {
        for channel in [client, state.withLock { $0.server }].compactMap({ $0 }) {
            guard end == .reset, let socket = channel as? any SocketOptionProvider else {
                channel.close(promise: nil)
                continue
            }
            socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in channel.close(promise: nil) }
        }
    }
}

/// Hands on what one socket says.
private final class ProxyPipe: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let proxy: FaultProxy
    private let link: ProxyLink
    private let direction: FaultProxy.Direction

    init(_ proxy: FaultProxy, _ link: ProxyLink, _ direction: FaultProxy.Direction) {
        self.proxy = proxy
        self.link = link
        self.direction = direction
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !link.isSilent(direction) else { return }
        let bytes = unwrapInboundIn(data)
        let (count, delay, end) = proxy.admit(bytes.readableBytes, direction)
        if let admitted = bytes.getSlice(at: bytes.readerIndex, length: count), count > 0 {
            link.pass(admitted, direction, after: delay)
        }
        if let end { proxy.end(all: end) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        link.ended(direction)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
