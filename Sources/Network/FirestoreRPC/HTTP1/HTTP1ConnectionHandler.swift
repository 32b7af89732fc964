// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOHTTP1

/// One HTTP/1.1 connection: performs what its `HTTP1Machine` decides. Follows NIO's pipelining handler in the pipeline, which holds the
/// next request back until this one is answered.
///
/// `@unchecked Sendable`: mutable properties are accessed on `eventLoop` only; other threads use `mailbox`, and `self` as the
/// receiver of a wake-up on that loop.
final class HTTP1ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler, @unchecked Sendable {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let service: any HTTPService
    private let limits: RPCLimits
    private let observer: (any RPCObserver)?
    let account: ConnectionAccount
    private let clients: ProxiedClients?
    private let activity: ConnectionActivity?
    private var lookout: RoomLookout
    /// The address behind a proxy that the request being answered counts for.
    private var client: String?
    private let doorkeeper: Doorkeeper?
    private let patience: HTTP1Patience
    let mailbox: Mailbox<HTTP1Exchange.Post>
    private let runOffLoop: OffLoop
    private let eventLoop: any EventLoop
    private let peer: String
    private var context: ChannelHandlerContext?
    private var machine: HTTP1Machine
    /// The request being received: its headers, and the page that sends it or the reason for refusing it.
    private var incoming: (head: HTTPRequestHead, verdict: Result<String?, HTTPRefusal>)?
    private var body = ByteBuffer()
    /// The request being answered.
    private var exchange: HTTP1Exchange?
    private var tick: Scheduled<Void>?

    init(
        service: any HTTPService, limits: RPCLimits, observer: (any RPCObserver)? = nil, doorkeeper: Doorkeeper? = nil,
        patience: HTTP1Patience, eventLoop: any EventLoop, peer: String, clients: ProxiedClients? = nil,
        activity: ConnectionActivity? = nil, budget: MemoryBudget = .process, runOffLoop: @escaping OffLoop = offLoop
    ) {
        self.service = service
        self.limits = limits
        self.observer = observer
        self.doorkeeper = doorkeeper
        self.patience = patience
        self.eventLoop = eventLoop
        self.peer = peer
        self.runOffLoop = runOffLoop
        mailbox = Mailbox(eventLoop: eventLoop)
        machine = HTTP1Machine(patience, maximumUnread: limits.unconfirmedPerStream, now: eventLoop.now)
        self.clients = clients
        self.activity = activity
        account = ConnectionAccount(limit: limits.budgetPerConnection, of: budget)
        lookout = RoomLookout(account, on: eventLoop)
        account.observe(
            onWait: { [weak self, eventLoop] in eventLoop.execute { [weak self] in self?.wait() } },
            onShed: { [weak self, eventLoop] in eventLoop.execute { [weak self] in self?.shed() } })
    }

    private func wait() { if context != nil { lookout.begin { self.look() } } }

    private func look() { lookout.look { self.look() } }

    private func shed() {
        observer?.shed(.memory)
        close()
    }

    // MARK: The channel's life

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
        exchange?.lose(RPCStatus(.cancelled, "the client has gone"))
        answered()
        lookout.end()
        account.close()
    }

    private func close() { context?.close(promise: nil) }

    private func scheduleTick() {
        tick = eventLoop.assumeIsolated().scheduleTask(in: .seconds(10)) { [weak self] in
            guard let self else { return }
            guard self.machine.isOutOfPatience(at: self.eventLoop.now) else { return self.scheduleTick() }
            if self.machine.unread > 0 { self.observer?.shed(.unreadAnswer) }
            self.close()
        }
    }

    /// Bytes that are not a request are answered immediately: the decoder closes the connection next.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // What is left over when the connection closes is not answered: the client has gone, and NIO's pipeline takes nothing more.
        if let error = error as? HTTPParserError, context.channel.isActive, machine.receivedNonsense() {
            write(HTTPRefusal(error), isHEAD: false, closes: true)
        }
        context.close(promise: nil)
    }

    // MARK: Requests

    func read(context: ChannelHandlerContext) {
        if machine.read() { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): receive(head)
        case .body(let bytes): receive(bytes)
        case .end: receiveEnd()
        }
    }

    private func receive(_ head: HTTPRequestHead) {
        var head = head
        if let (authority, target) = RequestTarget.absolute(head.uri) {
            head.uri = target
            head.headers.replaceOrAdd(name: "host", value: authority)
        }
        let path = RequestTarget.parse(head.uri).path
        let verdict = doorkeeper?.verdict(head) ?? .success(nil)
        let isForbidden = if case .failure = verdict { true } else { false }
        let facts = HTTP1RequestFacts(
            head, bodySize: limits.bodySize(path), isForbidden: isForbidden,
            isUpload: !isForbidden && service.readsBody(method: head.method.rawValue, path: path))
        let action = machine.received(facts, at: eventLoop.now)
        guard action != .ignore else { return }
        incoming = (head, verdict)
        switch action {
        case .ignore: break
        case .receive(let asks):
            if asks { askForBody(head) }
        case .upload(let asks):
            if asks { askForBody(head) }
            handleIncoming(readsBody: true)
        case .refuse(let reason): refuse(reason)
        }
    }

    private func askForBody(_ head: HTTPRequestHead) {
        context?.writeAndFlush(wrapOutboundOut(.head(.init(version: head.version, status: .continue))), promise: nil)
    }

    private func receive(_ bytes: ByteBuffer) {
        switch machine.receivedBody(bytes.readableBytes, at: eventLoop.now) {
        case .drop: break
        case .collect:
            account.chargeRequests(bytes.readableBytes)
            body.writeImmutableBuffer(bytes)
            if !account.admitsGrowth { refuse(machine.bodyIsUnwanted()) }
        case .deliver:
            let part = bytes.withUnsafeReadableBytes { ByteSlice(copying: $0) }
            if exchange?.requestBody?.append(part) == true { machine.uploadIsFull() }
        case .refuse(let reason): refuse(reason)
        }
    }

    private func receiveEnd() {
        switch machine.receivedEnd(at: eventLoop.now) {
        case .ignore: break
        case .handle: handleIncoming(readsBody: false)
        case .refuse(let closes):
            guard let (head, verdict) = takeIncoming(), case .failure(let refusal) = verdict else { return }
            write(refusal, isHEAD: head.method == .HEAD, closes: closes)
        case .finishBody: exchange?.requestBody?.finish()
        case .close: close()
        }
    }

    private func takeIncoming() -> (head: HTTPRequestHead, verdict: Result<String?, HTTPRefusal>)? {
        defer { incoming = nil }
        return incoming
    }

    private func handleIncoming(readsBody: Bool) {
        guard let (head, verdict) = takeIncoming() else { return }
        let target = RequestTarget.parse(head.uri)
        var headers = RPCMetadata()
        headers.entries.reserveCapacity(head.headers.count)
        for (name, value) in head.headers { headers.append(name.lowercased(), value) }
        let request = HTTPRequest(
            method: head.method.rawValue, path: target.path, query: target.query, headers: headers,
            body: body.withUnsafeReadableBytes { ByteSlice(copying: $0) }, peer: peer, page: try? verdict.get())
        body = ByteBuffer()
        let exchange = HTTP1Exchange(request, readsBody: readsBody, limits: limits, connection: self)
        self.exchange = exchange
        activity?.note(openCalls: 1, at: eventLoop.now)
        switch clients?.enter(headers) {
        case .failure(let status):
            observer?.shed(.address)
            let refusal = HTTPRefusal.tooMany(status.message)
            observer?.requestRefused(refusal.code, isGRPC: false)
            return exchange.respond(status: refusal.status, headers: refusal.allHeaders, body: refusal.body)
        case .success(let client): self.client = client
        case nil: break
        }
        run(exchange)
    }

    /// Not while the client leaves earlier answers unread.
    private func run(_ exchange: HTTP1Exchange) {
        guard self.exchange === exchange else { return }
        guard account.hasRoom else {
            _ = account.wait(for: 0) { [weak self, eventLoop] hasRoom in
                if hasRoom { eventLoop.execute { [weak self] in self?.run(exchange) } }
            }
            return
        }
        runOffLoop { [service] in if exchange.begin() { service.handle(exchange) } }
    }

    /// The request is answered, or will not be.
    private func answered() {
        guard let exchange else { return }
        account.chargeRequests(-exchange.request.body.count)
        if let client { clients?.leave(client) }
        client = nil
        self.exchange = nil
        activity?.note(openCalls: 0, at: eventLoop.now)
    }

    // MARK: Refusals

    /// Answers a request whose rest is still being received.
    private func refuse(_ reason: HTTP1Refusal) {
        guard let (head, verdict) = takeIncoming() else { return }
        account.chargeRequests(-body.readableBytes)
        body = ByteBuffer()
        let refusal: HTTPRefusal
        switch (reason, verdict) {
        case (.tooLarge(let size), _): refusal = .tooLarge(size)
        case (.unwanted, _):
            observer?.shed(.requestBytes)
            refusal = .tooMany("the server holds too many large requests; try again later")
        case (.forbidden, .failure(let reason)): refusal = reason
        case (.forbidden, .success): return
        }
        write(refusal, isHEAD: head.method == .HEAD, closes: true)
        closeLater()
    }

    private func write(_ refusal: HTTPRefusal, isHEAD: Bool, closes: Bool) {
        guard let context else { return }
        observer?.requestRefused(refusal.code, isGRPC: false)
        let content = refusal.body
        var headers = refusal.allHeaders
        headers.append("content-length", String(content.count))
        write(refusal.status, headers, closes: closes)
        if !isHEAD { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: content)))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: closes ? lastWritten() : nil)
    }

    private func closeLater() {
        eventLoop.assumeIsolated().scheduleTask(in: patience.refused) { [weak self] in self?.close() }
    }

    private func lastWritten() -> EventLoopPromise<Void> {
        let written = eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            if self.machine.lastWritten() { self.close() }
        }
        return written
    }

    // MARK: Answers

    /// For `Mailbox.post`.
    var wakeUp: @Sendable () -> Void { { self.emptyMailbox() } }

    private func emptyMailbox() {
        var posts: [HTTP1Exchange.Post] = []
        while mailbox.takeAll(into: &posts) {
            for post in posts {
                if post.exchange === exchange {
                    take(post.step, of: post.exchange)
                } else if case .piece(let bytes) = post.step {
                    account.release(bytes.count)
                }
            }
        }
        context?.flush()
        lookout.makeRoom()
    }

    private func take(_ step: AnswerStep, of exchange: HTTP1Exchange) {
        switch step {
        case .head(let status, let headers):
            if case .send(let closes) = machine.answerBegins() { write(status, headers, closes: closes) }
        case .piece(let bytes): write(bytes, of: exchange)
        case .end: end(exchange)
        case .cut:
            guard machine.answerIsCut() else { return }
            context?.flush()
            close()
        case .room:
            if machine.uploadHasRoom(at: eventLoop.now) { context?.read() }
        }
    }

    private func write(_ status: Int, _ metadata: RPCMetadata, closes: Bool) {
        var headers = HTTPHeaders(metadata.entries)
        if closes { headers.replaceOrAdd(name: "connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
        context?.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    /// The size of a write: a client that reads slowly shows that it reads.
    private static let slice = 64 << 10

    private func write(_ bytes: [UInt8], of exchange: HTTP1Exchange) {
        guard let context else { return }
        switch machine.answerContinues(bytes.count, at: eventLoop.now) {
        case .ignore: account.release(bytes.count)
        case .confirm: confirm(bytes.count, of: exchange)
        case .close: close()
        case .send:
            var rest = ByteBuffer(bytes: bytes)
            while let slice = rest.readSlice(length: min(Self.slice, rest.readableBytes)), slice.readableBytes > 0 {
                let written = eventLoop.makePromise(of: Void.self)
                written.futureResult.assumeIsolated().whenSuccess {
                    self.machine.wrote(slice.readableBytes, at: self.eventLoop.now)
                    self.confirm(slice.readableBytes, of: exchange)
                    self.lookout.makeRoom()
                }
                context.write(wrapOutboundOut(.body(.byteBuffer(slice))), promise: written)
            }
        }
    }

    private func confirm(_ count: Int, of exchange: HTTP1Exchange) {
        account.release(count)
        _ = exchange.gate.confirm(count)
    }

    private func end(_ exchange: HTTP1Exchange) {
        guard let context else { return }
        let action = machine.answerEnds(at: eventLoop.now)
        switch action {
        case .ignore: return
        case .close: return close()
        case .send, .sendLast, .sendEarly: break
        }
        answered()
        exchange.gate.end(RPCStatus(.cancelled, "the response has ended"))
        context.write(wrapOutboundOut(.end(nil)), promise: action == .send ? nil : lastWritten())
        if case .sendEarly(let reads) = action {
            if reads { context.read() }
            closeLater()
        }
    }
}
