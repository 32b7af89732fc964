// SPDX-License-Identifier: Apache-2.0
import NIOCore

/// Distinguishes HTTP/2 from HTTP/1.1 by the first bytes, so that both share a port.
final class ProtocolSniffer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    enum Choice { case http1, http2 }

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private let timeout: TimeAmount
    private let decide: (any Channel, Choice) throws -> Void
    private var collected = ByteBuffer()
    private var isDecided = false
    private var timer: Scheduled<Void>?

    /// `decide` adds the handlers of the protocol. A socket that has sent nothing after `timeout` is closed.
    init(timeout: TimeAmount, decide: @escaping (any Channel, Choice) throws -> Void) {
        self.timeout = timeout
        self.decide = decide
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { startTimer(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        startTimer(context)
        context.fireChannelActive()
    }

    private func startTimer(_ context: ChannelHandlerContext) {
        guard timer == nil else { return }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        collected.writeImmutableBuffer(unwrapInboundIn(data))
        guard !isDecided, let choice = Self.choice(collected.readableBytesView) else { return }
        isDecided = true
        timer?.cancel()
        do {
            try decide(context.channel, choice)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }

    /// nil: more bytes are needed.
    static func choice(_ bytes: ByteBufferView) -> Choice? {
        guard zip(bytes, preface).allSatisfy({ $0 == $1 }) else { return .http1 }
        return bytes.count >= preface.count ? .http2 : nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // No request was made yet, so a server that stops owes no answer.
        if event is ChannelShouldQuiesceEvent, !isDecided { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        if collected.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(collected))
            context.fireChannelReadComplete()
        }
        context.leavePipeline(removalToken: removalToken)
    }
}
