// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import NIOCore
import NIOHTTP1

/// One HTTP/1.1 connection: collects a request, delivers it, writes its answer. Follows NIO's pipelining handler in the pipeline,
/// which holds the next request back until this one is answered.
///
/// `@unchecked Sendable`: mutable properties are accessed on `eventLoop` only; other threads use `mailbox`, and `self` as the
/// receiver of a wake-up on that loop.
final class HTTP1ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    struct Patience: Sendable {
        /// For the next request, and for the next bytes of one.
        var silence = TimeAmount.seconds(60)
        /// For a whole request.
        var request = TimeAmount.minutes(5)
        /// For a client that does not read the answer.
        var unread = TimeAmount.minutes(5)
        /// For the rest of a refused request.
        var refused = TimeAmount.seconds(5)
    }

    private let service: any HTTPService
    private let limits: RPCLimits
    private let observer: (any RPCObserver)?
    private let doorkeeper: Doorkeeper?
    private let patience: Patience
    private let mailbox: Mailbox<HTTP1Exchange.Post>
    private let worker = DispatchQueue(label: "http", target: .global())
    private let eventLoop: any EventLoop
    private let peer: String
    private var context: ChannelHandlerContext?
    private var head: HTTPRequestHead?
    private var body = ByteBuffer()
    /// The decision on the request being received: the page that sends it, or the reason for refusing it.
    private var verdict: Result<String?, HTTPRefusal> = .success(nil)
    /// The largest body of the request being received.
    private var bodySize = 0
    /// Bytes of a rejected request, which are not stored.
    private var skipped = 0
    private var exchange: HTTP1Exchange?
    /// The body being received, if the service reads it while it arrives.
    private var arriving: HTTPRequestBody?
    /// Whether the peer has to wait, because that body is not read; and whether a read of the socket waits for that.
    private var isHeldBack = false
    private var hasHeldRead = false
    private var requestStart: NIODeadline
    private var lastProgress: NIODeadline
    private var unread = 0
    private var isClosing = false
    private var requestIsOver = false
    private var refusalIsWritten = false
    private var tick: Scheduled<Void>?

    init(
        service: any HTTPService, limits: RPCLimits, observer: (any RPCObserver)? = nil, doorkeeper: Doorkeeper? = nil,
        patience: Patience, eventLoop: any EventLoop, peer: String
    ) {
        self.service = service
        self.limits = limits
        self.observer = observer
        self.doorkeeper = doorkeeper
        self.patience = patience
        self.eventLoop = eventLoop
        self.peer = peer
        mailbox = Mailbox(eventLoop: eventLoop)
        requestStart = eventLoop.now
        lastProgress = eventLoop.now
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        scheduleTick()
    }

    func handlerRemoved(context: ChannelHandlerContext) { lose() }

    func channelInactive(context: ChannelHandlerContext) {
        lose()
        context.fireChannelInactive()
    }

    private func lose() {
        context = nil
        tick?.cancel()
        tick = nil
        exchange?.abandon(RPCStatus(.cancelled, "the client has gone"))
        exchange = nil
    }

    /// Bytes that are not a request are answered immediately: the decoder closes the connection next.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? HTTPParserError, exchange == nil, !isClosing {
            let refusal = HTTPRefusal(error)
            observer?.requestRefused(refusal.code, isGRPC: false)
            write(refusal, isHEAD: false, context)
        }
        context.close(promise: nil)
    }

    // MARK: Requests

    func read(context: ChannelHandlerContext) {
        if isHeldBack { hasHeldRead = true } else { context.read() }
    }

    private func goOnReading() {
        isHeldBack = false
        guard hasHeldRead else { return }
        hasHeldRead = false
        lastProgress = eventLoop.now
        context?.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastProgress = eventLoop.now
        switch unwrapInboundIn(data) {
        case .head(var head):
            guard !isClosing else { return }
            if let (authority, target) = RequestTarget.absolute(head.uri) {
                head.uri = target
                head.headers.replaceOrAdd(name: "host", value: authority)
            }
            requestStart = lastProgress
            self.head = head
            body.clear()
            skipped = 0
            let path = RequestTarget.parse(head.uri).path
            bodySize = limits.bodySize(path)
            verdict = doorkeeper?.verdict(head) ?? .success(nil)
            let isWaiting = head.expectsContinue
            if case .failure(let refusal) = verdict { return isWaiting ? refuse(refusal) : () }
            let readsBody = service.readsBody(method: head.method.rawValue, path: path)
            // A client that asks first gets its answer before it sends what would be refused.
            if isWaiting, !readsBody, head.contentLength ?? 0 > bodySize { return refuse(.tooLarge(bodySize)) }
            if isWaiting { context.writeAndFlush(wrapOutboundOut(.head(.init(version: head.version, status: .continue))), promise: nil) }
            if readsBody { beginReading(head) }
        case .body(let bytes):
            if let arriving {
                isHeldBack = arriving.append(bytes.withUnsafeReadableBytes { ByteSlice(copying: $0) })
                return
            }
            guard head != nil else { return }
            let refusal: HTTPRefusal? = if case .failure(let refusal) = verdict { refusal } else { nil }
            guard body.readableBytes + skipped + bytes.readableBytes <= bodySize else {
                return refuse(refusal ?? .tooLarge(bodySize))
            }
            if refusal == nil { body.writeImmutableBuffer(bytes) } else { skipped += bytes.readableBytes }
        case .end:
            requestIsOver = true
            arriving?.finish()
            arriving = nil
            if isClosing { closeAfterRefusal() }
            guard let head else { return }
            self.head = nil
            // A request for an upgrade stops NIO's parser: it is answered here, and the next one needs a new connection.
            let keepsAlive = head.isKeepAlive && !head.headers.contains(name: "upgrade")
            let exchange = HTTP1Exchange(
                request(head), keepsAlive: keepsAlive, limits: limits, mailbox: mailbox, wakeUp: { self.emptyMailbox() })
            body = ByteBuffer()
            self.exchange = exchange
            if case .failure(let refusal) = verdict {
                observer?.requestRefused(refusal.code, isGRPC: false)
                exchange.respond(status: refusal.status, headers: refusal.allHeaders, body: refusal.body)
            } else {
                worker.async { [service] in service.handle(exchange) }
            }
        }
    }

    /// The service answers while the body arrives. The connection ends with the answer, because the rest of the body may be left.
    private func beginReading(_ head: HTTPRequestHead) {
        self.head = nil
        requestIsOver = false
        let exchange = HTTP1Exchange(
            request(head), keepsAlive: false, readsBody: true, limits: limits, mailbox: mailbox, wakeUp: { self.emptyMailbox() })
        self.exchange = exchange
        arriving = exchange.requestBody
        worker.async { [service] in service.handle(exchange) }
    }

    private func request(_ head: HTTPRequestHead) -> HTTPRequest {
        let target = RequestTarget.parse(head.uri)
        var headers = RPCMetadata()
        headers.entries.reserveCapacity(head.headers.count)
        for (name, value) in head.headers { headers.append(name.lowercased(), value) }
        return HTTPRequest(
            method: head.method.rawValue, path: target.path, query: target.query, headers: headers,
            body: body.withUnsafeReadableBytes { ByteSlice(copying: $0) }, peer: peer,
            page: try? verdict.get())
    }

    /// Answers a refused request while the rest of it is still being received, and then closes. Not immediately, because a client that
    /// is still sending would lose the answer together with the connection.
    private func refuse(_ refusal: HTTPRefusal) {
        guard let context else { return }
        observer?.requestRefused(refusal.code, isGRPC: false)
        let isHEAD = head?.method == .HEAD
        head = nil
        body = ByteBuffer()
        isClosing = true
        requestIsOver = false
        let written = eventLoop.makePromise(of: Void.self)
        write(refusal, isHEAD: isHEAD, context, promise: written)
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.refusalIsWritten = true
            self.closeAfterRefusal()
        }
        eventLoop.assumeIsolated().scheduleTask(in: patience.refused) { [weak self] in self?.context?.close(promise: nil) }
    }

    private func write(_ refusal: HTTPRefusal, isHEAD: Bool, _ context: ChannelHandlerContext, promise: EventLoopPromise<Void>? = nil) {
        let content = refusal.body
        var headers = HTTPHeaders(refusal.allHeaders.entries)
        headers.add(name: "content-length", value: String(content.count))
        headers.add(name: "connection", value: "close")
        let status = HTTPResponseStatus(statusCode: refusal.status)
        context.write(wrapOutboundOut(.head(.init(version: .http1_1, status: status, headers: headers))), promise: nil)
        if !isHEAD { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: content)))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
    }

    private func closeAfterRefusal() {
        if requestIsOver, refusalIsWritten { context?.close(promise: nil) }
    }

    // MARK: Answers

    private func emptyMailbox() {
        var posts: [HTTP1Exchange.Post] = []
        while mailbox.takeAll(into: &posts) {
            for post in posts { take(post) }
        }
        context?.flush()
    }

    private func take(_ post: HTTP1Exchange.Post) {
        guard let context else { return }
        switch post {
        case .head(let exchange, let status, let metadata):
            guard exchange === self.exchange, !exchange.responseStarted else { return }
            exchange.responseStarted = true
            var headers = HTTPHeaders(metadata.entries)
            if !exchange.keepsAlive { headers.replaceOrAdd(name: "connection", value: "close") }
            let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
        case .piece(let exchange, let bytes):
            guard exchange === self.exchange, exchange.responseStarted else { return }
            if exchange.request.method == "HEAD" {
                _ = exchange.gate.confirm(bytes.count)
                return
            }
            unread += bytes.count
            guard unread <= limits.unconfirmedPerStream else {
                context.close(promise: nil)
                return
            }
            let written = eventLoop.makePromise(of: Void.self)
            written.futureResult.assumeIsolated().whenSuccess {
                self.unread -= bytes.count
                self.lastProgress = self.eventLoop.now
                _ = exchange.gate.confirm(bytes.count)
            }
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: written)
        case .room(let exchange):
            if exchange === self.exchange { goOnReading() }
        case .cut(let exchange):
            guard exchange === self.exchange else { return }
            context.flush()
            context.close(promise: nil)
        case .end(let exchange):
            guard exchange === self.exchange else { return }
            guard exchange.responseStarted else {
                context.close(promise: nil)
                return
            }
            self.exchange = nil
            exchange.gate.end(RPCStatus(.cancelled, "the response has ended"))
            lastProgress = eventLoop.now
            if let body = exchange.requestBody { return end(body) }
            guard !exchange.keepsAlive else {
                context.write(wrapOutboundOut(.end(nil)), promise: nil)
                return
            }
            isClosing = true
            let written = eventLoop.makePromise(of: Void.self)
            context.write(wrapOutboundOut(.end(nil)), promise: written)
            written.futureResult.assumeIsolated().whenComplete { _ in self.context?.close(promise: nil) }
        }
    }

    /// The end of an answer to a request that may still be arriving: the rest is dropped, so that a client that sends it gets the answer.
    private func end(_ body: HTTPRequestBody) {
        isClosing = true
        _ = body.close()
        let written = eventLoop.makePromise(of: Void.self)
        context?.write(wrapOutboundOut(.end(nil)), promise: written)
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.refusalIsWritten = true
            self.closeAfterRefusal()
        }
        goOnReading()
        eventLoop.assumeIsolated().scheduleTask(in: patience.refused) { [weak self] in self?.context?.close(promise: nil) }
    }

    // MARK: Patience

    private func scheduleTick() {
        tick = eventLoop.assumeIsolated().scheduleTask(in: .seconds(10)) { [weak self] in self?.check() }
    }

    private func check() {
        guard let context else { return }
        let now = eventLoop.now
        let isOutOfPatience =
            if exchange == nil, unread == 0 {
                now - lastProgress > patience.silence || (head != nil && now - requestStart > patience.request)
            } else {
                (unread > 0 && now - lastProgress > patience.unread)
                    || (arriving != nil && !isHeldBack && now - lastProgress > patience.silence)
            }
        if isOutOfPatience {
            context.close(promise: nil)
        } else {
            scheduleTick()
        }
    }
}

extension HTTPRequestHead {
    /// Whether the client waits to be asked for the body.
    fileprivate var expectsContinue: Bool {
        version != .http1_0 && headers["expect"].contains { $0.lowercased() == "100-continue" }
    }

    fileprivate var contentLength: Int? { headers.first(name: "content-length").flatMap { Int($0) } }
}
