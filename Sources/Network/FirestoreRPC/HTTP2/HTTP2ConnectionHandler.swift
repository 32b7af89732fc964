// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOHPACK
import NIOTLS

/// Connects a core with a channel, through the framing.
///
/// Besides, it supervises the connection as `ConnectionCareMachine` decides: pings that check whether the peer is still there, an end
/// after long idleness, and GOAWAY in two steps when the server stops.
final class HTTP2ConnectionHandler: ChannelInboundHandler, ConnectionPort {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var framing: HTTP2Framing
    /// On the client's side: explains failures.
    private let failure: ConnectionFailure?
    private let makeCore: (HTTP2ConnectionHandler, any Channel) -> any ConnectionCore
    private var core: (any ConnectionCore)?
    private var context: ChannelHandlerContext?
    private var isReading = false
    private var isDelivering = false

    private let activity: ConnectionActivity?
    /// Looks for data that does not move, while there is some.
    private var inspection: Scheduled<Void>?
    /// Bytes that wait for the socket.
    private var unsent = 0
    private var isFlushing = false

    private var care: ConnectionCareMachine
    private var tick: Scheduled<Void>?
    private var contact: Contact
    /// Why the connection ends, if an error was observed.
    private var lossReason: RPCStatus?

    /// How far the connection has come.
    private enum Contact {
        /// The TLS handshake is in progress.
        case connecting
        /// Calls may have been sent.
        case open
        /// The peer has spoken HTTP/2.
        case heard

        var hasBegun: Bool { self != .connecting }
    }

    /// Data is given to the socket in pieces of this size: the rest stays with its streams, which have shares and can be reset.
    private static let piece = 128 << 10
    /// What may wait for the socket beside data, which has to wait then: a peer that does not read its answers asks for no more.
    static let mostUnsent = 1 << 20
    /// A stream that has sent nothing of what waits for so long is reset.
    static let patience = TimeAmount.seconds(30)
    private static let inspectionInterval = TimeAmount.seconds(5)

    private static let keepalivePing: UInt64 = 0x4865_6172_7468
    private static let drainPing: UInt64 = 0x476F_6F64_6279

    init(
        _ role: HTTP2Framing.Role, limits: RPCLimits, care: ConnectionCare, activity: ConnectionActivity? = nil,
        failure: ConnectionFailure? = nil,
        makeCore: @escaping (HTTP2ConnectionHandler, any Channel) -> any ConnectionCore
    ) {
        framing = HTTP2Framing(role, limits: limits)
        framing.room = Self.piece
        self.activity = activity
        self.care = ConnectionCareMachine(care, now: .now())
        self.failure = failure
        contact = failure?.usesTLS == true ? .connecting : .open
        self.makeCore = makeCore
    }

    // MARK: The channel's life

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { start(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    private func start(_ context: ChannelHandlerContext) {
        guard core == nil else { return }
        framing.start()
        core = makeCore(self, context.channel)
        flush()
        act(care.start(at: context.eventLoop.now))
    }

    func channelInactive(context: ChannelHandlerContext) {
        lose()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        lose()
        self.context = nil
    }

    private func lose() {
        tick?.cancel()
        tick = nil
        inspection?.cancel()
        inspection = nil
        let core = self.core
        self.core = nil
        core?.connectionLost(
            lossReason ?? failure?.closed(hasHeard: contact == .heard, hasBegun: contact.hasBegun)
                ?? RPCStatus(.unavailable, "the connection was lost", progress: .unknown))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(context, error) }

    private func end(_ context: ChannelHandlerContext, _ error: any Error) {
        // Later errors are consequences of the first.
        if lossReason == nil {
            lossReason =
                failure?.broken(error, hasBegun: contact.hasBegun)
                ?? RPCStatus(.unavailable, "the connection broke: \(error)", progress: .unknown)
        }
        context.close(promise: nil)
    }

    // MARK: What arrives

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let core else { return }
        if !isReading {
            isReading = true
            core.beginTurn()
        }
        framing.receive(unwrapInboundIn(data))
        deliver()
        if contact != .heard, framing.greeting == .complete { contact = .heard }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        care.heard(at: now)
        isReading = false
        core?.endTurn()
        flush()
        activity?.note(openCalls: core?.openStreams ?? 0, at: now)
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            core?.socketHolds(-unsent)
            unsent = 0
            // What waits for room may continue.
            if !isFlushing, !isReading { core?.endTurn() }
        }
        context.fireChannelWritabilityChanged()
    }

    /// Gives the core what was received, and what that and its own frames have ended.
    private func deliver() {
        guard !isDelivering, let context else { return }
        isDelivering = true
        defer { isDelivering = false }
        let now = context.eventLoop.now
        framing.lingering = core?.lingeringCalls ?? 0
        while let event = framing.next(at: now) { take(event, context) }
    }

    private func take(_ event: HTTP2Framing.Event, _ context: ChannelHandlerContext) {
        switch event {
        case .data(let stream, let bytes, let length, let end): core?.receiveData(stream, bytes, length: length, end: end)
        case .headers(let stream, let fields, let end): core?.receiveHeaders(stream, fields, end: end)
        case .reset(let stream, let code): core?.receiveReset(stream, code)
        case .closed(let stream):
            core?.streamClosed(stream)
            framing.lingering = core?.lingeringCalls ?? 0
            if core?.openStreams == 0 {
                activity?.note(openCalls: 0, at: context.eventLoop.now)
                act(care.lastCallEnded())
            }
        case .goAway(let last): core?.receiveGoAway(lastStream: last)
        case .pong(Self.drainPing): announcementSeen()
        case .pong: break
        case .failed(let error):
            if let reason = error.shed { core?.shed(reason) }
            write()
            end(context, error)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent:
            if core != nil { act(care.stop()) }
        case TLSUserEvent.handshakeCompleted:
            if contact == .connecting { contact = .open }
            context.fireUserInboundEventTriggered(event)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: What is sent

    func headers(_ stream: StreamID, _ headers: OutboundHeaders, end: StreamEnd) {
        switch headers {
        case .grpcResponse: framing.headers(stream, encoded: StatusHeaders.encodedResponse, fields: StatusHeaders.response, end: end)
        case .fields(let fields): framing.headers(stream, fields, end: end)
        }
    }

    func data(_ stream: StreamID, _ bytes: ByteBuffer, end: StreamEnd, confirms: Int) {
        framing.data(stream, bytes, end: end, confirms: confirms)
    }

    func trailers(_ stream: StreamID, _ status: RPCStatus?, alone: Bool, requestEnded: Bool) {
        let end = StreamEnd.response(requestEnded: requestEnded)
        if status == nil, !alone {
            framing.headers(stream, encoded: StatusHeaders.encodedTrailersOK, fields: StatusHeaders.trailersOK, end: end)
        } else {
            framing.headers(stream, StatusHeaders.trailers(status, alone: alone), end: end)
        }
    }

    func reset(_ stream: StreamID, _ code: HTTP2ErrorCode) { framing.reset(stream, code) }

    func windowUpdate(_ stream: StreamID, _ increment: Int) { framing.windowUpdate(stream, increment) }

    func flush() {
        guard !isReading, !isDelivering else { return }
        isFlushing = true
        repeat {
            deliver()
            write()
        } while framing.refill(context?.channel.isWritable == true ? Self.piece : 0)
        isFlushing = false
        inspectLater()
    }

    private func inspectLater() {
        guard framing.mayHaveQueue, framing.role == .server, inspection == nil else { return }
        inspection = schedule(in: Self.inspectionInterval) { $0.inspect() }
    }

    /// Ends what waits and does not move: the peer does not read.
    private func inspect() {
        inspection = nil
        guard let context, let core else { return }
        let stalled = framing.stalled(at: context.eventLoop.now, after: Self.patience)
        if !stalled.isEmpty, !context.channel.isWritable {
            // Resets would not arrive either.
            core.shed(.unreadAnswer)
            return end(context, HTTP2ConnectionError(code: .enhanceYourCalm, reason: "the other side reads nothing"))
        }
        for stream in stalled {
            core.stalled(stream)
            framing.reset(stream, .enhanceYourCalm)
        }
        core.endTurn()
        inspectLater()
    }

    /// Writes everything that was sent since, in one piece.
    private func write(promise: EventLoopPromise<Void>? = nil) {
        guard let context, let (bytes, confirmations) = framing.output.take() else {
            promise?.succeed()
            return
        }
        var written = promise
        if !confirmations.isEmpty {
            let confirmation = written ?? context.eventLoop.makePromise(of: Void.self)
            // Only on success: after a failure the connection is closed.
            confirmation.futureResult.assumeIsolated().whenSuccess { [weak self] in self?.confirm(confirmations) }
            written = confirmation
        }
        let count = bytes.readableBytes
        context.writeAndFlush(wrapOutboundOut(bytes), promise: written)
        if !context.channel.isWritable { wait(for: count, context) }
    }

    /// The socket has not taken what was written.
    private func wait(for count: Int, _ context: ChannelHandlerContext) {
        guard let core else { return }
        unsent += count
        core.socketHolds(count)
        guard unsent > Self.mostUnsent, framing.role == .server else { return }
        core.shed(.unreadAnswer)
        end(context, HTTP2ConnectionError(code: .enhanceYourCalm, reason: "the other side reads nothing"))
    }

    private func confirm(_ confirmations: [(stream: StreamID, bytes: Int)]) {
        for (stream, bytes) in confirmations { core?.confirmed(stream, bytes) }
    }

    func close() { context?.close(promise: nil) }

    // MARK: Looking after the connection

    private func act(_ actions: [ConnectionCareMachine.Action]) {
        for action in actions {
            switch action {
            case .ping:
                framing.ping(Self.keepalivePing)
                flush()
            case .look(let delay): tick = schedule(in: delay) { $0.look() }
            case .announce(let patience):
                framing.goAway(last: HTTP2Settings.largestWindow)
                framing.ping(Self.drainPing)
                core?.drain()
                flush()
                _ = schedule(in: patience) { $0.announcementSeen() }
            case .goAway:
                framing.goAway(last: core?.highestStream ?? 0)
                flush()
            case .close: closeAfterWriting()
            case .giveUp:
                lossReason = RPCStatus(
                    .unavailable, "the other side did not answer a ping", progress: contact.hasBegun ? .unknown : .notConnected)
                context?.close(promise: nil)
            }
        }
    }

    private func schedule(in delay: TimeAmount, _ body: @escaping (HTTP2ConnectionHandler) -> Void) -> Scheduled<Void>? {
        context?.eventLoop.assumeIsolated().scheduleTask(in: delay) { [weak self] in
            guard let self else { return }
            body(self)
        }
    }

    private func look() {
        guard let context, let core else { return }
        act(care.look(at: context.eventLoop.now, openCalls: core.openStreams))
    }

    private func announcementSeen() {
        guard let core else { return }
        act(care.announcementSeen(openCalls: core.openStreams))
    }

    private func closeAfterWriting() {
        guard let context else { return }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.close() }
        framing.goAway(last: core?.highestStream ?? 0)
        write(promise: written)
    }
}
