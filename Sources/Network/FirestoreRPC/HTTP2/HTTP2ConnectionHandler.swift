// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOTLS

/// The framing below a core: `NIOHTTP2Handler`, without its multiplexer. One handler per connection works on frames.
///
/// Besides forwarding frames, it supervises the connection as `ConnectionCareMachine` decides: pings that check whether the peer is
/// still there, an end after long idleness, and GOAWAY in two steps when the server stops.
///
/// swift-nio-http2 has `NIOHTTP2ServerConnectionManagementHandler` for that. It is not suitable here:
/// - It supports servers only. A client's connection must detect a lost server, too, and fail its calls.
/// - When a peer does not answer a ping, it sends a GOAWAY and closes the connection when a second ping is answered: never. The
///   same applies to idle connections, and to a stop whose ping is not answered.
/// - It starts its timers in `channelActive`, but is added here to a channel that is already active, since TLS or the first bytes
///   determine the protocol.
/// - It cancels and starts timers with every read. Here a connection has one, which fires once in half a minute.
/// - It closes one tick after the last stream, whether or not everything was written. Here closing waits for the write.
final class HTTP2ConnectionHandler: ChannelInboundHandler, ConnectionPort {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let limits: RPCLimits
    /// On the client's side: explains failures.
    private let failure: ConnectionFailure?
    private let makeCore: (HTTP2ConnectionHandler, any Channel) -> any ConnectionCore
    private var core: (any ConnectionCore)?
    private var context: ChannelHandlerContext?
    private var isReading = false
    private var hasWritten = false
    /// Streams whose peer is asked to stop once this side's end was written.
    private var stopping: Set<StreamID> = []

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

    private static let keepalivePing = HTTP2PingData(withInteger: 0x4865_6172_7468)
    private static let drainPing = HTTP2PingData(withInteger: 0x476F_6F64_6279)

    init(
        limits: RPCLimits, care: ConnectionCare, failure: ConnectionFailure? = nil,
        makeCore: @escaping (HTTP2ConnectionHandler, any Channel) -> any ConnectionCore
    ) {
        self.limits = limits
        self.care = ConnectionCareMachine(care, now: .now())
        self.failure = failure
        contact = failure?.usesTLS == true ? .connecting : .open
        self.makeCore = makeCore
    }

    /// The library's handler, with limits that a client which cancels often does not exceed.
    static func framing(_ mode: NIOHTTP2Handler.ParserMode, limits: RPCLimits) -> NIOHTTP2Handler {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.concurrentStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.headerListSize),
            HTTP2Setting(parameter: .initialWindowSize, value: limits.streamWindow),
        ]
        if mode == .client { connection.initialSettings.append(HTTP2Setting(parameter: .enablePush, value: 0)) }
        connection.controlFrameRateLimit.maximumCount = limits.controlFramesPerHalfMinute
        connection.maximumConnectionGlitches = limits.resetsPerHalfMinute
        // Frames for a reset stream may already be in flight; if the stream were forgotten, they would end the connection.
        connection.maximumRecentlyResetStreams = 2 * limits.concurrentStreams
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.streamResetFrameRateLimit.maximumCount = limits.resetsPerHalfMinute
        stream.streamErrorRateLimit.maximumCount = limits.resetsPerHalfMinute
        return NIOHTTP2Handler(mode: mode, connectionConfiguration: connection, streamConfiguration: stream)
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
        core = makeCore(self, context.channel)
        // SETTINGS cannot set the connection's window.
        let defaultWindow = 65_535
        if limits.connectionWindow > defaultWindow {
            windowUpdate(0, limits.connectionWindow - defaultWindow)
            flush()
        }
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
        let core = self.core
        self.core = nil
        core?.connectionLost(
            lossReason ?? failure?.closed(hasHeard: contact == .heard, hasBegun: contact.hasBegun)
                ?? RPCStatus(.unavailable, "the connection was lost", progress: .unknown))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        // An error of one stream: the library has reset it, or it is closed.
        case is NIOHTTP2Errors.StreamError, is NIOHTTP2Errors.NoSuchStream, is NIOHTTP2Errors.StreamClosed:
            break
        default:
            // Later errors are consequences of the first.
            if lossReason == nil {
                lossReason =
                    failure?.broken(error, hasBegun: contact.hasBegun)
                    ?? RPCStatus(.unavailable, "the connection broke: \(error)", progress: .unknown)
            }
            context.close(promise: nil)
        }
    }

    // MARK: Frames in

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let core else { return }
        let frame = unwrapInboundIn(data)
        contact = .heard
        if !isReading {
            isReading = true
            core.beginTurn()
        }
        let stream = StreamID(frame.streamID)
        switch frame.payload {
        case .data(let content):
            guard case .byteBuffer(let bytes) = content.data else { return }
            let padding = content.paddingBytes.map { $0 + 1 } ?? 0
            core.receiveData(stream, bytes, length: bytes.readableBytes + padding, end: content.endStream)
        case .headers(let content):
            core.receiveHeaders(stream, content.headers, end: content.endStream)
        case .rstStream(let code):
            core.receiveReset(stream, code)
        case .goAway(let last, _, _):
            core.receiveGoAway(lastStream: StreamID(last))
        case .ping(Self.drainPing, ack: true):
            announcementSeen()
        default:
            break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        care.heard(at: context.eventLoop.now)
        isReading = false
        core?.endTurn()
        flush()
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let closed as StreamClosedEvent:
            if !stopping.isEmpty { stopping.remove(StreamID(closed.streamID)) }
            core?.streamClosed(StreamID(closed.streamID))
            if core?.openStreams == 0 { act(care.lastCallEnded()) }
        case is ChannelShouldQuiesceEvent:
            if core != nil { act(care.stop()) }
        case TLSUserEvent.handshakeCompleted:
            if contact == .connecting { contact = .open }
            context.fireUserInboundEventTriggered(event)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: Frames out

    private func write(_ stream: StreamID, _ payload: HTTP2Frame.FramePayload, promise: EventLoopPromise<Void>? = nil) {
        guard let context else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        hasWritten = true
        context.write(wrapOutboundOut(HTTP2Frame(streamID: HTTP2StreamID(stream), payload: payload)), promise: promise)
    }

    func headers(_ stream: StreamID, _ headers: OutboundHeaders, end: StreamEnd) {
        let fields =
            switch headers {
            case .grpcResponse: StatusHeaders.response
            case .fields(let fields): fields
            }
        write(stream, .headers(.init(headers: fields, endStream: end != .no)), promise: stopPromise(stream, end))
    }

    func data(_ stream: StreamID, _ bytes: ByteBuffer, end: StreamEnd, confirms: Int) {
        var promise = stopPromise(stream, end)
        if confirms > 0, let context {
            // Only on success: after a failure the stream is closed, and writing on would end the connection.
            let confirmation = promise ?? context.eventLoop.makePromise(of: Void.self)
            confirmation.futureResult.assumeIsolated().whenSuccess { [weak self] in
                guard let self, let core = self.core else { return }
                core.confirmed(stream, confirms)
            }
            promise = confirmation
        }
        write(stream, .data(.init(data: .byteBuffer(bytes), endStream: end != .no)), promise: promise)
    }

    func trailers(_ stream: StreamID, _ status: RPCStatus?, alone: Bool, requestEnded: Bool) {
        let fields = StatusHeaders.trailers(status, alone: alone)
        let promise = stopPromise(stream, .response(requestEnded: requestEnded))
        write(stream, .headers(.init(headers: fields, endStream: true)), promise: promise)
    }

    /// A reset overtakes, and discards, what the library still holds back: it waits until the end was written.
    private func stopPromise(_ stream: StreamID, _ end: StreamEnd) -> EventLoopPromise<Void>? {
        guard end == .yesAndStop, let context else { return nil }
        stopping.insert(stream)
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenSuccess { [weak self] in
            guard let self, self.stopping.remove(stream) != nil else { return }
            self.reset(stream, .noError)
            self.flush()
        }
        return sent
    }

    func reset(_ stream: StreamID, _ code: HTTP2ErrorCode) { write(stream, .rstStream(code)) }

    func windowUpdate(_ stream: StreamID, _ increment: Int) {
        write(stream, .windowUpdate(windowSizeIncrement: increment))
    }

    func flush() {
        guard hasWritten, !isReading else { return }
        hasWritten = false
        context?.flush()
    }

    func close() { context?.close(promise: nil) }

    // MARK: Looking after the connection

    private func act(_ actions: [ConnectionCareMachine.Action]) {
        for action in actions {
            switch action {
            case .ping:
                write(0, .ping(Self.keepalivePing, ack: false))
                flush()
            case .look(let delay): tick = schedule(in: delay) { $0.look() }
            case .announce(let patience):
                write(0, .goAway(lastStreamID: .maxID, errorCode: .noError, opaqueData: nil))
                write(0, .ping(Self.drainPing, ack: false))
                core?.drain()
                flush()
                _ = schedule(in: patience) { $0.announcementSeen() }
            case .goAway:
                write(0, lastGoAway)
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

    private var lastGoAway: HTTP2Frame.FramePayload {
        .goAway(lastStreamID: HTTP2StreamID(core?.highestStream ?? 0), errorCode: .noError, opaqueData: nil)
    }

    private func closeAfterWriting() {
        guard let context else { return }
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.close() }
        write(0, lastGoAway, promise: written)
        context.flush()
    }
}
